/// A location-based story: chapters of events that are found by walking.
///
/// Read one from XML or YAML with ``StoryDocument``. Paths are relative to the story's folder.
public struct Story: Hashable, Sendable, Codable {
    /// The version of the document's vocabulary that this Wayreel writes.
    public static let currentVersion = 1

    /// The id, unique among the stories of a server; letters, digits, `.`, `_` and `-`.
    public var id: String
    /// The BCP 47 language tag, such as `en` or `de-AT`.
    public var language: String
    public var name: String
    public var description: String?
    public var cover: Asset?
    /// Who made the story and its media, shown at its end.
    public var credits: String?
    /// The chapters in the author's order; at least one.
    public var chapters: [Chapter]

    public init(
        id: String, language: String, name: String, description: String? = nil, cover: Asset? = nil,
        credits: String? = nil, chapters: [Chapter]
    ) {
        self.id = id
        self.language = language
        self.name = name
        self.description = description
        self.cover = cover
        self.credits = credits
        self.chapters = chapters
    }
}

/// A part of a story that is explored in one go.
public struct Chapter: Hashable, Sendable, Codable {
    /// The order in which the events of a chapter are found.
    public enum Order: String, Hashable, Sendable, Codable, CaseIterable {
        case free
        /// A tour: each event becomes available when the previous one was found.
        case sequence
    }

    /// The presentation of a tour.
    public enum Presentation: String, Hashable, Sendable, Codable, CaseIterable {
        /// Shows one item after the other.
        case steps
        case list
    }

    /// The id, unique in the story.
    public var id: String
    public var name: String
    public var description: String?
    public var image: Asset?
    /// The location at which the chapter begins.
    public var location: GeoPoint?
    public var order: Order
    public var presentation: Presentation
    /// The lockboxes in the order in which they are opened.
    public var lockboxes: [Lockbox]
    public var events: [Event]

    public init(
        id: String, name: String, description: String? = nil, image: Asset? = nil, location: GeoPoint? = nil,
        order: Order = .free, presentation: Presentation = .steps, lockboxes: [Lockbox] = [], events: [Event] = []
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.image = image
        self.location = location
        self.order = order
        self.presentation = presentation
        self.lockboxes = lockboxes
        self.events = events
    }
}

/// A question that must be answered before the story continues.
public struct Lockbox: Hashable, Sendable, Codable {
    /// The id, unique in the story.
    public var id: String
    public var question: String
    /// The accepted answers, compared regardless of case, accents and spaces.
    public var answers: [String]
    /// The hints: the first one is shown after the first wrong answer, the second after the second; the last one
    /// stays.
    public var hints: [String]

    public init(id: String, question: String, answers: [String], hints: [String] = []) {
        self.id = id
        self.question = question
        self.answers = answers
        self.hints = hints
    }
}

/// A file that the story shows or plays.
public struct Asset: Hashable, Sendable, Codable {
    /// The path relative to the story's folder, with `/` as separator; never outside of the folder.
    public var source: String
    /// A description of the content, for people who cannot see or hear it.
    public var alt: String?

    public init(source: String, alt: String? = nil) {
        self.source = source
        self.alt = alt
    }
}
