internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

struct WalkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "walk",
        abstract: "Makes a walk through a story's events, as a phone would record it, or moves a real one there.",
        discussion: """
            wayreel walk story.xml -o walk.gpx
            wayreel walk story.xml --chapter the-round -o walk.gpx --noise 8m --outliers 2% --dropouts 30s --seed 1
            wayreel walk bundle/ -o walk.gpx --speed 4 --rate 0.2 --start 2026-11-22T18:00:00-08:00

            The walker knows all answers, goes straight from event to event, stays at each for ten seconds or as long as it asks for, waits
            until it opens, and walks on beyond the circle of an event that fires there. Positions are off by an error that wanders, as that
            of satellites does. The same seed gives the same walk.

            wayreel walk story.xml --track real.gpx -o walk.gpx                        # scaled and bent so that it passes every event
            wayreel walk --track real.gpx --move-to 35.28,-120.66 --rotate 30 -o walk.gpx

            A real track keeps its pauses, gaps and errors. Where it is bent to a story, its times stretch with its way, so that it is no
            faster than it was, nor than a walker, and it rests at each event as the walker above; --keep-times leaves them, --speed gives
            others. Events that a player who knows all answers does not find on the walk are named.
            """)

    @Argument(help: "A prepared bundle, or a story's document: .xml, .yml or .yaml.", completion: .file())
    var story: String?

    @Option(name: [.short, .long], help: "The track to write: GPX; - for standard output.", completion: .file())
    var output: String

    @Option(help: "Walk through this chapter only. What other chapters hold counts as found.")
    var chapter: String?

    @Option(help: "The walker's speed in metres a second, 0.1 to 100. (default: 1.4)")
    var speed: Double?

    @Option(help: "Fixes a second, 0.01 to 50. (default: 1)")
    var rate: Double?

    @Option(
        help:
            "When the walk begins: 2026-11-22T10:00:00-08:00. (default: so that nobody waits for the first event that opens at certain times)"
    )
    var start: Timestamp?

    @Option(help: "The radius that 95 % of the fixes are within, up to 1000m, which they also report. (default: 0m)")
    var noise: Metres?

    @Option(help: "The share of fixes that jump 50 to 300 m away, up to 50%. (default: 0%)")
    var outliers: Share?

    @Option(help: "For how long the signal is lost, once in five minutes or so, up to an hour. (default: never)")
    var dropouts: Seconds?

    @Option(help: "A number; each gives other errors. (default: 1)")
    var seed: UInt64?

    @Option(help: "A real track to move instead: GPX; - for standard input.", completion: .file(extensions: ["gpx"]))
    var track: String?

    @Option(parsing: .unconditional, help: "Where the track's first point comes to lie: latitude,longitude.")
    var moveTo: Place?

    @Option(parsing: .unconditional, help: "Degrees by which the track is turned clockwise. (default: 0)")
    var rotate: Double?

    @Option(help: "A factor for the track's distances, 0.001 to 1000. (default: 1)")
    var scale: Double?

    @Flag(help: "Leave the times of a --track that is bent to a story as they are, however fast that makes it.")
    var keepTimes = false

    @Flag(help: "Print JSON: the visits, and what was left out.")
    var json = false

    func validate() throws {
        if json, output == "-" { throw ValidationError("--json and --output - both write to standard output") }
        if track == nil {
            guard story != nil else { throw ValidationError("name a story, or a --track with --move-to") }
            guard moveTo == nil, rotate == nil, scale == nil, !keepTimes else {
                throw ValidationError("--move-to, --rotate, --scale and --keep-times need a --track")
            }
        } else {
            guard noise == nil, outliers == nil, dropouts == nil, seed == nil, rate == nil else {
                throw ValidationError(
                    "a --track has errors of its own: leave out --noise, --outliers, --dropouts, --seed and --rate")
            }
            guard (story == nil) != (moveTo == nil) else {
                throw ValidationError("give either a story or --move-to: where the --track comes to lie")
            }
            guard moveTo != nil || rotate == nil && scale == nil else {
                throw ValidationError(
                    "--rotate and --scale need --move-to: a story decides itself how the --track lies")
            }
            guard chapter == nil || story != nil else { throw ValidationError("--chapter needs a story") }
            guard !keepTimes || story != nil && speed == nil else {
                throw ValidationError(
                    "--keep-times needs a story, and no --speed: --move-to leaves a --track's times as they are")
            }
            guard speed.map({ (0.1...100).contains($0) }) ?? true else {
                throw ValidationError("--speed takes a number from 0.1 to 100")
            }
        }
    }

    func run() throws {
        try OutputFile.check(output, isNoneOf: [story, track].compactMap(\.self))
        if let track { try move(track) } else { try walk() }
    }

    private func walk() throws {
        guard let path = story else { return }
        let story = try Story.opening(path)
        let options = WalkOptions(
            chapter: chapter, speed: speed ?? 1.4, rate: rate ?? 1, start: start,
            sensor: SensorOptions(
                noise: noise?.value ?? 0, outliers: outliers?.value ?? 0, dropouts: dropouts?.value ?? 0,
                seed: seed ?? 1))
        let walk: SyntheticWalk
        do throws(MediaError) { walk = try SyntheticWalk(through: story, options) } catch {
            throw error.naming(path)
        }
        try Console.deliver(Array(walk.track.gpx().utf8), to: output)
        for omission in walk.omissions {
            Console.error("warning: event '\(omission.event)': \(omission.reason)".onOneLine)
        }
        let omitted = Set(walk.omissions.map(\.event))
        let misses = try Rehearsal(of: walk.track, through: story, chapter: chapter).misses
        warn(misses.filter { !omitted.contains($0.event.id) })
        let findings = Findings(walk)
        if json {
            try Console.output(JSON.text(findings))
        } else if output != "-" {
            Console.error(
                "→ \(output.onOneLine)  \(findings.fixes) fixes, \(walk.visits.count.counted("event")), \(findings.start) to \(findings.end)"
            )
        }
    }

    private func move(_ path: String) throws {
        let recorded = try Track.readingDamaged(path)
        let hasTimes = recorded.points.allSatisfy { $0.timestamp != nil }
        var real = recorded
        if let story {
            guard hasTimes || !keepTimes else {
                throw ErrorSite(.parameter, step: .move)(
                    of: path, "there are points without a time to keep", "leave out --keep-times")
            }
            let times = keepTimes ? .original : speed.map { BentTimes.steady(speed: $0) } ?? .walking
            let stops: [WalkStop]
            let opened = try Story.opening(story)
            do throws(MediaError) { stops = try opened.stops(chapter: chapter) } catch { throw error.naming(story) }
            do throws(MediaError) { real = try recorded.bent(through: stops, times: times) } catch {
                throw error.naming(path)
            }
            if let start { real = real.starting(at: start) }
            var rehearsal = try Rehearsal(of: real, through: opened, chapter: chapter)
            // A track without times begins when the events are open, as a synthetic walk does.
            if !hasTimes, start == nil, let first = real.points.first?.timestamp, let delay = try rehearsal.delay() {
                let later = real.starting(at: first.advanced(by: delay))
                let second = try Rehearsal(of: later, through: opened, chapter: chapter)
                if second.misses.count < rehearsal.misses.count { (real, rehearsal) = (later, second) }
            }
            warn(rehearsal.misses)
        } else if let moveTo {
            let placement = TrackPlacement(start: moveTo.point, rotation: rotate ?? 0, scale: scale ?? 1)
            real = try recorded.moved(to: placement)
            if speed != nil || !hasTimes {
                let start = recorded.points.lazy.compactMap(\.timestamp).first
                real = real.timed(from: start ?? WalkOptions.defaultStart, speed: speed ?? 1.4)
            }
        }
        if story == nil, let start { real = real.starting(at: start) }
        if !keepTimes, speed == nil { warnOfNewTimes(recorded, path, isBent: story != nil) }
        try Console.deliver(Array(real.gpx().utf8), to: output)
        let moved = Moved(real)
        if json {
            try Console.output(JSON.text(moved))
        } else if output != "-" {
            let times = [moved.start, moved.end].compactMap { $0?.description }.joined(separator: " to ")
            Console.error("→ \(output.onOneLine)  \(moved.fixes) fixes, \(times)")
        }
    }

    /// Warns if the track's own times cannot be used, so that it gets those of a walk.
    private func warnOfNewTimes(_ track: Track, _ path: String, isBent: Bool) {
        let times = track.points.map(\.timestamp)
        let missing = times.count { $0 == nil }
        let isConstant = isBent && missing == 0 && times.first == times.last
        guard missing > 0 || isConstant else { return }
        let reason =
            isConstant ? "its time does not advance" : "\(missing) of \(times.count.counted("point")) have no time"
        Console.error("warning: \(path): \(reason), so all points get the times of a walk at 1.4 m/s".onOneLine)
    }

    /// Warns of events that a player who knows all answers does not find on the walk.
    private func warn(_ misses: [Rehearsal.Miss]) {
        guard let clock = LocalClock("UTC") else { return }
        for miss in misses.prefix(Self.shownWarnings) {
            Console.error(
                "warning: event '\(miss.event.id)' is not found: \(MissReason(clock: clock).text(miss))".onOneLine)
        }
        guard misses.count > Self.shownWarnings else { return }
        Console.error(
            "warning: \(misses.count - Self.shownWarnings) more events are not found; 'wayreel play' lists them")
    }

    private static let shownWarnings = 20

    private struct Findings: Encodable {
        var fixes: Int
        var start: Timestamp
        var end: Timestamp
        var visits: [SyntheticWalk.Visit]
        var omissions: [SyntheticWalk.Omission]

        init(_ walk: SyntheticWalk) {
            fixes = walk.track.points.count
            let times = walk.path.points.compactMap(\.timestamp)
            start = times.first ?? WalkOptions.defaultStart
            end = times.last ?? start
            visits = walk.visits
            omissions = walk.omissions
        }
    }

    private struct Moved: Encodable {
        var fixes: Int
        var start: Timestamp?
        var end: Timestamp?

        init(_ track: Track) {
            let times = track.points.map(\.timestamp)
            (fixes, start, end) = (times.count, times.first ?? nil, times.last ?? nil)
        }
    }
}
