internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

struct StreamsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streams",
        abstract: "Replays, filters, draws, views and converts recordings of sensors: positions, headings, levels.",
        discussion: """
            wayreel streams show walk.ndjson
            wayreel streams replay walk.ndjson --speed 10 --filter heading:smooth=0.5s --filter accuracy:max=50 -o out.ndjson
            wayreel streams plot walk.ndjson -o walk.svg --stream accuracy --stream heading.degrees:unit=°
            wayreel streams view walk.ndjson
            wayreel streams record --stream levels=microphone.wav --stream gps=tcp://192.168.0.7:5555 -o walk.ndjson
            wayreel streams convert night.edf -o night.csv --from 10s --for 30s
            wayreel streams filters smooth

            A recording is a file of EDF, WFDB, DICOM, GPX, Sensor Logger, phyphox (also the ZIP archive or the folder of an export) or a
            table with a column for each channel; NDJSON, with
            {"time": …, "stream": "heading", "values": {"degrees": 271.5}} in each line; or CSV with a header time,stream,degrees,…
            Times are dates as 2026-11-23T17:05:09.250Z or numbers of seconds.
            """,
        subcommands: [
            StreamsReplayCommand.self, StreamsShowCommand.self, StreamsPlotCommand.self, StreamsViewCommand.self,
            StreamsRecordCommand.self, StreamsConvertCommand.self, StreamsFiltersCommand.self,
        ])
}

struct StreamsReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Plays a recording at its own speed, or faster, through filters.",
        discussion: """
            wayreel streams replay walk.ndjson
            wayreel streams replay walk.ndjson --speed 10 --filter heading:smooth=0.5s --filter accuracy:max=50 -o out.ndjson
            wayreel streams replay walk.csv --speed max --filter position:median=5 -o smooth.csv
            recorder | wayreel streams replay - --speed max --filter heading:gyro=rotation.z | viewer
            recorder | wayreel streams replay - --speed max --filter ecg:notch=50 --filter ecg.ii:peaks=200ms | viewer

            --filter takes a target and a filter: a stream (heading), which means all of its components but accuracy; a component of
            any stream (accuracy); or stream.component (position.accuracy). 'wayreel streams filters' lists the filters.

            Every sample is delivered, the overdue at once; one whose time goes backwards is overdue.
            """)

    @Argument(
        help: "The recording, of a format that streams.md lists; - for standard input.",
        completion: .file())
    var recording: String

    @Option(help: "How many times as fast as it was recorded, 0.001 to 1000000; max: as fast as it can be read.")
    var speed = "1"

    @Option(
        help: ArgumentHelp("A filter, as in heading:smooth=0.5s. Repeatable; applied in order.", valueName: "filter"),
        completion: .custom { _, _, _ in SensorFilterCatalog.all.map(\.example) })
    var filter: [String] = []

    @Option(
        name: [.short, .long],
        help:
            "A file that ends in .ndjson, .jsonl or .csv, complete or absent; - for NDJSON on standard output, at once.",
        completion: .file())
    var output = "-"

    @OptionGroup var damage: DamageOptions

    @Flag(help: "Print how late samples were, and the timer itself, on standard error.")
    var statistics = false

    @Flag(help: "Print the statistics as JSON on standard error.")
    var json = false

    func validate() throws {
        guard SensorReplay.Speed(speed) != nil else {
            throw ValidationError("--speed takes a number from 0.001 to 1000000, or max")
        }
        guard SensorFormat(path: output) != nil else {
            throw ValidationError("--output takes a file that ends in .ndjson, .jsonl or .csv, or -")
        }
        if json, !statistics { throw ValidationError("--json needs --statistics") }
    }

    func run() throws {
        guard let speed = SensorReplay.Speed(speed), let format = SensorFormat(path: output) else { return }
        let filters = try SensorFilterChain(filter.map { (text) throws(MediaError) in try SensorFilter(parsing: text) })
        try OutputFile.check(output, isNoneOf: [recording])
        let writer = SensorWriter(format, components: try format == .csv ? components(filters) : [])
        let warnings = DamageWarnings()
        defer { warnings.finish() }
        let reader = try SensorReader(
            recording, cancellation: Interrupt.cancellation, onDamage: warnings.handler(damage.skipDamaged))
        let sink = try AtomicOutput(output)
        if let header = writer.header { try sink.write("\(header)\n") }
        let found = try SensorReplay(speed: speed, filters: filters).run(
            reader, flush: { () throws(MediaError) in try sink.flush() },
            deliver: { (sample, notation) throws(MediaError) in try sink.write("\(writer.line(sample, notation))\n") })
        try sink.finish()
        for target in found.unknownTargets {
            Console.error("warning: the recording has no '\(target)': a --filter has done nothing".onOneLine)
        }
        if statistics { Console.error(json ? try JSON.text(found) : Self.page(found)) }
    }

    /// Returns the columns of the output: the components of the whole recording, and those that filters add.
    private func components(_ filters: SensorFilterChain) throws -> [String] {
        guard recording != "-" else {
            throw ErrorSite(.parameter, step: .write)(
                of: output,
                "CSV begins with the names of all components, which are only known at the end of standard input",
                "write .ndjson, or replay a file")
        }
        let reader = try SensorReader(
            recording, cancellation: Interrupt.cancellation, onDamage: damage.skipDamaged ? { _ in } : nil)
        return try Set(SensorSummary(reader).components + filters.addedComponents).sorted()
    }

    private static func page(_ found: SensorReplay.Statistics) -> String {
        var lines = ["\(found.read) samples read, \(found.delivered) delivered, \(found.dropped) dropped by filters"]
        for (name, lateness) in [
            ("late by", found.lateness), ("  of which the timer", found.timer), ("  after the timer", found.afterTimer),
        ] {
            guard let p50 = lateness.quantile(0.5), let p99 = lateness.quantile(0.99) else { continue }
            lines.append(
                "\(name) p50 \(p50.asMilliseconds), p99 \(p99.asMilliseconds), max \(lateness.maximum.asMilliseconds)")
        }
        return lines.joined(separator: "\n")
    }
}

