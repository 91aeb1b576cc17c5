package import WayreelEngine

/// Stores the captures of events with their images. What a player has removed or erased (``ErasureStoring``) does not get
/// in again.
///
/// Each function has its whole effect or none, whatever else runs at the same time.
package protocol CaptureStoring: Sendable {
    /// A player's capture by its id.
    func capture(_ id: String, of player: PlayerIdentity) async throws(StorageFault) -> KeptCapture?

    /// All captures of a player, or those of a story, in no order.
    func captures(of player: PlayerIdentity, story: String?) async throws(StorageFault) -> [KeptCapture]

    /// Throws ``StorageFault/full(_:)`` if the images of a player, of captures and notes, have reached their maximum size.
    func checkRoom(forCapturesOf player: PlayerIdentity) async throws(StorageFault)

    /// Stores a capture with its image, unless one with its id exists, and returns the stored one. Both survive a loss of
    /// power when this returns.
    ///
    /// Throws ``StorageFault/full(_:)`` likewise, and ``StorageFault/removed(_:)`` if the capture was removed, or erased
    /// after it was taken.
    func keep(
        _ capture: NewCapture, _ image: NewImage, of player: PlayerIdentity
    ) async throws(StorageFault) -> (capture: KeptCapture, isNew: Bool)

    /// Removes captures and their images, and marks all of the ids as removed.
    ///
    /// Throws ``StorageFault/full(_:)`` if no more can be remembered, with all in its place.
    func removeCaptures(
        _ ids: [String], of player: PlayerIdentity, at time: Timestamp
    ) async throws(StorageFault)
}

/// An image to store.
package struct NewImage: Sendable {
    package var bytes: [UInt8]
    /// The ending of its file's name: `jpeg`.
    package var format: String
    /// Its media type.
    package var type: String
    /// In pixels.
    package var width: Int
    package var height: Int

    package init(bytes: [UInt8], format: String, type: String, width: Int, height: Int) {
        (self.bytes, self.format, self.type) = (bytes, format, type)
        (self.width, self.height) = (width, height)
    }
}

/// A capture of an event to store.
package struct NewCapture: Sendable {
    /// Unique among the captures of the player.
    package var id: String
    package var story: String
    package var event: String
    /// The SHA-256 of the image as it was sent and of its purpose: a repeated request has the same.
    package var fingerprint: String
    /// When the device took it.
    package var taken: Timestamp
    /// When it was received.
    package var time: Timestamp

    package init(
        id: String, story: String, event: String, fingerprint: String, taken: Timestamp, time: Timestamp
    ) {
        (self.id, self.story, self.event, self.fingerprint) = (id, story, event, fingerprint)
        (self.taken, self.time) = (taken, time)
    }
}

/// A capture of an event that is kept for a player.
package struct KeptCapture: Hashable, Sendable {
    package var player: String
    package var id: String
    package var story: String
    package var event: String
    package var fingerprint: String
    /// That of the image.
    package var file: BlobKey
    /// The media type.
    package var type: String
    package var bytes: Int
    /// When it was received.
    package var time: Timestamp
}

extension KeptCapture {
    package init(_ capture: NewCapture, _ image: NewImage, at file: BlobKey, of player: PlayerIdentity) {
        self.init(
            player: player.id, id: capture.id, story: capture.story, event: capture.event,
            fingerprint: capture.fingerprint, file: file, type: image.type, bytes: image.bytes.count,
            time: capture.time)
    }
}
