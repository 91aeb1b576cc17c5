internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import WayreelCore

/// Reads what is uploaded, up to a limit and within its time.
struct UploadReader: Sendable {
    let settings: ServiceSettings

    /// What the request declares, or may have at most. Throws a ``Problem`` where that is too much, or it is compressed.
    func byteCount(of request: Request, limit: Int) throws -> Int {
        guard request.headers[.contentEncoding].map({ $0 == "identity" }) ?? true else {
            throw Problem(
                .unsupportedMediaType, code: "encoding", "Compressed requests are not accepted",
                detail: "send the body as it is")
        }
        guard let declared = request.headers[.contentLength] else { return limit }
        guard let count = Int(declared), count <= limit else { throw Self.tooLarge(limit) }
        return count
    }

    /// The whole body. Throws a ``Problem`` where it is too large or too slow.
    func bytes(of body: RequestBody, limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(settings.uploadSeconds)
        for try await chunk in body {
            guard ContinuousClock.now < deadline else {
                throw Problem(
                    .requestTimeout, code: MediaError.Code.timedOut.rawValue, "The body took too long to arrive")
            }
            guard bytes.count + chunk.readableBytes <= limit else { throw Self.tooLarge(limit) }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return bytes
    }

    /// The image in a body, or in the file of a form with a boundary.
    func image(in body: RequestBody, boundary: String?) async throws -> MediaBytes {
        let bytes = try await bytes(of: body, limit: settings.maxBytes)
        let upload = try boundary.map { try MultipartForm.file(in: bytes, boundary: $0) } ?? bytes[...]
        guard !upload.isEmpty else { throw Problem.badRequest("the request holds no image") }
        return MediaBytes(upload)
    }

    private static func tooLarge(_ limit: Int) -> Problem {
        Problem(
            .contentTooLarge, code: MediaError.Code.tooManyBytes.rawValue, "The body is too large",
            detail: "send at most \(limit) bytes")
    }
}
