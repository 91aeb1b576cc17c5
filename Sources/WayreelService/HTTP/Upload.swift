internal import Crypto
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import WayreelCore

/// The body of a request. A declared size beyond the limit is refused before the body is read; a slow body while it is
/// read.
struct Upload: Sendable {
    /// The name of the content in messages: `image`.
    var noun: String
    var maxBytes: Int
    /// The time limit of the whole body or, with ``secondBytes``, of each piece of that size.
    var seconds: Double
    var secondBytes: Int?

    /// What is reserved, and taken, at once for a body of undeclared size.
    private static let stepBytes = 1 << 20

    /// The declared number of bytes, if any. Throws a ``Problem`` if that is too large, or if the body is compressed.
    func declaredBytes(of request: Request) throws -> Int? {
        guard request.headers[.contentEncoding].map({ $0 == "identity" }) ?? true else {
            throw Problem(
                .unsupportedMediaType, code: "encoding", "Compressed requests are not accepted",
                detail: "send the \(noun) as it is")
        }
        guard let declared = request.headers[.contentLength] else { return nil }
        guard let count = Int(declared), count <= maxBytes else { throw tooLarge }
        return count
    }

    /// Reserves memory for the body before any of it is read: all that is declared, else for the first piece. `boundary` is
    /// that of a form, whose file is the content.
    ///
    /// Throws an ``AdmissionFault`` if there is none, and the problems of ``declaredBytes(of:)``.
    func reserve(
        for request: Request, of client: Client, in queue: RequestQueue, boundary: String? = nil
    ) throws -> ReservedUpload {
        let bytes = try declaredBytes(of: request) ?? min(Self.stepBytes, maxBytes)
        return ReservedUpload(
            upload: self, boundary: boundary, memory: try queue.reserve(bytes, for: client), bytes: bytes, queue: queue)
    }

    /// Passes the body on in pieces. Returns its number of bytes, at least 1.
    func read(_ body: RequestBody, _ piece: (ByteBuffer) async throws -> Void) async throws -> Int {
        ExpectContinue.sendContinue()
        var count = 0
        var mark = 0
        var deadline = ContinuousClock.now + .seconds(seconds)
        for try await chunk in body {
            guard ContinuousClock.now < deadline else {
                throw Problem(
                    .requestTimeout, code: MediaError.Code.timedOut.rawValue, "The \(noun) took too long to arrive")
            }
            count += chunk.readableBytes
            RequestRecord.current?.count(received: chunk.readableBytes)
            guard count <= maxBytes else { throw tooLarge }
            if let secondBytes, count - mark >= secondBytes {
                (mark, deadline) = (count, .now + .seconds(seconds))
            }
            try await piece(chunk)
        }
        guard count > 0 else { throw Problem.badRequest("the request holds no \(noun)") }
        return count
    }

    /// The whole body, of a few kilobytes: no memory is reserved for it beyond that of its connection.
    func receiveSmall(_ body: RequestBody) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try await read(body) { bytes += $0.readableBytesView }
        return bytes
    }

    private var tooLarge: Problem {
        Problem(
            .contentTooLarge, code: MediaError.Code.tooManyBytes.rawValue, "The \(noun) is too large",
            detail: "send at most \(maxBytes) bytes")
    }
}

/// An upload whose memory is reserved as long as this value, or its ``memory``, is kept.
struct ReservedUpload: Sendable {
    fileprivate let upload: Upload
    fileprivate let boundary: String?
    let memory: Reservation
    fileprivate let bytes: Int
    fileprivate let queue: RequestQueue

    /// Receives the whole content.
    func receive(_ body: RequestBody) async throws -> MediaBytes {
        let content = try MediaBuffer(capacity: bytes)
        var form = boundary.map { MultipartForm(boundary: $0) }
        _ = try await upload.read(body) { piece in
            try piece.withUnsafeReadableBytes { piece in
                guard form != nil else { return try add(piece, to: content) }
                try form?.read(piece) { try add($0, to: content) }
            }
        }
        try form?.finish()
        guard content.count > 0 else { throw Problem.badRequest("the request holds no \(upload.noun)") }
        memory.shrink(to: content.capacity)
        return content.finish()
    }

    /// Receives the whole body, not a form.
    func receiveArray(_ body: RequestBody) async throws -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(bytes)
        _ = try await upload.read(body) { piece in
            let needed = content.count + piece.readableBytes
            // An array that grows has twice the size.
            if needed > content.capacity { try queue.hold(2 * needed, in: memory) }
            content.append(contentsOf: piece.readableBytesView)
        }
        return content
    }

    /// Reserves memory before it is taken.
    private func add(_ piece: UnsafeRawBufferPointer, to content: MediaBuffer) throws {
        let needed = content.count + piece.count
        if needed > content.capacity {
            let wanted = min(max(needed, content.capacity / 2 * 3), max(needed, upload.maxBytes))
            let reserved = try queue.hold(needed, in: memory, step: wanted - content.capacity)
            try content.grow(to: max(needed, min(wanted, reserved)))
        }
        content.append(piece)
    }
}

// MARK: Images that may be sent again

extension ReservedUpload {
    /// Reserves the memory of an image, alone or in a form, before any of its body is read. Throws an ``AdmissionFault`` if
    /// there is no place or memory for it, and a ``Problem`` if it is too large.
    static func image(
        of request: Request, from client: Client, in queue: RequestQueue, _ settings: ServiceSettings
    ) throws -> ReservedUpload {
        try queue.check(client)
        let boundary = try request.headers[.contentType].flatMap { try MultipartForm.boundary($0) }
        return try Upload(imageWithin: settings).reserve(for: request, of: client, in: queue, boundary: boundary)
    }
}

extension Upload {
    /// The upload of an image, within the limits of the settings.
    init(imageWithin settings: ServiceSettings) {
        self.init(noun: "image", maxBytes: settings.maxBytes, seconds: settings.uploadSeconds)
    }

    private static let idempotencyKey = HTTPField.Name("Idempotency-Key")!

    /// The id that the device chose (`Idempotency-Key`, a UUID), or a new one, in lower case.
    ///
    /// Throws a ``Problem`` if it is no UUID.
    static func id(of request: Request) throws -> String {
        guard let header = request.headers[idempotencyKey] else { return UUID().uuidString.lowercased() }
        let text = header.hasPrefix("\"") && header.hasSuffix("\"") ? String(header.dropFirst().dropLast()) : header
        guard let id = UUID(uuidString: text) else { throw Problem.badRequest("the Idempotency-Key is not a UUID") }
        return id.uuidString.lowercased()
    }
}

extension MediaBytes {
    /// The SHA-256 of the bytes and of what a request asks for beside them: a repeated request has the same. Blocks.
    func fingerprint(with purpose: [String]) -> String {
        var hash = SHA256()
        // With the length of each part, different purposes have different hashes.
        for part in purpose { hash.update(data: Array("\(part.utf8.count):\(part)".utf8)) }
        hash.update(bufferPointer: buffer)
        return withExtendedLifetime(self) { hash.finalize().hexadecimal }
    }
}
