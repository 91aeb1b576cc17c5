internal import WayreelEngine
internal import WayreelStorage
internal import WayreelStory

/// An image that a player left at a position.
struct Note: ImageRecord {
    enum Visibility: Hashable, Sendable {
        case all
        case group(String)
        case author

        /// `all`, `group:NAME` or `self`.
        init?(_ text: String) {
            switch text {
            case "all": self = .all
            case "self": self = .author
            default:
                guard text.hasPrefix("group:"), case let name = String(text.dropFirst(6)), PlayerIdentity.isName(name)
                else { return nil }
                self = .group(name)
            }
        }

        var text: String {
            switch self {
            case .all: "all"
            case .group(let name): "group:\(name)"
            case .author: "self"
            }
        }
    }

    /// A UUID in lower case.
    var id: String
    var author: String
    var fingerprint: String
    var visibility: Visibility
    var place: GeoPoint
    /// The time from which others see it.
    var start: Timestamp
    /// The time until which others see it; nil if it has no end.
    var end: Timestamp?
    var text: String
    /// Relative to the folder of data.
    var file: String
    var type: String
    /// In pixels.
    var width: Int
    var height: Int
    var bytes: Int
}

/// A note as a player sees it, without its author.
struct ListedNote: Encodable {
    var id: String
    var latitude: Double
    var longitude: Double
    /// The distance from the requested position in metres.
    var distance: Double?
    var visibility: String
    /// Whether the player is its author.
    var own: Bool
    var from: Timestamp
    var until: Timestamp?
    var text: String
    /// The address of the image.
    var image: String
    var type: String
    var width: Int
    var height: Int

    init(_ note: Note, to player: PlayerIdentity, distance: Double? = nil) {
        id = note.id
        (latitude, longitude) = (note.place.latitude, note.place.longitude)
        self.distance = distance
        visibility = note.visibility.text
        own = player.isCalled(note.author)
        (from, until) = (note.start, note.end)
        text = note.text
        image = "/v1/notes/\(note.id)/image"
        (type, width, height) = (note.type, note.width, note.height)
    }
}
