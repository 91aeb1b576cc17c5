internal import ArgumentParser
internal import FoundationEssentials
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore
internal import WayreelDocument
internal import WayreelStreams

/// The options of `wayreel route` for drives on roads.
struct DriveOptions: ParsableArguments {
    @Option(
        help: "The roads of a drive: an OpenStreetMap extract, .osm.pbf, .osm or .osm.gz.",
        completion: .file(extensions: ["pbf", "osm", "gz"]))
    var roads: String?

    @Option(help: "The drive: GPX; - for standard input.", completion: .file(extensions: ["gpx"]))
    var track: String?

    @Flag(help: "Read fixes from standard input, one a line, and print what is known after each as NDJSON.")
    var live = false

    @Option(help: "How far from an exit services may be, up to 50km. (default: 3km)")
    var services: Metres?

    @Option(help: "The kinds of services: gas, charging, food, lodging, with commas. (default: all)")
    var kind: ServiceKinds?

    @Option(help: "A chain, of which the next one on the road is looked for. Repeatable.")
    var chain: [String] = []

    @Option(help: "How far ahead to look, up to 500km. (default: 100km)")
    var ahead: Metres?

    @Option(help: "How many exits to tell of, 1 to 1000. (default: 100; with --live 3)")
    var exits: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The area of the roads: west,south,east,north in degrees. (default: the whole extract)",
            valueName: "w,s,e,n"))
    var bounds: String?

    @Option(
        name: [.short, .long], help: "A file for the JSON: the road of each fix, and what lies ahead.",
        completion: .file())
    var output: String?

    /// Whether none is given.
    var isEmpty: Bool {
        roads == nil && track == nil && !live && services == nil && kind == nil && chain.isEmpty && ahead == nil
            && exits == nil && bounds == nil && output == nil
    }

    func validate(json: Bool) throws {
        guard let track else { throw ValidationError("--roads needs the --track of a drive") }
        if live {
            guard track == "-" else { throw ValidationError("--live reads standard input: --track -") }
            guard !json, output == nil else {
                throw ValidationError("--live prints NDJSON; remove --json and --output")
            }
        }
        if json, output == "-" { throw ValidationError("--json and --output - both write to standard output") }
        guard services.map({ $0.value <= 50_000 }) ?? true else {
            throw ValidationError("--services takes a distance up to 50km")
        }
        guard ahead.map({ $0.value <= 500_000 }) ?? true else {
            throw ValidationError("--ahead takes a distance up to 500km")
        }
        guard exits.map({ (1...1000).contains($0) }) ?? true else {
            throw ValidationError("--exits takes a number from 1 to 1000")
        }
        do throws(MediaError) { _ = try Self.box(bounds) } catch { throw ValidationError("--bounds: \(error)") }
    }

    static func box(_ bounds: String?) throws(MediaError) -> GroundBox? {
        try bounds.map { (text) throws(MediaError) in try GroundBox(text) }
    }

    private var options: RoadAhead.Options {
        RoadAhead.Options(
            distance: ahead?.value ?? 100_000, radius: services?.value ?? 3000,
            kinds: kind?.kinds ?? Set(RoadServiceKind.allCases), chains: chain, exits: exits ?? (live ? 3 : 100),
            services: live ? 10 : 50)
    }

    func run(_ roads: String, json: Bool) throws {
        guard let track else { return }
        if let output { try OutputFile.check(output, isNoneOf: [roads, track]) }
        let recorded = live ? nil : try Track.readingDamaged(track)
        let graph = try RoadGraph.reading(roads, bounds)
        guard let recorded else { return try runLive(graph) }
        let drive: RoadDrive
        do throws(MediaError) {
            drive = try RoadDrive(recorded, on: graph, options, cancellation: Interrupt.cancellation)
        } catch { throw error.naming(track == "-" ? "standard input" : track) }
        if let output { try Console.deliver(JSON.encode(drive), to: output) }
        if json {
            try Console.output(JSON.text(drive))
        } else if output != "-" {
            try Console.output(DrivePage(drive).text)
        }
    }

    /// Reads fixes from standard input as they arrive. Throws `ExitReason.failed` at the end if a line was wrong.
    private func runLive(_ graph: RoadGraph) throws {
        let lines = try LineReader("-", maxLineBytes: 1 << 16, cancellation: Interrupt.cancellation)
        var drive = RoadLive(graph, options)
        var isBroken = false
        try Console.outputLine(RoadLive.Head())
        while true {
            do throws(MediaError) {
                guard let line = try lines.next() else { break }
                guard let input = try LiveFix(line, of: lines) else { continue }
                let update: RoadLive.Update
                switch input {
                case .fix(let fix): update = drive.add(fix)
                case .lost: update = drive.finish()
                }
                try Console.outputLine(update)
            } catch {
                guard error.kind == .decoding || error.kind == .limit else { throw error }
                Console.error("error: \(error.withFlags)")
                isBroken = true
            }
        }
        let rest = drive.finish()
        if !rest.settled.isEmpty { try Console.outputLine(rest) }
        if isBroken { throw ExitReason.failed }
    }
}

/// A line of standard input: what a receiver says.
private enum LiveFix {
    case fix(Fix)
    case lost

    /// Returns nil for a blank line, and for a sentence of NMEA without a position. Throws a `decoding` error for a line
    /// that makes no sense.
    init?(_ line: ArraySlice<UInt8>, of lines: LineReader) throws(MediaError) {
        guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
        if first == UInt8(ascii: "$") {
            let text = String(decoding: line, as: UTF8.self)
            guard let sentence = NMEASentence(text) else {
                throw lines.fault("is no sentence of NMEA 0183 with a right checksum")
            }
            guard let fix = sentence.fix else { return nil }
            self = .fix(fix)
            return
        }
        let input: PlaybackInput
        do { input = try JSONDecoder().decode(PlaybackInput.self, from: Data(line)) } catch {
            throw lines.fault((error as? DecodingError)?.reason ?? "\(error)")
        }
        switch input {
        case .fix(let fix):
            if let fault = fix.fault { throw lines.fault(fault) }
            self = .fix(fix)
        case .signalLost: self = .lost
        default: throw lines.fault("is neither a fix nor lost")
        }
    }
}

extension Console {
    /// Prints a value as one line of JSON.
    fileprivate static func outputLine(_ value: some Encodable) throws(MediaError) {
        let bytes = try CanonicalJSON.bytes(value)
        try OutputFile.writeToStandardOutput(bytes + [UInt8(ascii: "\n")])
    }
}

extension RoadGraph {
    /// Reads an extract, and prints what is damaged and left out.
    static func reading(_ path: String, _ bounds: String?) throws(MediaError) -> RoadGraph {
        let graph = try read(path: path, box: DriveOptions.box(bounds), cancellation: Interrupt.cancellation)
        for warning in graph.warnings { Console.error("warning: \(path): \(warning)".onOneLine) }
        return graph
    }
}

/// `gas,food`
struct ServiceKinds: ExpressibleByArgument {
    let kinds: Set<RoadServiceKind>

    init?(argument: String) {
        if argument == "all" {
            kinds = Set(RoadServiceKind.allCases)
            return
        }
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map {
            RoadServiceKind(rawValue: $0.trimmed())
        }
        guard !parts.contains(nil) else { return nil }
        kinds = Set(parts.compactMap(\.self))
    }
}
