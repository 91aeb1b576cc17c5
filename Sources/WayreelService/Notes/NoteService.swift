internal import Hummingbird
internal import WayreelCore
internal import WayreelEngine
internal import WayreelImage
internal import WayreelStorage

/// Receives the images that players leave at positions, and keeps them.
struct NoteService: Sendable {
    let settings: ServiceSettings
    let stores: any PlayerStoring
    let media: MediaWork
    let storage: StorageWork

    /// A note as a request describes it, without its image.
    struct Draft: Sendable {
        var player: PlayerIdentity
        /// Without its fingerprint.
        var note: NewNote
        /// What the request asks for beside the image.
        var purpose: [String]
        var options: CaptureOptions
    }

    /// Admitted → received → prepared → stored with its row, as a capture is (``CaptureService``). A repeated request with the
    /// same id makes no second note.
    ///
    /// Throws the fault or the problem of the step that failed.
    func receive(_ draft: Draft, _ request: Request, _ context: ServiceContext) async throws -> Note {
        let client = context.client
        let upload = try ReservedUpload.image(of: request, from: client, in: media.queue, settings)
        defer { withExtendedLifetime(upload) {} }
        // Ends the work if the client disconnects.
        return try await ClientPresence.required(on: context.channel) {
            // Refuses before the image is sent.
            _ = try await known(draft)
            let sent = try await upload.receive(request.body)
            var new = draft.note
            new.fingerprint = try await storage.run { sent.fingerprint(with: draft.purpose) }
            var note = try await known(draft)
            if note == nil {
                let image = try await media.prepare(draft.options, for: client) { sent }
                note = try await storage.turn(of: draft.player) { [new] in
                    try await stores.notes.keep(new, NewImage(image))
                }
            }
            guard let note, note.fingerprint == new.fingerprint else { throw StorageFault.conflict(.request) }
            return note
        }
    }

    /// Finds the note of an earlier request with the same id; where there is none, checks that there is room for one.
    private func known(_ draft: Draft) async throws -> Note? {
        try await storage.turn(of: draft.player) { () async throws(StorageFault) -> Note? in
            if let known = try await stores.notes.note(draft.note.id) { return known }
            try await stores.erasures.checkNotRemoved(note: draft.note.id, of: draft.player)
            try await stores.notes.checkRoom(forNotesOf: draft.player)
            return nil
        }
    }

    // MARK: Notes that have ended

    /// The seconds for which a note is kept for its author after its end.
    private static let keptSeconds = 86_400.0
    /// The maximum number of notes that are removed at once, which blocks other writers.
    private static let batch = 100

    /// Removes notes that have ended, now and every hour until its task is cancelled.
    func sweep() async {
        repeat {
            let time = Timestamp.now.advanced(by: -Self.keptSeconds)
            // A fault is ignored, because the next hour tries again.
            while !Task.isCancelled,
                (try? await stores.notes.removeNotes(endedBefore: time, count: Self.batch)) == Self.batch
            {}
        } while (try? await Task.sleep(for: .seconds(3600))) != nil
    }
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