struct StreamsShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows what a recording holds: its streams, their rates, gaps and ranges.",
        discussion: """
            wayreel streams show walk.ndjson
            wayreel streams show walk.csv --json
            """)

    @Argument(
        help: "The recording, of a format that streams.md lists; - for standard input.",
        completion: .file())
    var recording: String

    @OptionGroup var damage: DamageOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let warnings = DamageWarnings()
        defer { warnings.finish() }
        let reader = try SensorReader(
            recording, cancellation: Interrupt.cancellation, onDamage: warnings.handler(damage.skipDamaged))
        let found = try SensorSummary(reader)
        try Console.output(json ? JSON.text(found) : Self.page(found))
    }

    /// A rate with a decimal, and one below 1 with four digits: `250 /s`, `0.001667 /s`.
    private static func text(rate: Double) -> String {
        "\((rate < 1 ? rate.rounded(digits: 4) : rate.rounded(places: 1)).shortDescription) /s"
    }

    private static func page(_ found: SensorSummary) -> String {
        var rows = [["stream", "samples", "rate", "longest gap", "out of order", "same time", "values"]]
        for (name, stream) in found.streams.sorted(by: { $0.key < $1.key }) {
            let values = stream.components.sorted { $0.key < $1.key }.map { name, component in
                // More digits are the remains of binary fractions.
                let ends = [component.minimum, component.maximum].map { $0.rounded(digits: 10).shortDescription }
                return "\(name) \(ends[0]) to \(ends[1])" + (component.unit.map { " \($0)" } ?? "")
            }
            rows.append([
                name, "\(stream.samples)", stream.rate.map(Self.text(rate:)) ?? "-",
                "\(stream.longestGap.inThousandths) s", "\(stream.outOfOrder)", "\(stream.repeatedTimes)",
                values.joined(separator: ", "),
            ])
        }
        let skipped = found.skipped > 0 ? ", \(found.skipped.counted("damaged line")) left out" : ""
        let head =
            "\(found.samples) samples of \(found.streams.count.counted("stream")) in \(found.seconds.inThousandths) s\(skipped)"
        var page = found.streams.isEmpty ? head : "\(head)\n\(TextColumns.aligned(rows))"
        for (name, text) in [("title", found.title), ("credit", found.credit)] {
            if let text { page += "\n\(name): \(text.onOneLine)" }
        }
        if !found.marks.isEmpty { page += "\n\(found.marks.count.counted("mark"))" }
        for mark in found.marks.prefix(20) {
            let parts = [
                mark.time, mark.seconds > 0 ? "\(mark.seconds.inThousandths) s" : nil, mark.channel, mark.text,
            ]
            page += "\n    \(parts.compactMap(\.self).joined(separator: "  ").onOneLine)"
        }
        return found.marks.count > 20 ? "\(page)\n    …" : page
    }
}

struct StreamsFiltersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filters",
        abstract: "Lists the filters of sensor samples, or describes one.",
        discussion: """
            wayreel streams filters
            wayreel streams filters smooth
            wayreel streams filters lowpass
            wayreel streams filters gyro --json
            """)

    @Argument(help: "A filter name: smooth.", completion: .list(SensorFilterCatalog.all.map(\.name)))
    var name: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let filters = try name.map { [try SensorFilterCatalog.requireDescriptor(named: $0)] } ?? SensorFilterCatalog.all
        if json {
            try Console.output(JSON.text(filters.map(Entry.init)))
        } else {
            try Console.output(filters.map { Self.page($0, whole: name != nil) }.joined(separator: "\n"))
        }
    }

    private static func page(_ filter: SensorFilterDescriptor, whole: Bool) -> String {
        var lines = ["\(filter.name): \(filter.summary)"]
        for parameter in filter.parameters {
            let value = parameter.defaultValue.map { "default \($0)" } ?? "required"
            lines.append("    \(parameter.key)  \(parameter.expectation), \(value): \(parameter.summary)")
        }
        if whole { lines += ["    example: \(filter.example)", "    formula: \(filter.source)"] }
        return lines.joined(separator: "\n")
    }

    private struct Entry: Encodable {
        struct Parameter: Encodable {
            var key: String
            var kind: SensorFilterParameter.Kind
            var unit: String?
            var minimum: Double?
            var maximum: Double?
            var `default`: String?
            var summary: String
        }

        var name: String
        var summary: String
        var source: String
        var example: String
        var parameters: [Parameter]

        init(_ filter: SensorFilterDescriptor) {
            (name, summary, source, example) = (filter.name, filter.summary, filter.source, filter.example)
            parameters = filter.parameters.map {
                Parameter(
                    key: $0.key, kind: $0.kind, unit: $0.unit.isEmpty ? nil : $0.unit, minimum: $0.range?.lowerBound,
                    maximum: $0.range?.upperBound, default: $0.defaultValue, summary: $0.summary)
            }
        }
    }
}

extension Double {
    fileprivate var inThousandths: String { rounded(places: 3).shortDescription }
    fileprivate var asMilliseconds: String { "\((self * 1000).inThousandths) ms" }
}
