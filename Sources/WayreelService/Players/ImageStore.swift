internal import Crypto
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import WayreelCore
internal import WayreelImage
internal import WayreelStorage

/// The record of an image of a player.
protocol ImageRecord: Sendable {
    /// The SHA-256 of the image as it was sent and of its purpose: a repeated request has the same.
    var fingerprint: String { get }
    /// Relative to the folder of data.
    var file: String { get }
}

/// Receives, prepares, keeps and returns the images of players: the common part of event captures and notes.
struct ImageStore: Sendable {
    let settings: ServiceSettings
    let folder: DataFolder
    let database: PlayerDatabase
    let erasures: ErasureDatabase
    let images: MediaWork
    let storage: StorageWork

    /// An image that was received, and its fingerprint.
    private typealias Received = (media: MediaBytes, fingerprint: String)

    /// The id that the device chose (`Idempotency-Key`, a UUID), or a new one, in lower case.
    ///
    /// Throws a ``Problem`` if it is no UUID.
    func id(of request: Request) throws -> String {
        guard let header = request.headers[Self.idempotencyKey] else { return UUID().uuidString.lowercased() }
        let text = header.hasPrefix("\"") && header.hasSuffix("\"") ? String(header.dropFirst().dropLast()) : header
        guard let id = UUID(uuidString: text) else { throw Problem.badRequest("the Idempotency-Key is not a UUID") }
        return id.uuidString.lowercased()
    }

    private static let idempotencyKey = HTTPField.Name("Idempotency-Key")!

    /// Receives the image of a request, prepares and keeps it, unless a request of the same id was answered before.
    ///
    /// `purpose` is what the request asks for beside the image. `known` finds the record of the request before, and
    /// checks the limits of the player where there is none: once before the image is received, so that none is sent in
    /// vain, and once before it is prepared; `keep` adds the record of an image and its fingerprint
    /// within the limits, or finds the one that another request has added meanwhile. Both block.
    ///
    /// Throws a ``Problem`` if the image is too large or too slow, the queue is full, or the id was used for another
    /// image.
    func keepOnce<Record: ImageRecord>(
        _ request: Request, _ context: ServiceContext, for player: PlayerIdentity, purpose: [String],
        _ options: CaptureOptions, known: @escaping @Sendable () throws -> Record?,
        keep: @escaping @Sendable (_ image: PreparedCapture, _ fingerprint: String) throws -> Record
    ) async throws -> Record {
        let reserved = try admit(request, of: context.client)
        defer { withExtendedLifetime(reserved) {} }
        return try await ClientPresence.required(on: context.channel) {
            _ = try await storage.run(for: player, known)
            let received = try await receive(reserved, request.body, purpose: purpose)
            let record: Record
            if let known = try await storage.run(for: player, known) {
                record = known
            } else {
                let image = try await images.prepare(options, for: context.client) { received.media }
                record = try await storage.run(for: player) { try keep(image, received.fingerprint) }
            }
            guard record.fingerprint == received.fingerprint else {
                throw Problem(
                    .unprocessableContent, code: "idempotency", "The Idempotency-Key was used for another request")
            }
            return record
        }
    }

    /// Receives the image of a request and prepares it, without keeping it.
    ///
    /// Throws a ``Problem`` if the image is too large or too slow, or the queue is full.
    func prepare(
        _ request: Request, _ context: ServiceContext, _ options: CaptureOptions
    ) async throws -> (image: HeldBytes, type: String) {
        let reserved = try admit(request, of: context.client)
        let image = try await ClientPresence.required(on: context.channel) {
            let media = try await reserved.receive(request.body)
            return try await images.prepare(options, for: context.client) { media }
        }
        return (try HeldBytes(image.bytes, in: reserved.memory, of: images.queue), image.format.mediaType)
    }

    /// Reserves the memory of an image before its body is read.
    private func admit(_ request: Request, of client: Client) throws -> ReservedUpload {
        try images.queue.check(client)
        let boundary = try request.headers[.contentType].flatMap { try MultipartForm.boundary($0) }
        return try Upload(imageWithin: settings).reserve(for: request, of: client, in: images.queue, boundary: boundary)
    }

    /// Receives the image in a body, or in a form.
    private func receive(
        _ reserved: ReservedUpload, _ body: RequestBody, purpose: [String]
    ) async throws -> Received {
        let media = try await reserved.receive(body)
        return try await storage.run {
            var hash = SHA256()
            // With the length of each part, different purposes have different hashes.
            for part in purpose { hash.update(data: Array("\(part.utf8.count):\(part)".utf8)) }
            hash.update(bufferPointer: media.buffer)
            return (media, hash.finalize().hexadecimal)
        }
    }

    /// Returns the bytes of a stored file. Blocks.
    ///
    /// Throws an `io` error if it cannot be read.
    func bytes(of file: String) throws(MediaError) -> [UInt8] {
        let media = try MediaBytes.read(path: "\(folder.path)/\(file)", limit: .max)
        return withExtendedLifetime(media) { [UInt8](media.buffer) }
    }

    /// Answers with a stored file, or a range of it.
    func answer(
        _ file: String, type: String, cacheControl: String, to request: Request, _ context: some RequestContext
    ) async throws -> Response {
        let path = "\(folder.path)/\(file)"
        let tag = EntityTag(file.fileName ?? "")
        var headers: HTTPFields = [.eTag: tag.text, .cacheControl: cacheControl, .vary: "Authorization"]
        if tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = type
        let stamp = try await storage.run { () throws -> FileStamp in
            guard let stamp = FileStamp(of: path) else { throw Problem.notFound("no such image") }
            return stamp
        }
        return try await Response(file: path, count: stamp.bytes, headers, to: request, context)
    }
}
