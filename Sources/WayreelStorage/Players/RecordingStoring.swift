package import WayreelEngine

/// Stores recordings of sensors: their samples as lines of NDJSON, what they are of, how they are plotted, and marks. What
/// a player has removed or erased (``ErasureStoring``) does not get in again.
///
/// Each function has its whole effect or none, whatever else runs at the same time.
package protocol RecordingStoring: Sendable {
    /// A player's recording by its id.
    func recording(_ id: String, of player: PlayerIdentity) async throws(StorageFault) -> KeptRecording?

    /// Up to `limit` recordings of a player, the newest first, from the one after `place` on.
    func recordings(
        of player: PlayerIdentity, limit: Int, after place: RecordingPlace?
    ) async throws(StorageFault) -> [KeptRecording]

    /// The recordings of all players that are being written. After ``PlayerStoring/recover()``, they are those that a
    /// killed service has left.
    func unfinished() async throws(StorageFault) -> [KeptRecording]

    /// Throws ``StorageFault/full(_:)`` if a player has the maximum number of recordings, or if further bytes exceed what
    /// the player, or all players, may have.
    func checkRoom(forRecordingsOf player: PlayerIdentity, bytes: Int) async throws(StorageFault)

    /// Begins a recording without samples, unless one with its id exists, and returns the stored one.
    ///
    /// Throws ``StorageFault/full(_:)`` likewise, and ``StorageFault/removed(_:)`` if the recording was removed, or the
    /// player was erased since it began.
    func begin(_ recording: NewRecording, of player: PlayerIdentity) async throws(StorageFault) -> KeptRecording

    /// Stores a recording that is complete, unless one with its id exists, and returns the stored one. It survives a loss
    /// of power when this returns.
    ///
    /// `content` reads a range of its `bytes` bytes, and blocks. Throws likewise, for too many marks too, and what `content`
    /// throws.
    func keep(
        _ recording: NewRecording, _ facts: RecordingFacts, marks: [NewMark], bytes: Int,
        content: @escaping @Sendable (Range<Int>) throws -> [UInt8], of player: PlayerIdentity
    ) async throws(StorageFault) -> KeptRecording

    /// Appends whole lines to a recording that is being written, with what is known of it then. They survive a loss of
    /// power when this returns.
    ///
    /// Throws ``StorageFault/full(_:)`` likewise, and ``StorageFault/notFound`` if it was removed, or is complete.
    func append(
        _ lines: [UInt8], _ facts: RecordingFacts, to id: String, of player: PlayerIdentity
    ) async throws(StorageFault)

    /// Completes a recording: nothing is appended any more. `facts`: what is known of it, if that is new. One that was being
    /// written, and has neither samples nor marks, is removed.
    ///
    /// Throws ``StorageFault/notFound`` if there is none.
    func finish(_ id: String, _ facts: RecordingFacts?, of player: PlayerIdentity) async throws(StorageFault)

    /// How a recording is plotted, in JSON; nil if that was not stored. Throws ``StorageFault/notFound`` if there is no
    /// recording.
    func settings(of id: String, _ player: PlayerIdentity) async throws(StorageFault) -> String?

    /// Throws ``StorageFault/notFound`` if there is no recording.
    func setSettings(_ json: String, of id: String, _ player: PlayerIdentity) async throws(StorageFault)

    /// The marks of a recording in the order of their times. Throws ``StorageFault/notFound`` if there is no recording.
    func marks(of id: String, _ player: PlayerIdentity) async throws(StorageFault) -> [KeptMark]

    /// Adds marks to a recording, and removes those of some ids. Returns the added ones.
    ///
    /// Throws ``StorageFault/full(_:)`` if it would have too many, and ``StorageFault/notFound`` if there is no recording.
    func changeMarks(
        adding new: [NewMark], removing ids: Set<Int>, of id: String, _ player: PlayerIdentity
    ) async throws(StorageFault) -> [KeptMark]

    /// Removes recordings of a player, and marks their ids as removed. Also if no further ids can be remembered.
    func removeRecordings(
        _ ids: [String], of player: PlayerIdentity, at time: Timestamp
    ) async throws(StorageFault)
}

package struct RecordingLimits: Hashable, Sendable {
    /// Of the samples of a player's recordings, as NDJSON.
    package var playerBytes = 1 << 30
    /// Of those of all players.
    package var totalBytes = 10 << 30

    package init() {}

    package init(playerBytes: Int, totalBytes: Int) {
        (self.playerBytes, self.totalBytes) = (playerBytes, totalBytes)
    }

    /// The maximum number of recordings of a player, and of marks of a recording.
    package static let (maxRecordings, maxMarks) = (1000, 10_000)
    /// The bytes of the texts of the marks of a recording.
    package static let maxMarkBytes = 4 << 20
}

/// One component of a stream in a recording.
package struct RecordedChannel: Hashable, Codable, Sendable {
    /// `stream.component`.
    package var name: String
    package var unit: String?
    /// Samples a second, if the recording says that they are even.
    package var rate: Double?

    package init(_ name: String, unit: String? = nil, rate: Double? = nil) {
        (self.name, self.unit, self.rate) = (name, unit, rate)
    }
}

