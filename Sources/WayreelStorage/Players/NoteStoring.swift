package import WayreelEngine
package import WayreelStory

/// Stores the images that players leave at positions. What a player has removed or erased (``ErasureStoring``) does not
/// get in again.
///
/// Each function has its whole effect or none, whatever else runs at the same time.
package protocol NoteStoring: Sendable {
    /// A note by its id, for any player.
    func note(_ id: String) async throws(StorageFault) -> Note?

    /// A note by its id if the player may see it: own notes at any time.
    func note(_ id: String, to player: PlayerIdentity, now: Timestamp) async throws(StorageFault) -> Note?

    /// The requested notes, nearest first.
    func notes(_ query: NoteQuery) async throws(StorageFault) -> [FoundNote]

    /// All notes of a player, in no order.
    func notes(by player: PlayerIdentity) async throws(StorageFault) -> [Note]

    /// Throws ``StorageFault/full(_:)`` if a player has the maximum number of notes, or the maximum size of images.
    func checkRoom(forNotesOf player: PlayerIdentity) async throws(StorageFault)

    /// Stores a note with its image, unless one with its id exists, and returns the stored one. Both survive a loss of power
    /// when this returns.
    ///
    /// Throws ``StorageFault/full(_:)`` likewise, and ``StorageFault/removed(_:)`` if the note was removed, or the player
    /// was erased since the request for it began.
    func keep(_ note: NewNote, _ image: NewImage) async throws(StorageFault) -> Note

    /// Removes notes of a player and their images, and marks their ids as removed. Also if no further ids can be
    /// remembered.
    func removeNotes(_ ids: [String], of player: PlayerIdentity, at time: Timestamp) async throws(StorageFault)

    /// Removes up to `count` notes whose end is before `time`, and their images. Returns their number.
    func removeNotes(endedBefore time: Timestamp, count: Int) async throws(StorageFault) -> Int
}

package enum NoteLimits {
    /// The maximum number of notes of a player.
    package static let maxNotes = 500
}

/// Who sees a note beside its author.
package enum NoteVisibility: Hashable, Sendable {
    case all
    case group(String)
    case author

    /// `all`, `group:NAME` or `self`.
    package init?(_ text: String) {
        switch text {
        case "all": self = .all
        case "self": self = .author
        default:
            guard text.hasPrefix("group:"), case let name = String(text.dropFirst(6)), PlayerIdentity.isName(name)
            else { return nil }
            self = .group(name)
        }
    }

    package var text: String {
        switch self {
        case .all: "all"
        case .group(let name): "group:\(name)"
        case .author: "self"
        }
    }
}

/// A note to store.
package struct NewNote: Hashable, Sendable {
    /// A UUID in lower case.
    package var id: String
    package var author: String
    /// The SHA-256 of the image as it was sent and of its purpose: a repeated request has the same.
    package var fingerprint: String
    package var visibility: NoteVisibility
    package var place: GeoPoint
    /// The time from which others see it.
    package var start: Timestamp
    /// The time until which others see it; nil if it has no end.
    package var end: Timestamp?
    package var text: String
    /// When the request for it began.
    package var began: Timestamp

    package init(
        id: String, author: String, fingerprint: String, visibility: NoteVisibility, place: GeoPoint,
        start: Timestamp, end: Timestamp?, text: String, began: Timestamp
    ) {
        (self.id, self.author, self.fingerprint, self.visibility) = (id, author, fingerprint, visibility)
        (self.place, self.start, self.end, self.text, self.began) = (place, start, end, text, began)
    }
}

/// An image that a player left at a position.
package struct Note: Hashable, Sendable {
    /// A UUID in lower case.
    package var id: String
    package var author: String
    package var fingerprint: String
    package var visibility: NoteVisibility
    package var place: GeoPoint
    /// The time from which others see it.
    package var start: Timestamp
    /// The time until which others see it; nil if it has no end.
    package var end: Timestamp?
    package var text: String
    /// That of the image.
    package var file: BlobKey
    /// The media type.
    package var type: String
    /// In pixels.
    package var width: Int
    package var height: Int
    package var bytes: Int
}

extension Note {
    package init(_ note: NewNote, _ image: NewImage, at file: BlobKey) {
        self.init(
            id: note.id, author: note.author, fingerprint: note.fingerprint, visibility: note.visibility,
            place: note.place, start: note.start, end: note.end, text: note.text, file: file, type: image.type,
            width: image.width, height: image.height, bytes: image.bytes.count)
    }
}

/// A note in a list.
package struct FoundNote: Sendable {
    package var note: Note
    /// The distance from the center of the query in metres.
    package var distance: Double

    package init(note: Note, distance: Double) { (self.note, self.distance) = (note, distance) }
}

/// A request for a list of notes.
package struct NoteQuery: Sendable {
    package var player: PlayerIdentity
    package var center: GeoPoint
    /// Metres, up to ``maxRadius``.
    package var radius: Double
    /// Whether the list contains the player's own notes only, at any time.
    package var isOwn: Bool
    package var now: Timestamp
    package var limit: Int
    /// The last note of the previous page.
    package var after: NotePlace?

    /// No two points on Earth are farther apart: half a meridian is 20 003.9 km long.
    package static let maxRadius = 20_100_000.0

    package init(
        player: PlayerIdentity, center: GeoPoint, radius: Double, isOwn: Bool, now: Timestamp, limit: Int,
        after: NotePlace? = nil
    ) {
        (self.player, self.center, self.radius, self.isOwn) = (player, center, radius, isOwn)
        (self.now, self.limit, self.after) = (now, limit, after)
    }
}

/// The position of a note in a list: ordered by distance, then by id.
package struct NotePlace: Hashable, Comparable, Sendable {
    /// Metres.
    package var distance: Double
    package var id: String

    package init(distance: Double, id: String) { (self.distance, self.id) = (distance, id) }

    package static func < (a: Self, b: Self) -> Bool { (a.distance, a.id) < (b.distance, b.id) }
}
