// The speed of the engine on a story of 10,000 events, compared with a plain scan, and the cost of 10,000 players.
// Prints JSON.
//
//     PlaybackBench [FIXES [PORT]]
//
// PORT is the port of a Redis server on this machine, which receives the same events and is queried for those near the
// same fixes.

internal import Glibc
internal import Wayreel
internal import WayreelCore

let fixCount = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
let redisPort = CommandLine.arguments.dropFirst(2).first.flatMap { UInt16($0) }
let playerCount = 10_000
let side = 100

/// A town of 10 × 10 km with an event every 100 m.
let corner = GeoPoint(latitude: 35.2, longitude: -120.7)
func place(_ east: Double, _ north: Double) -> GeoPoint {
    corner.moved(by: north, bearing: 0).moved(by: east, bearing: 90)
}
func event(_ row: Int, _ column: Int) -> Event {
    let condition = column % 3 == 0 && row > 0 ? Condition.not(.found(event: "event-0-0")) : nil
    return Event(
        id: "event-\(row)-\(column)", name: "Door \(column)", position: place(Double(column) * 100, Double(row) * 100),
        activation: Activation(radius: 25), condition: condition,
        content: .scrapbook(ScrapbookContent(items: [.text("Words")])))
}
let chapters = (0..<side).map { row in
    Chapter(id: "chapter-\(row)", name: "Street \(row)", events: (0..<side).map { column in event(row, column) })
}

/// Random numbers from 0 to 1 (xorshift64): the same walk in each run.
struct Random {
    private var seed: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> Double {
        seed ^= seed << 13
        seed ^= seed >> 7
        seed ^= seed << 17
        return Double(seed >> 11) / Double(1 << 53)
    }
}

let start = Timestamp(milliseconds: 1_780_000_000_000)
/// Each step is a second of a walk at 1.4 m/s that turns now and then and stays in the town, with 5 m of noise.
var random = Random()
var (east, north, course) = (5000.0, 5000.0, 0.0)
let fixes: [Fix] = (0..<fixCount).map { second in
    if random.next() < 0.02 { course = random.next() * 2 * .pi }
    (east, north) = (east + 1.4 * sin(course), north + 1.4 * cos(course))
    if !(0...9900).contains(east) || !(0...9900).contains(north) { course += .pi }
    (east, north) = (min(max(east, 0), 9900), min(max(north, 0), 9900))
    return Fix(
        place(east + 10 * random.next() - 5, north + 10 * random.next() - 5), accuracy: 5,
        timestamp: start.advanced(by: Double(second)))
}

/// Returns CPU seconds, which other processes hardly affect.
func seconds(_ work: () -> Void) -> Double {
    let start = Clock.thread
    work()
    return Clock.thread - start
}

func residentBytes() -> Int { ProcessMemory.residentBytes(of: "self") ?? 0 }

let building = Clock.wall
let playback = try Playback(chapters)
let buildSeconds = Clock.wall - building

// Players all over the town, each with a minute of fixes. Measured first, so that no freed memory is reused.
let before = residentBytes()
var players = (0..<playerCount).map { _ in playback.state() }
for index in players.indices {
    let first = index * 97 % max(1, fixes.count - 60)
    for fix in fixes[first..<min(first + 60, fixes.count)] { _ = playback.step(.fix(fix), &players[index]) }
}
let bytes = residentBytes() - before
let crowd = seconds {
    for index in players.indices {
        let next = min(index * 97 % max(1, fixes.count - 60) + 60, fixes.count - 1)
        _ = playback.step(.fix(fixes[next]), &players[index])
    }
}

// One player with all fixes.
var state = playback.state()
var outcomes = 0
let indexed = seconds { for fix in fixes { outcomes += playback.step(.fix(fix), &state).count } }

// The same fixes, timing each step separately.
state = playback.state()
var steps: [Double] = []
steps.reserveCapacity(fixes.count)
for fix in fixes {
    let start = Clock.wall
    let count = playback.step(.fix(fix), &state).count
    steps.append(Clock.wall - start)
    outcomes -= count
}
precondition(outcomes == 0, "two walks were not alike")
steps.sort()

// The distance to every event on a sphere, for each fix.
let positions: [GeoPoint] = chapters.flatMap(\.events).map(\.position)
let scanned = fixes.prefix(2000)
var near = 0
let scan = seconds {
    for fix in scanned { for position in positions where fix.position.distance(to: position) < 75 { near += 1 } }
}

// The same query in Redis.
var redisRate = "null"
if let redisPort {
    let redis = RedisEvents(port: redisPort)
    redis.add(positions)
    let asked = fixes.prefix(20_000)
    let start = Clock.wall
    let answered = redis.near(asked.map(\.position), radius: 75, fixesAtOnce: 500)
    redisRate = "\(Int(Double(asked.count) / (Clock.wall - start)))"
    let counted = answered.prefix(scanned.count).reduce(0, +)
    precondition(abs(counted - near) * 100 <= near, "Redis found \(counted) events near, the scan \(near)")
}

// The data that a view needs at a fix: the nearest events, arrows and the order of prefetch.
let surroundings = Surroundings(of: chapters)
let views = fixes.prefix(200)
var shown = 0
let viewing = seconds {
    for fix in views {
        shown += surroundings.nearest(3, to: fix.position, heading: 0).count
        shown += surroundings.arrows(3, beyond: 150, from: fix.position, heading: 0).count
        shown += surroundings.prefetchOrder(5, from: fix.position, course: 0).count
    }
}
precondition(shown > 0)

// A journal of 10,000 entries.
var journal = JournalContents()
for (number, event) in chapters.flatMap(\.events).enumerated() {
    journal.found[event.id] = .init(timestamp: start.advanced(by: Double(number)), position: event.position)
}
var resuming: [Double] = []
for _ in 0..<21 { resuming.append(seconds { precondition(playback.isDone(playback.state(resuming: journal))) }) }
resuming.sort()

print(
    """
    {
      "events": \(positions.count), "fixes": \(fixes.count), "near": \(near),
      "fixes_per_second": \(Int(Double(fixes.count) / indexed)),
      "fixes_per_second_plain_scan": \(Int(Double(scanned.count) / scan)),
      "fixes_per_second_redis": \(redisRate),
      "surroundings_us": \(viewing / Double(views.count) * 1e6),
      "step_us": {"median": \(steps[steps.count / 2] * 1e6), "p99": \(steps[steps.count * 99 / 100] * 1e6), \
    "max": \((steps.last ?? 0) * 1e6)},
      "fixes_per_second_of_\(playerCount)_players": \(Int(Double(playerCount) / crowd)),
      "bytes_of_\(playerCount)_players": \(bytes),
      "build_ms": \(buildSeconds * 1000), "resume_10000_entries_ms": \(resuming[resuming.count / 2] * 1000)
    }
    """)
