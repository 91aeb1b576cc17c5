internal import Glibc
internal import Wayreel
internal import WayreelCore

/// The speed of the engine on a story of 10,000 events, compared with a plain scan and with Redis, and the cost of 10,000
/// players.
enum PlaybackCost {
    private static let fixCount = 1_000_000
    private static let playerCount = 10_000
    private static let side = 100
    private static let start = Timestamp(milliseconds: 1_780_000_000_000)

    /// `redis`: the port of a Redis server on this machine, which receives the same events and is queried for those near
    /// the same fixes.
    static func report(redis port: UInt16?) throws -> String {
        let (chapters, fixes) = (chapters, fixes)
        let positions: [GeoPoint] = chapters.flatMap(\.events).map(\.position)
        let begin = Clock.wall
        let playback = try Playback(chapters)
        let building = Clock.wall - begin
        // Measured first, so that no freed memory is reused.
        let players = players(playback, fixes)
        let (rate, steps) = walk(playback, fixes)
        let scan = scan(positions, fixes)
        let redis = port.map { askRedis(positions, fixes, port: $0, scanned: scan.near) }
        var journal = JournalContents()
        for (number, event) in chapters.flatMap(\.events).enumerated() {
            journal.found[event.id] = .init(timestamp: start.advanced(by: Double(number)), position: event.position)
        }
        let resuming = median(
            (0..<21).map { _ in seconds { precondition(playback.isDone(playback.state(resuming: journal))) } })
        let microseconds = { (seconds: Double, digits: Int) in "\((seconds * 1e6).formatted(digits)) µs" }
        return """
            ### Playback: \(positions.count.grouped) events, \(fixes.count.grouped) fixes

            \(table([
                ["", "fixes a second"], ["wayreel, with its index: all rules of the fences", rate.grouped],
                ["wayreel, \(playerCount.grouped) players in turns", players.rate.grouped],
                ["a plain scan: the distance on a sphere to each event", scan.rate.grouped],
                [
                    "redis-server, GEOSEARCH … BYRADIUS 75 m, 500 requests under way",
                    redis.map(\.grouped) ?? "not measured",
                ],
            ]))

            Wayreel's and the scan's are of one thread's processor time. Redis' are of wall time, and it has a core of \
            its own: the
            client sends requests and reads answers over loopback meanwhile. It answers which events are within 75 m, \
            the radius plus
            where an event is near, and remembers nothing of a player.

            \(table([
                ["", "takes"], ["a step, median", microseconds(percentile(50, of: steps), 2)],
                ["a step, 99 %", microseconds(percentile(99, of: steps), 2)],
                ["a step, most", microseconds(steps.max() ?? 0, 0)],
                ["what a view shows: nearest, arrows, order of prefetch", microseconds(view(chapters, fixes), 0)],
                ["the story's fences, made once", "\((building * 1000).formatted(1)) ms"],
                ["a player's state of 10,000 entries", "\((resuming * 1000).formatted(2)) ms"],
                ["memory of \(playerCount.grouped) players", "\((Double(players.bytes) / 1e6).formatted(1)) MB"],
            ]))
            """
    }

    // MARK: A town and a walk in it

    /// A town of 10 × 10 km with an event every 100 m.
    private static func place(_ east: Double, _ north: Double) -> GeoPoint {
        GeoPoint(latitude: 35.2, longitude: -120.7).moved(by: north, bearing: 0).moved(by: east, bearing: 90)
    }

    private static var chapters: [Chapter] {
        (0..<side).map { row in
            Chapter(
                id: "chapter-\(row)", name: "Street \(row)", events: (0..<side).map { column in event(row, column) })
        }
    }

    private static func event(_ row: Int, _ column: Int) -> Event {
        let condition = column % 3 == 0 && row > 0 ? Condition.not(.found(event: "event-0-0")) : nil
        return Event(
            id: "event-\(row)-\(column)", name: "Door \(column)",
            position: place(Double(column) * 100, Double(row) * 100), activation: Activation(radius: 25),
            condition: condition, content: .scrapbook(ScrapbookContent(items: [.text("Words")])))
    }

