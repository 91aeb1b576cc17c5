internal import Glibc
public import WayreelStory

/// Everything that a player has found and done in one story.
///
/// ``merging(_:)`` of the contents of two devices has the same result in any order, however often it is repeated. Of two
/// records of the same thing, the earlier one is kept. What a player deletes leaves a mark, so that the entries which
/// other devices still hold do not return: the ids of ``removed`` captures, and the time up to which everything is
/// ``erased``.
public struct JournalContents: Hashable, Sendable {
    /// The time and position at which an event was found.
    public struct Finding: Hashable, Sendable {
        public var timestamp: Timestamp
        public var position: GeoPoint?

        public init(timestamp: Timestamp, position: GeoPoint? = nil) {
            self.timestamp = timestamp
            self.position = position
        }
    }

    /// An answer to a lockbox, right or wrong.
    public struct Attempt: Sendable, Codable {
        public var lockbox: String
        public var text: String
        public var timestamp: Timestamp

        package enum CodingKeys: CodingKey, CaseIterable { case lockbox, text, timestamp }

        public init(lockbox: String, text: String, timestamp: Timestamp) {
            self.lockbox = lockbox
            self.text = text
            self.timestamp = timestamp
        }
    }

    /// A question of a quiz event.
    public struct Question: Sendable {
        public var event: String
        /// The index of the question, counted from 0.
        public var index: Int

        public init(event: String, index: Int) {
            self.event = event
            self.index = index
        }
    }

    /// The first answer to a question of a quiz.
    public struct Score: Hashable, Sendable {
        public var choices: [Int]
        public var points: Int
        public var timestamp: Timestamp

        public init(choices: [Int], points: Int, timestamp: Timestamp) {
            self.choices = choices
            self.points = points
            self.timestamp = timestamp
        }
    }

    /// A capture that the player took.
    public struct Capture: Hashable, Sendable {
        public var event: String
        public var file: String?
        public var timestamp: Timestamp

        public init(event: String, file: String? = nil, timestamp: Timestamp) {
            self.event = event
            self.file = file
            self.timestamp = timestamp
        }
    }

    /// Findings by the event's id.
    public var found: [JournalKey: Finding] = [:]
    /// The time at which each lockbox was opened, by its id.
    public var opened: [JournalKey: Timestamp] = [:]
    public var attempts: Set<Attempt> = []
    public var scores: [Question: Score] = [:]
    /// Captures by their ids, which are unique across devices.
    public var captures: [JournalKey: Capture] = [:]
    /// The time at which each deleted capture was removed, by its id.
    public var removed: [JournalKey: Timestamp] = [:]
    /// The time up to which all entries were erased, itself included; nil if nothing was. What is found after it counts
    /// anew.
    public private(set) var erased: Timestamp?

    public init() {}

    public var isEmpty: Bool { self == JournalContents() }
    /// The sum of all points, saturated at the range of `Int`.
    public var points: Int {
        scores.values.reduce(0) { sum, score in
            let (next, isBeyond) = sum.addingReportingOverflow(score.points)
            return isBeyond ? (score.points > 0 ? .max : .min) : next
        }
    }

    /// Returns the union of both contents.
    public func merging(_ other: JournalContents) -> JournalContents {
        var merged = self
        merged.merge(other)
        return merged
    }

    public mutating func merge(_ other: JournalContents) {
        var other = other
        // Before entries are compared: a later record of an erased one counts.
        if let latest = [erased, other.erased].compactMap(\.self).max() {
            if erased != latest { erase(upTo: latest) }
            other.erase(upTo: latest)
        }
        found.merge(other.found) { min($0, $1) }
        opened.merge(other.opened) { min($0, $1) }
        attempts.formUnion(other.attempts)
        scores.merge(other.scores) { min($0, $1) }
        captures.merge(other.captures) { $0.merging($1) }
        removed.merge(other.removed) { min($0, $1) }
        if !removed.isEmpty { captures = captures.filter { removed[$0.key] == nil } }
    }

    /// The entries without the marks of what was deleted.
    package var withoutMarks: JournalContents {
        var entries = self
        (entries.removed, entries.erased) = ([:], nil)
        return entries
    }

