internal import Hummingbird
internal import WayreelCore
internal import WayreelEngine
internal import WayreelImage
internal import WayreelJournal
internal import WayreelStorage

/// Receives the captures of events, and keeps them for their players.
struct CaptureService: Sendable {
    let settings: ServiceSettings
    let stores: any PlayerStoring
    let media: MediaWork
    let storage: StorageWork

    /// A capture as a request describes it, without its image.
    struct Draft: Sendable {
        var id: String
        var player: PlayerIdentity
        var story: String
        var event: String
        /// The text that names the screen.
        var screen: String?
        /// The language that the player plays in; nil for the story's own.
        var language: String?
        /// When the device took it.
        var taken: Timestamp
        /// How the event wants its images.
        var options: CaptureOptions
    }

    /// A capture that is kept, and its image.
    struct Kept: Sendable {
        var capture: KeptCapture
        var image: HeldBytes
    }

    /// Admitted → received → prepared → stored with its row → in the journal. Each step has what the one before it gives, and a
    /// repeated request with the same id goes on where the one before it ended.
    ///
    /// Throws the fault or the problem of the step that failed: no place or memory, an image that is too large, too slow or
    /// damaged, a player's limits, a capture that was deleted, an id that was used for another image.
    func receive(_ draft: Draft, _ request: Request, _ context: ServiceContext) async throws -> Kept {
        let client = context.client
        let upload = try ReservedUpload.image(of: request, from: client, in: media.queue, settings)
        // Ends the work if the client disconnects.
        return try await ClientPresence.required(on: context.channel) {
            // Refuses before the image is sent.
            _ = try await known(draft)
            let (image, fingerprint) = try await prepare(draft, upload, request.body, for: client)
            return try await storage.turn(of: draft.player) {
                try await keep(image, fingerprint, draft, in: upload.memory)
            }
        }
    }

    /// Receives the image of a request and prepares it, without keeping it. Throws likewise.
    func preview(
        _ options: CaptureOptions, _ request: Request, _ context: ServiceContext
    ) async throws -> (image: HeldBytes, type: String) {
        let client = context.client
        let upload = try ReservedUpload.image(of: request, from: client, in: media.queue, settings)
        let image = try await ClientPresence.required(on: context.channel) {
            let media = try await upload.receive(request.body)
            return try await self.media.prepare(options, for: client) { media }
        }
        return (try HeldBytes(image.bytes, in: upload.memory, of: media.queue), image.format.mediaType)
    }

    /// Finds the capture of an earlier request with the same id; where there is none, checks that there is room for one.
    private func known(_ draft: Draft) async throws -> KeptCapture? {
        try await storage.turn(of: draft.player) { () async throws(StorageFault) -> KeptCapture? in
            try await checkNotRemoved(draft)
            if let known = try await stores.captures.capture(draft.id, of: draft.player) { return known }
            try await stores.captures.checkRoom(forCapturesOf: draft.player)
            try await stores.journals.checkRoom(forJournal: draft.story, of: draft.player)
            return nil
        }
    }

    /// Receives the image and prepares it, unless it is known by now. What was sent is not in memory any more afterwards.
    private func prepare(
        _ draft: Draft, _ upload: ReservedUpload, _ body: RequestBody, for client: Client
    ) async throws -> (image: PreparedCapture?, fingerprint: String) {
        let sent = try await upload.receive(body)
        let purpose = [draft.story, draft.event, draft.screen ?? ""] + [draft.language].compactMap(\.self)
        let fingerprint = try await storage.run { sent.fingerprint(with: purpose) }
        guard try await known(draft) == nil else { return (nil, fingerprint) }
        return (try await media.prepare(draft.options, for: client) { sent }, fingerprint)
    }

    /// Keeps a prepared image, or finds the one that an earlier request has kept; and records it in the journal. Runs in the
    /// player's turn, in which nothing of the player is deleted.
    private func keep(
        _ image: PreparedCapture?, _ fingerprint: String, _ draft: Draft, in memory: Reservation
    ) async throws -> Kept {
        // It may have been deleted while it was prepared.
        try await checkNotRemoved(draft)
        let (capture, isNew) = try await store(image, fingerprint, draft)
        guard capture.fingerprint == fingerprint else { throw StorageFault.conflict(.request) }
        try media.queue.hold(capture.bytes, in: memory)
        var news = JournalContents()
        news.captures[capture.id] = .init(
            event: capture.event, file: Self.address(of: capture), timestamp: capture.time)
        try await stores.journals.record(JournalDocument(story: capture.story, contents: news), of: draft.player)
        let bytes: [UInt8]
        if isNew, let image { bytes = image.bytes } else { bytes = try await stores.blobs.read(capture.file) }
        return Kept(capture: capture, image: try HeldBytes(bytes, in: memory, of: media.queue))
    }

    private func store(
        _ image: PreparedCapture?, _ fingerprint: String, _ draft: Draft
    ) async throws(StorageFault) -> (capture: KeptCapture, isNew: Bool) {
        guard let image else {
            guard let known = try await stores.captures.capture(draft.id, of: draft.player) else {
                throw .removed(.capture)
            }
            return (known, false)
        }
        let new = NewCapture(
            id: draft.id, story: draft.story, event: draft.event, fingerprint: fingerprint, taken: draft.taken,
            time: .now)
        return try await stores.captures.keep(new, NewImage(image), of: draft.player)
    }

    private func checkNotRemoved(_ draft: Draft) async throws(StorageFault) {
        try await stores.erasures.checkNotRemoved(
            capture: draft.id, taken: draft.taken, story: draft.story, of: draft.player)
    }

    static func address(of capture: KeptCapture) -> String {
        "/v1/players/\(PercentEncoding.encode(capture.player))/captures/\(capture.id)"
    }
}

extension NewImage {
    init(_ image: PreparedCapture) {
        self.init(
            bytes: image.bytes, format: image.format.rawValue, type: image.format.mediaType, width: image.size.width,
            height: image.size.height)
    }
}
