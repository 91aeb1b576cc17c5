internal import WayreelCore

/// A location-based story: chapters of events that are found by walking.
///
/// Read one from XML or YAML with ``StoryDocument``. Paths are relative to the story's folder.
///
/// Its JSON is that of `Documentation/story-json.schema.json`, with its `format` and `version`. Version 2, which had
/// neither markup in texts nor collections, is read as well, and so is version 1, which had no `format`, no `version`
/// and no `type` in contents and conditions.
public struct Story: Hashable, Sendable, Codable {
    /// The version of the document's vocabulary that this Wayreel writes.
    public static let currentVersion = 1
    /// The `format` of its JSON, and the `version` that this Wayreel writes.
    package static let jsonFormat = "wayreel-story"
    package static let jsonVersion = 3

    /// The id, unique among the stories of a server; letters, digits, `.`, `_` and `-`.
    public var id: String
    /// The BCP 47 language tag, such as `en` or `de-AT`.
    public var language: String
    /// The tags of all languages that the story has, ``language`` first, without repetition.
    public var languages: [String]
    public var name: String
    public var description: RichText?
    public var cover: Asset?
    /// Who made the story and its media, shown at its end.
    public var credits: RichText?
    /// The look of its page; nil for that of Wayreel.
    public var face: Face?
    /// What visitors want to know about the house.
    public var about: About?
    /// The announcements, in the author's order.
    public var news: [NewsEntry]
    /// The collection, in the author's order.
    public var sections: [Section]
    /// The base map below the marks of all chapters that have none of their own; nil for none.
    public var map: BaseMap?
    /// The floor plans that chapters share, in the author's order.
    public var plans: [FloorPlan]
    /// What tells players that they arrived at any event; nil for nothing.
    public var arrival: Arrival?
    /// The chapters in the author's order; at least one.
    public var chapters: [Chapter]
    /// The texts and files in other languages; empty in a story of one language.
    public var translations: [Translation]
    /// The languages of the texts that are not in ``language``, because a translation lacks them, by their keys in
    /// translations, such as `event/bell/name`. A page names them, so that they are read with the right voice.
    public var textLanguages: [String: String] = [:]
    /// How a bundle hashes the codes of events; nil of a document, and of a story without codes.
    public var codeHashing: CodeHashing?

    /// `languages`: nil for `language` and those of `translations`.
    public init(
        id: String, language: String, languages: [String]? = nil, name: String, description: RichText? = nil,
        cover: Asset? = nil, credits: RichText? = nil, face: Face? = nil, about: About? = nil, news: [NewsEntry] = [],
        sections: [Section] = [], map: BaseMap? = nil, plans: [FloorPlan] = [], arrival: Arrival? = nil,
        chapters: [Chapter], translations: [Translation] = []
    ) {
        self.id = id
        self.language = language
        var seen: Set<String> = []
        self.languages =
            languages ?? ([language] + translations.map(\.language)).filter { seen.insert($0).inserted }
        self.name = name
        self.description = description
        self.cover = cover
        self.credits = credits
        self.face = face
        self.about = about
        self.news = news
        self.sections = sections
        self.map = map
        self.plans = plans
        self.arrival = arrival
        self.chapters = chapters
        self.translations = translations
    }

    private enum CodingKeys: String, CodingKey {
        case format, version, id, language, languages, name, description, cover, credits, face, about, news, sections
        case map, plans, arrival, chapters, translations, textLanguages, codeHashing
    }

