/// The look of a story's page: the house's name, logo, colours and font instead of Wayreel's.
public struct Face: Hashable, Sendable, Codable {
    public var name: String?
    /// The colour of bars and buttons, `#rrggbb`.
    public var color: String?
    /// The colour of links and marks, `#rrggbb`.
    public var accent: String?
    public var logo: Asset?
    /// The path of a font, relative to the story's folder.
    public var font: String?
    /// The licence under which the font may be delivered with the story.
    public var fontLicense: String?

    public init(
        name: String? = nil, color: String? = nil, accent: String? = nil, logo: Asset? = nil, font: String? = nil,
        fontLicense: String? = nil
    ) {
        self.name = name
        self.color = color
        self.accent = accent
        self.logo = logo
        self.font = font
        self.fontLicense = fontLicense
    }
}

/// What visitors want to know about the house.
public struct About: Hashable, Sendable, Codable {
    public var text: RichText?
    /// The postal address, a line for each of its lines.
    public var address: String?
    public var position: GeoPoint?
    /// The opening hours.
    public var hours: RichText?

    public init(
        text: RichText? = nil, address: String? = nil, position: GeoPoint? = nil, hours: RichText? = nil
    ) {
        self.text = text
        self.address = address
        self.position = position
        self.hours = hours
    }
}

/// An announcement of the house, such as a new exhibition.
public struct NewsEntry: Hashable, Sendable, Codable {
    /// The id, unique in the story.
    public var id: String
    /// The date, `YYYY-MM-DD`, from which it is news.
    public var date: String
    public var title: String
    public var text: RichText?
    public var image: Asset?

    public init(id: String, date: String, title: String, text: RichText? = nil, image: Asset? = nil) {
        self.id = id
        self.date = date
        self.title = title
        self.text = text
        self.image = image
    }
}

/// What tells players that they arrived at an event.
public struct Arrival: Hashable, Sendable, Codable {
    /// The sound; its alt text is its caption.
    public var sound: Asset?
    /// Whether the device vibrates, where it can.
    public var isVibrating: Bool

    public init(sound: Asset? = nil, isVibrating: Bool = true) {
        self.sound = sound
        self.isVibrating = isVibrating
    }

    private enum CodingKeys: String, CodingKey {
        case sound
        case isVibrating = "vibrate"
    }

    /// The most seconds of a sound that players hear; the page leaves out longer ones.
    private static let longestSound = 30.0

    /// Returns a warning about a sound of so many seconds; nil if players hear it.
    package static func warning(ofSoundWith seconds: Double?) -> String? {
        guard let seconds, seconds > longestSound else { return nil }
        return "players do not hear it on arrival: a sound of more than \(Int(longestSound)) s is no signal, and it is "
            + "\(Int(min(seconds, 1e9).rounded(.up))) s long"
    }
}
