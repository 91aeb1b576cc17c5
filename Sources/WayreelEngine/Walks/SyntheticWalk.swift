public import WayreelCore
public import WayreelStory

/// The options of a synthetic walk.
public struct WalkOptions: Hashable, Sendable, Codable {
    /// The id of the only chapter to walk; nil for all. The contents of other chapters then count as found.
    public var chapter: String?
    /// The speed in metres a second, 0.1 ... 100.
    public var speed: Double
    /// Fixes per second, 0.01 ... 50.
    public var rate: Double
    /// The start of the walk. nil: noon of 1 June 2026 in UTC, delayed so that there is no wait for the first event
    /// that opens at certain times.
    public var start: Timestamp?
    public var sensor: SensorOptions

    public init(
        chapter: String? = nil, speed: Double = 1.4, rate: Double = 1, start: Timestamp? = nil,
        sensor: SensorOptions = SensorOptions()
    ) {
        self.chapter = chapter
        self.speed = speed
        self.rate = rate
        self.start = start
        self.sensor = sensor
    }

    /// Noon of 1 June 2026 in UTC.
    public static let defaultStart = Timestamp(milliseconds: 1_780_315_200_000)

    func check() throws(MediaError) {
        let ranges = [
            ("speed", speed, 0.1...100), ("rate", rate, 0.01...50), ("noise", sensor.noise, 0...1000),
            ("share of outliers", sensor.outliers, 0...0.5), ("dropouts' length", sensor.dropouts, 0...3600),
        ]
        for (name, value, range) in ranges where !range.contains(value) {
            throw MediaError(
                .parameter, step: .walk,
                reason: "the \(name) \(value) is not within \(range.lowerBound) to \(range.upperBound)")
        }
    }
}

/// A simulated walk through a story's events by a player who knows all answers, as a phone would record it.
///
///     let walk = try SyntheticWalk(through: story, WalkOptions(sensor: SensorOptions(noise: 8, outliers: 0.02)))
///     try OutputFile.write(Array(walk.track.gpx().utf8), to: "walk.gpx")
///
/// It begins at the first chapter's location, or 60 m before the first event. Chapters are visited in the author's
/// order, a sequence in its order, free events in a short tour; an event whose condition does not hold yet is visited
/// later. At each event the walker stays until the fixes have been inside its circle for ten seconds plus the time
/// that the event requires, waits for the event to open, for a day at most, and walks beyond the circle of an event
/// that fires on leaving. The path between events is straight.
///
/// The same story and options give the same walk.
public struct SyntheticWalk: Hashable, Sendable, Codable {
    public struct Visit: Hashable, Sendable, Codable {
        public var event: String
        public var arrival: Timestamp
        public var departure: Timestamp
        /// The time for which the fixes were inside the circle, in seconds.
        public var secondsInside: Double
    }

    /// An event that was not visited.
    public struct Omission: Hashable, Sendable, Codable {
        public var event: String
        public var reason: String
    }

    /// The recorded fixes; a segment ends where the signal is lost.
    public private(set) var track: Track
    /// The true positions of the walker.
    public private(set) var path: Track
    /// The visits in the order of the walk.
    public private(set) var visits: [Visit]
    public private(set) var omissions: [Omission]

    /// Throws a `parameter` error if there is no such chapter, there is nothing to visit, a time zone is unknown, or
    /// an option is out of its range, and a `limit` error if the walk would have more than 5 million fixes.
    public init(through story: Story, _ options: WalkOptions = WalkOptions()) throws(MediaError) {
        try options.check()
        let chapters = try story.chapters(named: options.chapter)
        let plan = WalkPlan(through: chapters)
        let start = try plan.start(of: chapters)
        let stops = try plan.events.map { (event) throws(MediaError) in (event, try OpeningHours(event)) }
        try Self.checkLength([start] + plan.events.map(\.position), options)

        var walker = Walker(at: start, options, from: options.start ?? WalkOptions.defaultStart)
        if let later = try walker.visit(stops, waiting: options.start == nil ? .begin : .stay) {
            walker = Walker(at: start, options, from: later)
            try walker.visit(stops, waiting: .stay)
        }
        track = Track(name: story.name, segments: walker.segments.filter { !$0.isEmpty })
        path = Track(name: story.name, segments: [walker.path])
        visits = walker.visits
        omissions =
            walker.omissions
            + plan.unreachable.map { Omission(event: $0.id, reason: "its condition never holds") }
    }