    /// Throws an `unsupported` error if a newer Wayreel wrote it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let format = try container.decodeIfPresent(String.self, forKey: .format) ?? Self.jsonFormat
        let version = try container.decodeIfPresent(Int.self, forKey: .version) ?? 1
        guard format == Self.jsonFormat, version > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .format, in: container, debugDescription: "it is not the JSON of a story")
        }
        guard version <= Self.jsonVersion else {
            throw MediaError.version(version, known: Self.jsonVersion, step: .story)
        }
        self.init(
            id: try container.decode(String.self, forKey: .id),
            language: try container.decode(String.self, forKey: .language),
            languages: try container.decodeIfPresent([String].self, forKey: .languages),
            name: try container.decode(String.self, forKey: .name),
            description: try container.decodeIfPresent(RichText.self, forKey: .description),
            cover: try container.decodeIfPresent(Asset.self, forKey: .cover),
            credits: try container.decodeIfPresent(RichText.self, forKey: .credits),
            face: try container.decodeIfPresent(Face.self, forKey: .face),
            about: try container.decodeIfPresent(About.self, forKey: .about),
            news: try container.decodeIfPresent([NewsEntry].self, forKey: .news) ?? [],
            sections: try container.decodeIfPresent([Section].self, forKey: .sections) ?? [],
            map: try container.decodeIfPresent(BaseMap.self, forKey: .map),
            plans: try container.decodeIfPresent([FloorPlan].self, forKey: .plans) ?? [],
            arrival: try container.decodeIfPresent(Arrival.self, forKey: .arrival),
            chapters: try container.decode([Chapter].self, forKey: .chapters),
            translations: try container.decodeIfPresent([Translation].self, forKey: .translations) ?? [])
        textLanguages = try container.decodeIfPresent([String: String].self, forKey: .textLanguages) ?? [:]
        codeHashing = try container.decodeIfPresent(CodeHashing.self, forKey: .codeHashing)
        fitTranslations()
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.jsonFormat, forKey: .format)
        try container.encode(Self.jsonVersion, forKey: .version)
        try container.encode(id, forKey: .id)
        try container.encode(language, forKey: .language)
        if languages != [language] { try container.encode(languages, forKey: .languages) }
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(description, forKey: .description)
        try container.encodeIfPresent(cover, forKey: .cover)
        try container.encodeIfPresent(credits, forKey: .credits)
        try container.encodeIfPresent(face, forKey: .face)
        try container.encodeIfPresent(about, forKey: .about)
        if !news.isEmpty { try container.encode(news, forKey: .news) }
        if !sections.isEmpty { try container.encode(sections, forKey: .sections) }
        try container.encodeIfPresent(map, forKey: .map)
        if !plans.isEmpty { try container.encode(plans, forKey: .plans) }
        try container.encodeIfPresent(arrival, forKey: .arrival)
        try container.encode(chapters, forKey: .chapters)
        if !translations.isEmpty { try container.encode(translations, forKey: .translations) }
        if !textLanguages.isEmpty { try container.encode(textLanguages, forKey: .textLanguages) }
        try container.encodeIfPresent(codeHashing, forKey: .codeHashing)
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
    public var description: RichText?
    public var image: Asset?
    /// The location at which the chapter begins.
    public var location: GeoPoint?
    /// Its own base map; nil for that of the story.
    public var map: BaseMap?
    /// The id of the floor plan that is shown first; nil for that of the next event.
    public var floor: String?
    /// The floor plans of this chapter alone; nil for none.
    public var plans: [FloorPlan]?
    public var order: Order
    public var presentation: Presentation
    /// The lockboxes in the order in which they are opened.
    public var lockboxes: [Lockbox]
    public var events: [Event]

    public init(
        id: String, name: String, description: RichText? = nil, image: Asset? = nil, location: GeoPoint? = nil,
        map: BaseMap? = nil, floor: String? = nil, plans: [FloorPlan]? = nil, order: Order = .free,
        presentation: Presentation = .steps, lockboxes: [Lockbox] = [], events: [Event] = []
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.image = image
        self.location = location
        self.map = map
        self.floor = floor
        self.plans = plans
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
    public var question: RichText
    /// The accepted answers, compared regardless of case, accents and spaces.
    public var answers: [String]
    /// The hints: the first one is shown after the first wrong answer, the second after the second; the last one
    /// stays.
    public var hints: [String]

    public init(id: String, question: RichText, answers: [String], hints: [String] = []) {
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
    /// Who made it.
    public var author: String?
    /// The licence under which it is shown, such as `CC BY 4.0`.
    public var license: String?
    /// The address of the page that it was taken from.
    public var origin: String?

    public init(
        source: String, alt: String? = nil, author: String? = nil, license: String? = nil, origin: String? = nil
    ) {
        self.source = source
        self.alt = alt
        self.author = author
        self.license = license
        self.origin = origin
    }
}

/// An event at a position: it plays media, requests a capture, or begins a quiz.
public struct Event: Hashable, Sendable, Codable {
    /// The id, unique in the story.
    public var id: String
    public var name: String
    public var description: RichText?
    public var position: GeoPoint
    /// Where it stands on a floor; nil for an event without one, or at the place of the item that it shows.
    public var anchor: Anchor?
    public var activation: Activation
    /// The times at which the event can be found; nil for always.
    public var window: TimeWindow?
    /// A condition that must hold before the event can be found.
    public var condition: Condition?
    public var content: EventContent
    /// The journal entry that is added when the event is found.
    public var journal: JournalEntry?
    /// What tells players that they arrived here; nil for that of the story.
    public var arrival: Arrival?

    public init(
        id: String, name: String, description: RichText? = nil, position: GeoPoint, anchor: Anchor? = nil,
        activation: Activation, window: TimeWindow? = nil, condition: Condition? = nil, content: EventContent,
        journal: JournalEntry? = nil, arrival: Arrival? = nil
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.position = position
        self.anchor = anchor
        self.activation = activation
        self.window = window
        self.condition = condition
        self.content = content
        self.journal = journal
        self.arrival = arrival
    }
}

/// The circle around an event's position, and what triggers the event there.
public struct Activation: Hashable, Sendable, Codable {
    public enum Trigger: String, Hashable, Sendable, Codable, CaseIterable {
        case enter, exit
        /// The player stays inside for ``Activation/dwellSeconds``.
        case dwell
        /// The player enters the code that hangs there, wherever the device believes to be.
        case code
    }

    /// The radius in metres, above 0.
    public var radius: Double
    public var trigger: Trigger
    /// The seconds to stay inside the circle; only with ``Trigger/dwell``.
    public var dwellSeconds: Double?
    /// The four characters of the code, see ``EventCode``; only with ``Trigger/code``, and nil in a bundle.
    public var code: String?
    /// In a bundle, the code's hash, as ``Story/codeHashing`` says, in 64 hexadecimal digits.
    public var codeHash: String?

    public init(
        radius: Double, trigger: Trigger = .enter, dwellSeconds: Double? = nil, code: String? = nil,
        codeHash: String? = nil
    ) {
        self.radius = radius
        self.trigger = trigger
        self.dwellSeconds = dwellSeconds
        self.code = code
        self.codeHash = codeHash
    }
}

/// An entry of the player's journal.
public struct JournalEntry: Hashable, Sendable, Codable {
    public var title: String
    public var description: RichText?
    public var content: EventContent?

    public init(title: String, description: RichText? = nil, content: EventContent? = nil) {
        self.title = title
        self.description = description
        self.content = content
    }
}

/// A condition that must hold before an event can be found.
public indirect enum Condition: Hashable, Sendable, Codable {
    /// All of these conditions hold.
    case all([Condition])
    /// At least one of these conditions holds.
    case any([Condition])
    case not(Condition)
    /// The event of that id was found.
    case found(event: String)
    /// The lockbox of that id was opened.
    case opened(lockbox: String)
    /// The current time is inside the window.
    case during(TimeWindow)

    /// Reads `{"type": "all", "of": […]}`, `{"type": "found", "event": …}` and so on, and the form of version 1.
    public init(from decoder: any Decoder) throws {
        let condition = try CaseDecoder(decoder)
        self =
            switch condition.name {
            case "all": .all(try condition.member("of"))
            case "any": .any(try condition.member("of"))
            case "not": .not(try condition.member("of"))
            case "found": .found(event: try condition.member("event", before: "event"))
            case "opened": .opened(lockbox: try condition.member("lockbox", before: "lockbox"))
            case "during": .during(try condition.value())
            default: throw condition.unknownName
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .all(let parts): try encoder.encode(case: "all", "of", parts)
        case .any(let parts): try encoder.encode(case: "any", "of", parts)
        case .not(let part): try encoder.encode(case: "not", "of", part)
        case .found(let event): try encoder.encode(case: "found", "event", event)
        case .opened(let lockbox): try encoder.encode(case: "opened", "lockbox", lockbox)
        case .during(let window): try encoder.encode(case: "during", window)
        }
    }
}

/// A recurring time window in a time zone, for example from 21:00 to 02:00 on Fridays and Saturdays of a summer.
public struct TimeWindow: Hashable, Sendable, Codable {
    public enum Day: String, Hashable, Sendable, Codable, CaseIterable {
        case monday = "mon", tuesday = "tue", wednesday = "wed", thursday = "thu", friday = "fri", saturday = "sat"
        case sunday = "sun"
    }

    /// A time zone of the IANA database, such as `America/Los_Angeles`.
    public var zone: String
    /// The opening time, `HH:MM` in local time of the zone; nil is midnight.
    public var from: TimeOfDay?
    /// The closing time; not later than ``from`` if the window extends over midnight. nil is midnight.
    public var until: TimeOfDay?
    /// The days on which the window opens; empty for all.
    public var days: [Day]
    /// The first date on which the window opens, `YYYY-MM-DD`; ``lastDate`` is the last one.
    public var firstDate: String?
    public var lastDate: String?

    public init(
        zone: String, from: TimeOfDay? = nil, until: TimeOfDay? = nil, days: [Day] = [], firstDate: String? = nil,
        lastDate: String? = nil
    ) {
        self.zone = zone
        self.from = from
        self.until = until
        self.days = days
        self.firstDate = firstDate
        self.lastDate = lastDate
    }
}

/// A local time of day, to the minute.
public struct TimeOfDay: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Minutes since midnight, 0 to 1440.
    public var minutes: Int

    public init(minutes: Int) { self.minutes = minutes }

    /// Parses `HH:MM`, 00:00 to 24:00.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isASCII) }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), (0...24).contains(hours),
            (0..<60).contains(minutes),
            hours * 60 + minutes <= 1440
        else { return nil }
        self.minutes = hours * 60 + minutes
    }

    public var description: String {
        "\(String(minutes / 60, paddedTo: 2)):\(String(minutes % 60, paddedTo: 2))"
    }
}