/// What is known of the samples of a recording.
package struct RecordingFacts: Hashable, Sendable {
    package var channels: [RecordedChannel] = []
    /// Whether times are dates. Otherwise, they are seconds from an arbitrary start.
    package var hasDates = false
    /// The times of the first and the last sample in microseconds; nil without samples.
    package var times: ClosedRange<Int64>?
    /// The number of values of all channels.
    package var samples = 0

    package init() {}

    package init(channels: [RecordedChannel], hasDates: Bool, times: ClosedRange<Int64>?, samples: Int) {
        (self.channels, self.hasDates, self.times, self.samples) = (channels, hasDates, times, samples)
    }

    /// The time from the first to the last sample.
    package var seconds: Double {
        times.map { (Double($0.upperBound) - Double($0.lowerBound)) / 1e6 } ?? 0
    }
}

/// A recording to store.
package struct NewRecording: Hashable, Sendable {
    /// A UUID in lower case, unique among the recordings of the player.
    package var id: String
    /// The SHA-256 of what was sent and of its purpose: a repeated request has the same. Empty for a live stream.
    package var fingerprint: String
    package var title: String
    /// The name of the file that was sent, or of the live stream.
    package var origin: String
    /// Whom pictures of it have to name.
    package var credit: String?
    /// When it began, or was received.
    package var began: Timestamp

    package init(
        id: String, fingerprint: String = "", title: String, origin: String, credit: String? = nil, began: Timestamp
    ) {
        (self.id, self.fingerprint, self.title, self.origin) = (id, fingerprint, title, origin)
        (self.credit, self.began) = (credit, began)
    }
}

/// A recording that is kept for a player.
package struct KeptRecording: Hashable, Sendable {
    package var player: String
    package var id: String
    package var fingerprint: String
    package var title: String
    package var origin: String
    package var credit: String?
    package var began: Timestamp
    package var facts: RecordingFacts
    /// That of the samples: NDJSON without marks. While it is written, it may have more than ``bytes``.
    package var file: BlobKey
    package var bytes: Int
    package var isWriting: Bool
    /// The number of its marks, and of their changes so far.
    package var marks: Int
    package var markChanges: Int

    package var place: RecordingPlace { RecordingPlace(began: began, id: id) }
}

extension KeptRecording {
    package init(
        _ recording: NewRecording, _ facts: RecordingFacts, _ marks: KeptMarks, at file: BlobKey, bytes: Int,
        isWriting: Bool, of player: PlayerIdentity
    ) {
        self.init(
            player: player.id, id: recording.id, fingerprint: recording.fingerprint, title: recording.title,
            origin: recording.origin, credit: recording.credit, began: recording.began, facts: facts, file: file,
            bytes: bytes, isWriting: isWriting, marks: marks.marks.count, markChanges: marks.changes)
    }
}

/// The position of a recording in a list: the newest first, then by id.
package struct RecordingPlace: Hashable, Sendable {
    package var began: Timestamp
    package var id: String

    package init(began: Timestamp, id: String) { (self.began, self.id) = (began, id) }

    /// Whether it comes after another one.
    package func isAfter(_ other: RecordingPlace) -> Bool {
        began == other.began ? id > other.id : began < other.began
    }
}

/// A text at a time of a recording.
package struct NewMark: Hashable, Codable, Sendable {
    /// In microseconds, as those of samples.
    package var time: Int64
    /// 0 for a moment.
    package var seconds: Double
    package var text: String
    /// The name of the channel that it belongs to; nil for all.
    package var channel: String?

    package init(_ time: Int64, seconds: Double = 0, text: String, channel: String? = nil) {
        (self.time, self.seconds, self.text, self.channel) = (time, seconds, text, channel)
    }

    fileprivate var textBytes: Int { text.utf8.count + (channel?.utf8.count ?? 0) }
}

package struct KeptMark: Hashable, Codable, Sendable {
    /// Unique in the recording, also among those that were removed.
    package var id: Int
    package var mark: NewMark
}

/// The marks of a recording, as they are stored.
package struct KeptMarks: Hashable, Codable, Sendable {
    /// In the order of their times.
    package private(set) var marks: [KeptMark] = []
    private var last = 0
    package private(set) var changes = 0

    package init() {}

    /// Throws ``StorageFault/full(_:)`` if there would be too many.
    package mutating func change(
        adding new: [NewMark], removing ids: Set<Int>
    ) throws(StorageFault) -> [KeptMark] {
        let added = new.enumerated().map { KeptMark(id: last + 1 + $0, mark: $1) }
        let all = marks.filter { !ids.contains($0.id) } + added
        guard all.count <= max(RecordingLimits.maxMarks, marks.count - 1) else {
            throw .full(.marks(RecordingLimits.maxMarks))
        }
        let bytes = all.reduce(0) { $0 + $1.mark.textBytes }
        guard new.isEmpty || bytes <= RecordingLimits.maxMarkBytes else {
            throw .full(.markTexts(bytes: RecordingLimits.maxMarkBytes))
        }
        marks = all.sorted { ($0.mark.time, $0.id) < ($1.mark.time, $1.id) }
        last += added.count
        changes += 1
        return added
    }
}