    private static func checkLength(_ points: [GeoPoint], _ options: WalkOptions) throws(MediaError) {
        let metres = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.geodesic(to: $1.1).distance }
        guard metres / options.speed * options.rate > Double(Walker.maxFixes) else { return }
        throw Walker.tooLong("\(Int(metres / 1000)) km are more than \(Walker.maxFixes) fixes")
    }
}

/// Walks, stays and waits, measuring at each step.
private struct Walker {
    static let maxFixes = 5_000_000
    /// Times in seconds: the stay at an event, and the longest stay and wait.
    fileprivate static let pause = 10.0
    private static let longestStay = 600.0
    private static let longestWait = 86_400.0
    private static let year = 366 * 86_400.0
    /// The number of fixes that are required to confirm a position.
    private static let sureFixes = 5.0

    /// The behaviour at an event that is not open yet.
    enum Waiting {
        case stay
        /// Stops, so that the walk can be repeated with a later start.
        case begin
    }

    private(set) var segments: [[Track.Point]] = [[]]
    private(set) var path: [Track.Point] = []
    private(set) var visits: [SyntheticWalk.Visit] = []
    private(set) var omissions: [SyntheticWalk.Omission] = []

    private let options: WalkOptions
    private let start: Timestamp
    private let interval: Double
    private var sensor: PositionSensor
    private var here: GeoPoint
    private var course = 0.0

    init(at place: GeoPoint, _ options: WalkOptions, from start: Timestamp) {
        self.options = options
        self.start = start
        interval = 1 / options.rate
        sensor = PositionSensor(options.sensor, interval: interval)
        here = GeoPoint(latitude: place.latitude, longitude: place.longitude)
    }

    static func tooLong(_ reason: String) -> MediaError {
        MediaError(
            .limit, code: .tooLong, step: .walk, reason: "the walk is too long: \(reason)",
            advice: "walk through one chapter, faster, or with fewer fixes a second")
    }

    private var now: Timestamp { start.advanced(by: Double(path.count) * interval) }

    /// Visits events in order. If it stopped at an event that is not open yet, see ``Waiting``, returns the start
    /// with which the walker would arrive when it opens.
    @discardableResult
    mutating func visit(_ stops: [(Event, OpeningHours)], waiting: Waiting) throws(MediaError) -> Timestamp? {
        try stay(seconds: 0) { _ in true }
        for (index, (event, hours)) in stops.enumerated() {
            try walk(to: event.position)
            let arrival = now
            if waiting == .begin, let opening = hours.firstMoment(from: arrival, within: Self.year), opening > arrival {
                return start.advanced(by: opening.seconds(since: arrival))
            }
            guard let opening = hours.firstMoment(from: arrival, within: Self.longestWait) else {
                omissions.append(.init(event: event.id, reason: "it does not open within a day of \(arrival)"))
                continue
            }
            while now < opening { try step(speed: 0, course: nil) }
            let seconds = event.walkersStay
            let inside = try stay(seconds: seconds) { $0 <= event.activation.radius }
            if event.activation.trigger == .exit {
                let next = stops.indices.contains(index + 1) ? stops[index + 1].0.position : nil
                try leave(event.activation.radius, towards: next)
            }
            visits.append(
                .init(event: event.id, arrival: arrival, departure: now, secondsInside: inside))
        }
        return nil
    }

    private mutating func walk(to target: GeoPoint) throws(MediaError) {
        while true {
            let line = here.geodesic(to: target)
            guard line.distance > 0 else { return }
            let length = min(line.distance, options.speed * interval)
            course = line.bearing
            here = line.distance > length ? here.moved(by: length, bearing: line.bearing) : target
            here.altitude = nil
            try step(speed: length / interval, course: course)
        }
    }