    /// Removes a capture. Other devices remove it when they merge this journal.
    public mutating func remove(capture id: String, at timestamp: Timestamp) {
        let id = JournalKey(id)
        removed.merge(CollectionOfOne((id, timestamp))) { min($0, $1) }
        captures[id] = nil
    }

    /// Removes all entries up to a time, and those that other journals have when they are merged. The ids of removed
    /// captures stay.
    public mutating func erase(upTo time: Timestamp) {
        let time = max(erased ?? time, time)
        erased = time
        found = found.filter { $0.value.timestamp > time }
        opened = opened.filter { $0.value > time }
        attempts = attempts.filter { $0.timestamp > time }
        scores = scores.filter { $0.value.timestamp > time }
        captures = captures.filter { $0.value.timestamp > time }
    }
}

// Texts are compared by their bytes, so that nothing is taken for another thing.

extension JournalContents.Attempt: Hashable, Comparable {
    public static func == (a: Self, b: Self) -> Bool { a.order == b.order }
    public static func < (a: Self, b: Self) -> Bool { a.order < b.order }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(order.0)
        hasher.combine(order.1)
        hasher.combine(order.2)
    }

    private var order: (JournalKey, Timestamp, JournalKey) { (JournalKey(lockbox), timestamp, JournalKey(text)) }
}

extension JournalContents.Question: Hashable, Comparable {
    public static func == (a: Self, b: Self) -> Bool { a.order == b.order }
    public static func < (a: Self, b: Self) -> Bool { a.order < b.order }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(order.0)
        hasher.combine(order.1)
    }

    private var order: (JournalKey, Int) { (JournalKey(event), index) }
}

// The earlier record is the lesser one. If the times are equal, the other values decide, so that every device chooses
// the same record.

extension JournalContents.Finding: Comparable {
    public static func < (a: Self, b: Self) -> Bool { a.order.lexicographicallyPrecedes(b.order) }

    private var order: [Double] {
        [
            Double(timestamp.milliseconds), position == nil ? 1 : 0, position?.latitude ?? 0, position?.longitude ?? 0,
            position?.altitude ?? .infinity,
        ]
    }
}

extension JournalContents.Score: Comparable {
    public static func < (a: Self, b: Self) -> Bool {
        if a.timestamp != b.timestamp { return a.timestamp < b.timestamp }
        if a.points != b.points { return a.points < b.points }
        return a.choices.lexicographicallyPrecedes(b.choices)
    }
}

extension JournalContents.Capture {
    /// Returns the record that is kept of two of the same capture: the earlier one, with the file of either. The service
    /// learns the file, and the device the time.
    package func merging(_ other: Self) -> Self {
        var kept = other.order < order ? other : self
        kept.file = [file, other.file].compactMap { $0.map(JournalKey.init(_:)) }.min()?.text
        return kept
    }

    private var order: (Timestamp, JournalKey) { (timestamp, JournalKey(event)) }
}

/// The id of an event, a lockbox or a capture in a journal. It is compared by its bytes, as in SQLite and in browsers.
/// `String` also equates different spellings of the same characters, such as "é" as one code point and as two.
public struct JournalKey: Hashable, Comparable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    public let text: String

    public init(_ text: String) { self.text = text }

    public init(stringLiteral text: String) { self.text = text }

    public var description: String { text }

    public static func == (a: Self, b: Self) -> Bool {
        a.text.withBytes { a in
            b.text.withBytes { b in
                a.count == b.count && (a.isEmpty || memcmp(a.baseAddress!, b.baseAddress!, a.count) == 0)
            }
        }
    }

    public static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

    public func hash(into hasher: inout Hasher) {
        text.withBytes { hasher.combine(bytes: $0) }
        hasher.combine(text.utf8.count)
    }
}

extension String {
    /// Calls `body` with the text in UTF-8 without copying it: thousands of ids are compared before a player's first
    /// step.
    @inlinable package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) } ?? Array(utf8).withUnsafeBytes(body)
    }
}

extension Dictionary where Key == JournalKey {
    public subscript(id: String) -> Value? {
        get { self[JournalKey(id)] }
        set { self[JournalKey(id)] = newValue }
    }
}
