internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore
internal import WayreelStreams

struct StreamsConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts a recording to CSV, NDJSON, EDF+ or DICOM, whole or in part.",
        discussion: """
            wayreel streams convert night.edf -o night.csv
            wayreel streams convert 100.hea -o beat.ndjson --from 12s --for 2s
            wayreel streams convert ecg.csv -o ecg.dcm --stream 'ecg.*'
            wayreel streams convert run.gpx -o heart.csv --stream fitness.heart-rate

            CSV has a column for each channel, with its unit; with --tidy, a row for each sample of a stream, as 'streams replay' writes
            it. CSV has no place for marks: they are written to OUTPUT.marks.ndjson.

            EDF+ and DICOM hold even samples. EDF+ rounds them to 65536 steps between the least and the greatest value of a channel;
            DICOM takes the twelve leads of an electrocardiogram in mV or µV.
            """)

    @Argument(help: "The recording, a file of any format that streams.md lists.", completion: .file())
    var recording: String

    @Option(
        name: [.short, .long],
        help:
            "A file that ends in .csv, .ndjson, .jsonl, .edf or .dcm, complete or absent; - for NDJSON on standard output.",
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "A stream (ecg), a channel (ecg.ii), or either with * (ecg.v*). Repeatable. All by default.",
            valueName: "stream"))
    var stream: [String] = []

    @Option(help: ArgumentHelp("Leave out what is before this time of the recording: 2s, 1:30.", valueName: "time"))
    var from: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("Convert so much: 10s.", valueName: "time"))
    var length: String?

    @Flag(help: "CSV with a row for each sample of a stream.")
    var tidy = false

    @OptionGroup var damage: DamageOptions

    func validate() throws {
        guard let format = RecordingConversion.Format(path: output) else {
            throw ValidationError("--output takes a file that ends in .csv, .ndjson, .jsonl, .edf or .dcm, or -")
        }
        if tidy, format != .csv { throw ValidationError("--tidy is for .csv") }
        if recording == "-" { throw ValidationError("a recording is read more than once: name a file") }
        for (name, text) in [("--from", from), ("--for", length)] {
            if let text, Self.seconds(text) == nil {
                throw ValidationError("\(name) takes a duration, as in 2s or 1:30")
            }
        }
    }

    private static func seconds(_ text: String) -> Double? {
        RecordingTimeText.seconds(text).flatMap { $0 >= 0 ? $0 : nil }
    }

    func run() throws {
        guard let format = RecordingConversion.Format(path: output) else { return }
        try OutputFile.check(output, isNoneOf: [recording])
        var conversion = RecordingConversion()
        conversion.streams = stream
        conversion.from = from.flatMap(Self.seconds) ?? 0
        conversion.length = length.flatMap(Self.seconds)
        conversion.isTidy = tidy
        let warnings = DamageWarnings()
        defer { warnings.finish() }
        try conversion.convert(
            recording, to: output, as: format, cancellation: Interrupt.cancellation,
            onDamage: warnings.handler(damage.skipDamaged))
    }
}
