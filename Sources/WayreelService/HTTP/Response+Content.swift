internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import WayreelDocument
internal import WayreelStorage

/// The bytes of an answer, with the memory that is reserved for them until the last client has read them.
final class HeldBytes: Sendable {
    let bytes: [UInt8]
    private let memory: Reservation

    init(_ bytes: [UInt8], in memory: Reservation) { (self.bytes, self.memory) = (bytes, memory) }

    /// Keeps of `memory`, which was reserved for an upload or a source, as much as `bytes` need.
    ///
    /// Throws if they need more than there is.
    convenience init(_ bytes: [UInt8], in memory: Reservation, of queue: RequestQueue) throws(AdmissionFault) {
        try queue.hold(bytes.count, in: memory)
        memory.shrink(to: bytes.count)
        self.init(bytes, in: memory)
    }

    func body(_ part: Range<Int>) -> ResponseBody { .pieces(part) { [self] in ByteBuffer(bytes: bytes[$0]) } }
}

extension ResponseBody {
    fileprivate static let pieceBytes = 16 << 10

    /// A part of some content, in pieces that `read` returns, so that ``PacedWriter`` holds no copy of the whole. What `read`
    /// has is kept until all is sent.
    fileprivate static func pieces(
        _ part: Range<Int>, _ read: @escaping @Sendable (Range<Int>) async throws -> ByteBuffer
    ) -> ResponseBody {
        ResponseBody(contentLength: part.count) { writer in
            for start in stride(from: part.lowerBound, to: part.upperBound, by: pieceBytes) {
                try await writer.write(try await read(start..<min(start + pieceBytes, part.upperBound)))
            }
            try await writer.finish(nil)
        }
    }
}

extension Response {
    /// Answers with a value as JSON.
    init(json value: some Encodable, status: HTTPResponse.Status = .ok, _ fields: HTTPFields) throws {
        var headers = fields
        headers[.contentType] = "application/json"
        self.init(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try CanonicalJSON.bytes(value))))
    }

    /// Answers with `bytes`, or with the part that a `Range` header requests; without a body to `HEAD`. For short texts,
    /// and for bytes that are in memory anyway and shared by all clients.
    ///
    /// Throws a ``Problem`` if there is no such part.
    init(_ bytes: [UInt8], _ headers: HTTPFields, to request: Request) throws {
        let answer = try Answer(request, headers, count: bytes.count)
        let body = answer.part.map { ResponseBody.pieces($0) { ByteBuffer(bytes: bytes[$0]) } }
        self.init(status: answer.status, headers: answer.headers, body: body ?? ResponseBody())
    }

    /// Answers with `held`, likewise.
    init(_ held: HeldBytes, _ headers: HTTPFields, to request: Request) throws {
        let answer = try Answer(request, headers, count: held.bytes.count)
        self.init(
            status: answer.status, headers: answer.headers, body: answer.part.map(held.body) ?? ResponseBody())
    }

    /// Answers with the file at `path`, likewise.
    ///
    /// Throws a ``Problem`` also if it cannot be read.
    init(
        file path: String, count: Int, _ headers: HTTPFields, to request: Request, _ context: some RequestContext
    ) async throws {
        let answer = try Answer(request, headers, count: count)
        var body = ResponseBody()
        if let part = answer.part, !part.isEmpty {
            body = try await FileIO().loadFile(
                path: path, range: part.lowerBound...part.upperBound - 1, context: context,
                chunkLength: ResponseBody.pieceBytes)
        }
        self.init(status: answer.status, headers: answer.headers, body: body)
    }

    /// Answers with a stored image that keeps its bytes, or a part of it, likewise.
    ///
    /// Throws ``StorageFault/notFound`` if there is none.
    init(
        image key: BlobKey, of blobs: any BlobStoring, type: String, cacheControl: String, to request: Request
    ) async throws {
        let tag = EntityTag(String(key.name))
        var headers: HTTPFields = [.eTag: tag.text, .cacheControl: cacheControl, .vary: "Authorization"]
        if tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
            self.init(status: .notModified, headers: headers)
            return
        }
        headers[.contentType] = type
        try self.init(blob: try await blobs.open(key), headers, to: request)
    }

    /// Answers with stored content, or a part of it, likewise.
    init(blob: some StoredBlob, _ headers: HTTPFields, to request: Request) throws {
        let answer = try Answer(request, headers, count: blob.count)
        let body = answer.part.map { ResponseBody.pieces($0) { ByteBuffer(bytes: try await blob.read($0)) } }
        self.init(status: answer.status, headers: answer.headers, body: body ?? ResponseBody())
    }
}

