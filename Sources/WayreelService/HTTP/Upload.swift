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

    /// The declared number of bytes, or the maximum. Throws a ``Problem`` if that is too large, or if the body is
    /// compressed.
    func byteCount(of request: Request) throws -> Int {
        try declaredBytes(of: request) ?? maxBytes
    }

    /// The declared number of bytes, if any. Throws likewise.
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
            guard count <= maxBytes else { throw tooLarge }
            if let secondBytes, count - mark >= secondBytes {
                (mark, deadline) = (count, .now + .seconds(seconds))
            }
            try await piece(chunk)
        }
        guard count > 0 else { throw Problem.badRequest("the request holds no \(noun)") }
        return count
    }

    /// The whole body in memory.
    func bytes(_ body: RequestBody) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try await read(body) { bytes.append(contentsOf: $0.readableBytesView) }
        return bytes
    }

    /// An image in a body, or in the file of a form with a boundary.
    func image(_ body: RequestBody, boundary: String?) async throws -> MediaBytes {
        let bytes = try await bytes(body)
        let content = try boundary.map { try MultipartForm.file(in: bytes, boundary: $0) } ?? bytes[...]
        guard !content.isEmpty else { throw Problem.badRequest("the request holds no \(noun)") }
        return MediaBytes(content)
    }

    private var tooLarge: Problem {
        Problem(
            .contentTooLarge, code: MediaError.Code.tooManyBytes.rawValue, "The \(noun) is too large",
            detail: "send at most \(maxBytes) bytes")
    }
}

extension Upload {
    /// The upload of an image, within the limits of the settings.
    init(imageWithin settings: ServiceSettings) {
        self.init(noun: "image", maxBytes: settings.maxBytes, seconds: settings.uploadSeconds)
    }
}
