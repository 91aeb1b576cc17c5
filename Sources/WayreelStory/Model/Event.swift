/// An event at a position: it plays media, requests a capture, or begins a quiz.
public struct Event: Hashable, Sendable, Codable {
    /// The id, unique in the story.
    public var id: String
    public var name: String
    public var description: String?
    public var position: GeoPoint
    public var activation: Activation
    /// The times at which the event can be found; nil for always.
    public var window: TimeWindow?
    /// A condition that must hold before the event can be found.
    public var condition: Condition?
    public var content: EventContent
    /// The journal entry that is added when the event is found.
    public var journal: JournalEntry?

    public init(
        id: String, name: String, description: String? = nil, position: GeoPoint, activation: Activation,
        window: TimeWindow? = nil, condition: Condition? = nil, content: EventContent, journal: JournalEntry? = nil
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.position = position
        self.activation = activation
        self.window = window
        self.condition = condition
        self.content = content
        self.journal = journal
    }
}

/// The circle around an event's position, and what triggers the event there.
public struct Activation: Hashable, Sendable, Codable {
    public enum Trigger: String, Hashable, Sendable, Codable, CaseIterable {
        case enter, exit
        /// The player stays inside for ``Activation/dwellSeconds``.
        case dwell
    }

    /// The radius in metres, above 0.
    public var radius: Double
    public var trigger: Trigger
    /// The seconds to stay inside the circle; only with ``Trigger/dwell``.
    public var dwellSeconds: Double?

    public init(radius: Double, trigger: Trigger = .enter, dwellSeconds: Double? = nil) {
        self.radius = radius
        self.trigger = trigger
        self.dwellSeconds = dwellSeconds
    }
}

/// An entry of the player's journal.
public struct JournalEntry: Hashable, Sendable, Codable {
    public var title: String
    public var description: String?
    public var content: EventContent?

    public init(title: String, description: String? = nil, content: EventContent? = nil) {
        self.title = title
        self.description = description
        self.content = content
    }
}