/// The answer to a request for content of `count` bytes.
private struct Answer {
    var status = HTTPResponse.Status.ok
    var headers: HTTPFields
    /// The range of bytes in the body; nil for no body.
    var part: Range<Int>?

    init(_ request: Request, _ headers: HTTPFields, count: Int) throws {
        self.headers = headers
        self.headers[.acceptRanges] = "bytes"
        var length = count
        // A range of content that may have changed is ignored (RFC 9110, section 13.1.5), and one with other methods
        // (section 14.2).
        let isSame = request.headers[.ifRange].map { $0 == headers[.eTag] } ?? true
        let hasRanges = isSame && request.method == .get
        switch hasRanges ? RequestedRange(header: request.headers[.range], count: count) : .whole {
        case .whole: part = 0..<count
        case .part(let range):
            (status, part, length) = (.partialContent, range, range.count)
            self.headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
        case .unsatisfiable: throw Problem.unsatisfiableRange(count)
        }
        self.headers[.contentLength] = "\(length)"
        if request.method == .head { part = nil }
    }
}

/// Writes a body no faster than its client reads it.
///
/// A writer learns that a connection takes no more only when its event loop has written what came before. Until then, it
/// would go on, and a client that does not read would have the whole body in memory. So it waits for the event loop after
/// each piece.
struct PacedWriter: ResponseBodyWriter {
    private var base: any ResponseBodyWriter
    private let loop: any EventLoop
    private let traffic: Metrics.Traffic
    /// The bytes written since the event loop was waited for.
    private var bytes = 0

    private static let pieceBytes = 128 << 10
    /// What the kernel takes of a connection beyond what is on its way to the client.
    static let unsentBytes = 64 << 10
    /// What one answer holds in memory at most that its client has not read: a piece, what waits in the connection before that
    /// counts as full (64 KiB), and what the kernel has.
    static let aheadBytes = pieceBytes + (64 << 10) + 2 * unsentBytes

    init(_ base: any ResponseBodyWriter, on loop: any EventLoop, counting traffic: Metrics.Traffic) {
        (self.base, self.loop, self.traffic) = (base, loop, traffic)
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        bytes += buffer.readableBytes
        try await base.write(buffer)
        traffic.count(sent: buffer.readableBytes)
        guard bytes >= Self.pieceBytes else { return }
        bytes = 0
        try await loop.submit {}.get()
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await base.finish(trailingHeaders) }
}

extension Response {
    /// An answer of so many bytes is part of the memory of its connection.
    private static let freeBytes = 16 << 10

    /// Lets the body wait for its client, and reserves what it holds meanwhile. Its bytes are counted in `traffic`.
    ///
    /// Throws if there is no memory for it.
    mutating func pace(
        on loop: any EventLoop, in queue: RequestQueue, for client: Client, counting traffic: Metrics.Traffic
    ) throws(AdmissionFault) {
        let length = body.contentLength
        if let length, length <= Self.freeBytes { return traffic.count(sent: length) }
        let memory = try queue.reserve(min(length ?? Self.freeBytes, PacedWriter.aheadBytes), for: client)
        let whole = body
        body = ResponseBody(contentLength: length) { writer in
            defer { withExtendedLifetime(memory) {} }
            try await whole.write(PacedWriter(writer, on: loop, counting: traffic))
        }
    }
}
