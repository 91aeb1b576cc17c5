internal import ArgumentParser
internal import Wayreel

struct LevelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "levels",
        abstract: "Reads the levels of sounds: data for visualizers, waveforms, loudness, pictures, live meters.",
        discussion: """
            Left and right peaks for a visualizer, 30 a second:
              wayreel levels radio.mp3 -o levels.json --rate 30
            As a meter's needle shows them:
              wayreel levels radio.mp3 -o levels.json --rate 60 --meter apple
            For peaks.js, wavesurfer.js, a spreadsheet:
              wayreel levels radio.mp3 -o radio.dat --zoom 256 --bits 8 --split-channels
              wayreel levels radio.mp3 -o radio.json --format wavesurfer --points 800
              wayreel levels talk.mp4 -o - --format csv
            Several outputs in one pass, and pictures:
              wayreel levels radio.mp3 -o radio.dat -o radio.json -o radio.png
              wayreel levels radio.mp3 -o strip.svg --style strip --size 1200x300 --theme dark
            Loudness by EBU R 128, of each and of all:
              wayreel levels *.mp3 --loudness
            Many at once, with a report:
              wayreel levels *.mp3 -o levels/ --rate 30 --report report.json
            From a pipe, and as it happens:
              cat radio.flac | wayreel levels - -o out.dat
              arecord -f cd | wayreel levels - --raw s16le:44100:2 --live --rate 60
            From levels to coarser ones, or to a picture:
              wayreel levels radio.dat -o overview.dat --zoom 4096

            Exit status: 0 all done, 1 some failed, 2 wrong usage.
            """)

    @Argument(
        help: """
            The sounds: whatever FFmpeg reads, by content; the sound of a film; levels in a .dat or JSON file; - for \
            standard input.
            """, completion: .file())
    var inputs: [String]

    @Option(
        name: [.short, .long],
        help:
            "A file, a folder (with / at its end, or for several inputs), or - for standard output. As often as wanted.",
        completion: .file())
    var output: [String] = []

    @Option(
        help: """
            json, ndjson, csv, dat, audiowaveform, wavesurfer, soundcloud, png or svg; for a folder as often as wanted. \
            (default: by the output's extension, else json)
            """)
    var format: [String] = []

    @Flag(help: "Measure loudness by EBU R 128: printed, and told in JSON and in the report.")
    var loudness = false

    @Flag(help: "Print a line of JSON for each reading as soon as its samples are there.")
    var live = false

    @OptionGroup(title: "Readings") var reading: ReadingOptions
    @OptionGroup(title: "Pictures") var picture: PictureOptions
    @OptionGroup(title: "Sound") var sound: SoundOptions

    @Option(help: "What damage fails a sound: none, missing (over a quarter of it), warning (any).")
    var failOn: DamageTolerance = .standard

    @OptionGroup(title: "Running") var running: RunningOptions

    func run() async throws {
        if live { return try runLive() }
        guard !output.isEmpty || loudness else {
            throw MediaError(
                .parameter, step: "plan", reason: "there is nothing to make",
                advice: "name an output with -o, or ask for --loudness or --live")
        }
        guard !output.isEmpty || format.isEmpty else {
            throw MediaError(
                .parameter, step: "plan", reason: "--format is for outputs, and none is made",
                advice: "name an output with -o")
        }
        let wishes = try wishes()
        let options = LevelsOptions(
            try outputs(wishes.map(\.format)), track: sound.track, raw: sound.raw, sampleRate: sound.sampleRate,
            measuresLoudness: loudness, limits: sound.limits(), tolerance: failOn)
        let plan = try OutputPlan(
            inputs: inputs,
            targets: wishes.map { .init(place: $0.place, kind: .file(extension: $0.format.fileExtensions[0])) },
            isFileName: { LevelsFormat(fileName: $0) != nil })
        let batch = try LevelsBatch(
            plan.files.map { LevelsTask(input: $0.input, outputs: $0.outputs, options: options) },
            isolation: isolation, cancellation: Interrupt.cancellation)
        try plan.makeFolders()
        try running.checkReport(plan)
        let run = await running.run(batch)
        try running.writeReport(run)
        if loudness, !Interrupt.cancellation.isCancelled {
            try LoudnessTable(run.reports, ofAll: batch.pipelines.first??.loudnessOfAll).print(
                toError: output.contains("-") || running.report == "-")
        }
        try Outcome.check(run.reports)
    }

    /// A time limit that was asked for is to end a decoder that hangs, too. The loudness of all of several sounds is only known
    /// to a process that has measured them all.
    private var isolation: Isolation? {
        sound.maxSeconds == nil || loudness && inputs.count > 1 ? nil : Isolation(executable: Isolation.ownExecutable)
    }

    /// An output that was asked for: a format, and where it goes.
    private typealias Wish = (place: String, format: LevelsFormat)

    /// Throws a `parameter` error where a format cannot be told, or is named for a place that takes only one.
    private func wishes() throws(MediaError) -> [Wish] {
        var wishes: [Wish] = []
        for place in output {
            let takesMany = OutputPlan.takesFolder(place, inputs: inputs)
            guard format.isEmpty else {
                if !takesMany, format.count > 1 {
                    throw MediaError(
                        .parameter, step: "plan", subject: place,
                        reason: "one file cannot have \(format.count) formats",
                        advice: "give --format once, or name a folder with -o")
                }
                for name in format { wishes.append((place, try Self.format(name, place: takesMany ? "" : place))) }
                continue
            }
            guard takesMany || ["", "-"].contains(place) || LevelsFormat(fileName: place) != nil else {
                throw MediaError(
                    .parameter, step: "plan", subject: place, reason: "the name does not tell the format",
                    advice: "end it with .json, .ndjson, .csv, .dat, .png or .svg, or add --format")
            }
            wishes.append((place, takesMany ? .json : LevelsFormat(fileName: place) ?? .json))
        }
        return wishes
    }

    private static func format(_ name: String, place: String) throws(MediaError) -> LevelsFormat {
        guard let format = LevelsFormat(named: name, fileName: place) else {
            let names = LevelsFormat.allCases.map(\.rawValue)
            throw MediaError(
                .parameter, step: "plan", reason: "there is no format '\(name)'",
                advice: nearestName(to: name, in: names).map { "did you mean '\($0)'?" }
                    ?? "use one of \(names.joined(separator: ", "))")
        }
        return format
    }

    /// What is made in each of the formats. Throws a `parameter` error for an option that none of them has a use for.
    private func outputs(_ formats: [LevelsFormat]) throws(MediaError) -> [LevelsOutput] {
        if let option = picture.firstGiven, !formats.contains(where: \.isPicture) {
            throw MediaError(
                .parameter, step: "plan", reason: "--\(option) is for pictures, and none is made",
                advice: "name an output that ends with .png or .svg")
        }
        try reading.check(for: formats)
        // Of several outputs each takes what it has a use for; alone, a picture that has none says so.
        let takesMeter = picture.style == .strip || formats.allSatisfy(\.isPicture)
        var outputs: [LevelsOutput] = []
        for format in formats {
            outputs.append(
                format.isPicture
                    ? .plot(
                        picture.plot(meter: takesMeter ? reading.meter : nil), format == .png ? .png : .svg,
                        rate: reading.chosenRate, channels: reading.chosenChannels)
                    : .data(reading.encoding(format)))
        }
        return outputs
    }
}
