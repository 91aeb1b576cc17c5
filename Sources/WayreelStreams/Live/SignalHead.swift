internal import WayreelCore

/// What a live stream says about itself, as its viewers learn it.
package struct SignalHead: Sendable {
    package var title: String?
    package var credit: String?
    package var notation = SensorTime.Notation.seconds
    /// The time from which seconds are counted: that of the first sample; nil before it.
    package var origin: SensorTime?
    package var channels: [SensorChannel] = []
    /// The length of a recording in seconds, if it is known.
    package var duration: Double?
    /// Whether it is measured now, and no recording.
    package var isLive = true
    /// Whether the samples are being written to a recording.
    package var isRecording = false
    /// Whether marks are saved.
    package var keepsMarks = false

    package init() {}
}

/// The state of a recording that is played.
package struct PlayState: Hashable, Sendable {
    package var isPlaying = true
    package var speed = SensorReplay.Speed.times(1)
    /// The seconds from the origin at which it plays, as of when it was told.
    package var position = 0.0

    package init(speed: SensorReplay.Speed = .times(1)) { self.speed = speed }
}

/// The marks of a live stream, and the removals of some, in their order: each viewer has learnt them up to a place.
struct SignalMarks: Sendable {
    /// A mark, or the removal of one.
    enum Event: Sendable {
        case added(Int, SensorMark)
        case removed(Int)
    }

    private let (limit, textLimit): (Int, Int)
    private var events: [Event] = []
    private var (lastID, textBytes) = (0, 0)

    /// The bytes of marks that a viewer gets at once, and those of one beside its text.
    private static let (bytes, overhead) = (16 << 10, 100)

    /// The most events, and the most bytes of the texts of marks.
    init(limit: Int, textLimit: Int) { (self.limit, self.textLimit) = (limit, textLimit) }

    var count: Int { events.count }

    /// Adds a mark; returns its id, or nil if there are too many.
    mutating func add(_ mark: SensorMark) -> Int? {
        guard events.count < limit, mark.textBytes <= textLimit - textBytes else { return nil }
        lastID += 1
        textBytes += mark.textBytes
        events.append(.added(lastID, mark))
        return lastID
    }

    /// The mark of an id; nil if there is none, or if it was removed.
    func mark(_ id: Int) -> SensorMark? {
        var found: SensorMark?
        for event in events {
            switch event {
            case .added(id, let mark): found = mark
            case .removed(id): found = nil
            default: break
            }
        }
        return found
    }

    /// Removes a mark; returns false if there is none, or if there were too many changes.
    mutating func remove(_ id: Int) -> Bool {
        guard mark(id) != nil, events.count < limit else { return false }
        events.append(.removed(id))
        return true
    }

    /// Returns the next events, and moves `place` behind them. Few at a time: a viewer that does not read leaves the others
    /// where they are.
    func next(_ place: inout Int) -> ArraySlice<Event> {
        let start = place
        var size = 0
        while place < events.count, size < Self.bytes {
            size += Self.overhead
            if case .added(_, let mark) = events[place] { size += mark.text.utf8.count }
            place += 1
        }
        return events[start..<place]
    }
}
