import Testing
import WayreelEngine
import WayreelStory

/// A player on a plane around a point, whose fixes are given in metres.
struct PlayedWalk {
    let playback: Playback
    var state: PlaybackState
    private(set) var outcomes: [PlaybackOutcome] = []
    var explanation: Explanation
    /// The origin of east and north in metres.
    var origin = PlayedWalk.town
    var seconds = 0.0

    static let town = GeoPoint(latitude: 35.28, longitude: -120.66)
    static let start = Timestamp(milliseconds: 1_780_000_000_000)

    init(
        _ chapters: [Chapter], rules: FenceRules = FenceRules(), origin: GeoPoint = town,
        explaining event: String? = nil
    ) throws {
        playback = try Playback(chapters, rules: rules)
        state = playback.state()
        explanation = Explanation(of: event)
        self.origin = origin
    }

    /// Creates a walk in a story of one chapter with an event at the origin.
    init(
        radius: Double = 20, trigger: Activation.Trigger = .enter, dwell: Double? = nil,
        rules: FenceRules = FenceRules(), origin: GeoPoint = town
    ) throws {
        let event = Event(
            id: "here", name: "Here", position: origin,
            activation: Activation(radius: radius, trigger: trigger, dwellSeconds: dwell),
            content: .scrapbook(ScrapbookContent(items: [.text("Words"), .image(Asset(source: "a.jpg"))])))
        try self.init(
            [Chapter(id: "one", name: "One", events: [event])], rules: rules, origin: origin, explaining: "here")
    }

    var now: Timestamp { Self.start.advanced(by: seconds) }

    static func point(_ east: Double, _ north: Double, from origin: GeoPoint = town) -> GeoPoint {
        let north = origin.moved(by: abs(north), bearing: north < 0 ? 180 : 0)
        return north.moved(by: abs(east), bearing: east < 0 ? 270 : 90)
    }

    @discardableResult
    mutating func play(_ input: PlaybackInput) -> [PlaybackOutcome] {
        let brought = playback.step(input, &state, explaining: &explanation)
        outcomes += brought
        return brought
    }

    /// Adds a fix `after` seconds later.
    @discardableResult
    mutating func fix(
        _ east: Double, _ north: Double = 0, accuracy: Double? = nil, speed: Double? = nil, after pause: Double = 1
    ) -> [PlaybackOutcome] {
        seconds += pause
        return play(
            .fix(
                Fix(Self.point(east, north, from: origin), accuracy: accuracy, speed: speed, timestamp: now)))
    }

    /// Adds a fix every second along the way east from one place to another.
    mutating func walk(from: Double, to: Double, north: Double = 0, speed: Double = 1.4, every pause: Double = 1) {
        let steps = Int(abs(to - from) / (speed * pause))
        for step in 0...steps { fix(from + (to > from ? 1 : -1) * Double(step) * speed * pause, north, after: pause) }
    }

    @discardableResult
    mutating func clock(after pause: Double) -> [PlaybackOutcome] {
        seconds += pause
        return play(.clock(now))
    }

    @discardableResult
    mutating func answer(_ lockbox: String, _ text: String) -> [PlaybackOutcome] {
        seconds += 1
        return play(.answer(lockbox: lockbox, text: text, timestamp: now))
    }

    /// Returns the names of an event's outcomes: `near`, `entered`, `found`, …
    func story(of event: String = "here") -> [String] { outcomes.filter { $0.event == event }.map(\.name) }

    var found: [String] { outcomes.filter { $0.name == "found" }.compactMap(\.event) }
    func first(_ name: String) -> PlaybackOutcome? { outcomes.first { $0.name == name } }
}

extension PlaybackOutcome {
    var event: String? {
        switch kind {
        case .near(let event, _), .entered(let event, _), .dwelt(let event, _), .left(let event, _),
            .found(let event, _), .show(let event, _), .quizAnswered(let event, _, _, _, _),
            .captureKept(let event, _, _):
            event
        default: nil
        }
    }

    var place: GeoPoint? { if case .found(_, let place) = kind { place } else { nil } }
}