    /// Stays until the distances of the fixes from here have been right for `seconds`, or for ``longestStay``.
    /// Returns the seconds for which they were right.
    @discardableResult
    private mutating func stay(
        seconds: Double, from center: GeoPoint? = nil, _ isRight: (Double) -> Bool
    ) throws(MediaError) -> Double {
        let center = center ?? here
        let needed = max(seconds, Self.sureFixes * interval)
        var (right, stayed) = (0.0, 0.0)
        while right < needed, stayed < max(Self.longestStay, 2 * needed) {
            if let fix = try step(speed: 0, course: nil), isRight(center.geodesic(to: fix).distance) {
                right += interval
            }
            stayed += interval
        }
        return right
    }

    /// Walks out of a circle around the current position until the exit is certain by the default ``FenceRules``,
    /// whatever accuracy the fixes report.
    private mutating func leave(_ radius: Double, towards next: GeoPoint?) throws(MediaError) {
        let center = here
        let rules = FenceRules()
        let accuracy = min(max(1.2 * options.sensor.noise, rules.assumedAccuracy), rules.accuracyCap)
        let certain = rules.exitRadius(of: radius) + accuracy
        let line = next.map { center.geodesic(to: $0) }
        let bearing = line.flatMap { $0.distance > 0 ? $0.bearing : nil } ?? course
        try walk(to: center.moved(by: certain + options.sensor.noise + 10, bearing: bearing))
        try stay(seconds: 0, from: center) { $0 > certain }
    }

    /// Measures the current position, and advances the time by one fix.
    @discardableResult
    private mutating func step(speed: Double, course: Double?) throws(MediaError) -> GeoPoint? {
        guard path.count < Self.maxFixes else { throw Self.tooLong("there are more than \(Self.maxFixes) fixes") }
        let time = now
        path.append(Track.Point(here.roundedToCentimetres, timestamp: time))
        guard let measured = sensor.measure(here) else {
            if segments.last?.isEmpty == false { segments.append([]) }
            return nil
        }
        let position = measured.position.roundedToCentimetres
        segments[segments.count - 1].append(
            Track.Point(
                position, timestamp: time, accuracy: measured.accuracy, speed: speed.rounded(toMultipleOf: 0.01),
                course: course.map { $0.rounded(toMultipleOf: 0.1).asCompassDegrees }))
        return position
    }
}

extension Event {
    /// The seconds that a walker stays.
    fileprivate var walkersStay: Double { Walker.pause + (activation.dwellSeconds ?? 0) }
}

extension WalkPlan {
    /// Returns the start of the walk.
    fileprivate func start(of chapters: [Chapter]) throws(MediaError) -> GeoPoint {
        guard let first = events.first else {
            throw MediaError(.parameter, step: .walk, reason: "there is no event to walk to")
        }
        return chapters.first?.location ?? first.position.moved(by: 60, bearing: 180)
    }
}

extension Story {
    /// Returns the start of a walk, and its events in the order of the walk, see ``SyntheticWalk``. The walker stays at
    /// each for ten seconds plus the time that it requires. An event that fires on leaving is followed by two positions
    /// straight ahead: 60 m, or its radius if that is more, beyond its circle, and 20 m farther, so that it is
    /// certainly left.
    ///
    /// Throws a `parameter` error if there is no such chapter or nothing to visit.
    public func stops(chapter: String? = nil) throws(MediaError) -> [WalkStop] {
        let chapters = try chapters(named: chapter)
        let plan = WalkPlan(through: chapters)
        return plan.events.reduce(into: [WalkStop(try plan.start(of: chapters))]) { stops, event in
            let line = stops.last?.position.geodesic(to: event.position)
            stops.append(WalkStop(event.position, stay: event.walkersStay))
            guard event.activation.trigger == .exit else { return }
            let (radius, bearing) = (event.activation.radius, line?.bearing ?? 0)
            let beyond = radius + max(60, radius)
            stops += [beyond, beyond + 20].map { WalkStop(event.position.moved(by: $0, bearing: bearing)) }
        }
    }

    /// Returns the chapter of the given id, or all chapters for nil. Throws a `parameter` error if there is none.
    public func chapters(named id: String?) throws(MediaError) -> [Chapter] {
        guard let id else { return chapters }
        let ids = chapters.map(\.id)
        guard let index = ids.firstIndex(of: id) else {
            throw MediaError.unknown(
                id, among: ids, step: .story, reason: "there is no such chapter",
                list: "the story's chapters are")
        }
        return [chapters[index]]
    }
}