    /// Each step is a second of a walk at 1.4 m/s that turns now and then and stays in the town, with 5 m of noise: the
    /// same walk in each run.
    private static var fixes: [Fix] {
        var generator = SeededGenerator(seed: 1)
        // From 0 to 1.
        func random() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
        var (east, north, course) = (5000.0, 5000.0, 0.0)
        return (0..<fixCount).map { second in
            if random() < 0.02 { course = random() * 2 * .pi }
            (east, north) = (east + 1.4 * sin(course), north + 1.4 * cos(course))
            if !(0...9900).contains(east) || !(0...9900).contains(north) { course += .pi }
            (east, north) = (min(max(east, 0), 9900), min(max(north, 0), 9900))
            return Fix(
                place(east + 10 * random() - 5, north + 10 * random() - 5), accuracy: 5,
                timestamp: start.advanced(by: Double(second)))
        }
    }

    // MARK: Figures

    /// Players all over the town, each with a minute of fixes: the bytes that they take, and then the fixes per second.
    private static func players(_ playback: Playback, _ fixes: [Fix]) -> (bytes: Int, rate: Int) {
        let before = ProcessMemory.residentBytes(of: "self") ?? 0
        var players = (0..<playerCount).map { _ in playback.state() }
        for index in players.indices {
            let first = index * 97 % (fixes.count - 60)
            for fix in fixes[first..<first + 60] { _ = playback.step(.fix(fix), &players[index]) }
        }
        let bytes = (ProcessMemory.residentBytes(of: "self") ?? 0) - before
        let time = seconds {
            for index in players.indices {
                _ = playback.step(.fix(fixes[index * 97 % (fixes.count - 60) + 60]), &players[index])
            }
        }
        return (bytes, Int(Double(playerCount) / time))
    }

    /// One player with all fixes: the fixes per second, and in a second walk the seconds of each step.
    private static func walk(_ playback: Playback, _ fixes: [Fix]) -> (rate: Int, steps: [Double]) {
        var state = playback.state()
        var outcomes = 0
        let time = seconds { for fix in fixes { outcomes += playback.step(.fix(fix), &state).count } }
        state = playback.state()
        let steps = fixes.map { fix in
            let start = Clock.wall
            let count = playback.step(.fix(fix), &state).count
            let time = Clock.wall - start
            outcomes -= count
            return time
        }
        precondition(outcomes == 0, "two walks were not alike")
        return (Int(Double(fixes.count) / time), steps)
    }

    private static let scannedCount = 2000

    /// The distance to every event on a sphere, for each of the first fixes: the number of those near, and the fixes per
    /// second.
    private static func scan(_ positions: [GeoPoint], _ fixes: [Fix]) -> (near: Int, rate: Int) {
        var near = 0
        let time = seconds {
            for fix in fixes.prefix(scannedCount) {
                for position in positions where fix.position.distance(to: position) < 75 { near += 1 }
            }
        }
        return (near, Int(Double(scannedCount) / time))
    }

    /// The same query in Redis: fixes per second.
    private static func askRedis(_ positions: [GeoPoint], _ fixes: [Fix], port: UInt16, scanned near: Int) -> Int {
        let redis = RedisEvents(port: port)
        redis.add(positions)
        let asked = fixes.prefix(20_000).map(\.position)
        let start = Clock.wall
        let answered = redis.near(asked, radius: 75, fixesAtOnce: 500)
        let time = Clock.wall - start
        let counted = answered.prefix(scannedCount).reduce(0, +)
        precondition(abs(counted - near) * 100 <= near, "Redis found \(counted) events near, the scan \(near)")
        return Int(Double(asked.count) / time)
    }

    /// What a view needs at a fix: the nearest events, arrows and the order of prefetch, in seconds.
    private static func view(_ chapters: [Chapter], _ fixes: [Fix]) -> Double {
        let surroundings = Surroundings(of: chapters)
        let views = fixes.prefix(200)
        var shown = 0
        let time = seconds {
            for fix in views {
                shown += surroundings.nearest(3, to: fix.position, heading: 0).count
                shown += surroundings.arrows(3, beyond: 150, from: fix.position, heading: 0).count
                shown += surroundings.prefetchOrder(5, from: fix.position, course: 0).count
            }
        }
        precondition(shown > 0)
        return time / Double(views.count)
    }
}
