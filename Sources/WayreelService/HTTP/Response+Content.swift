internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The bytes of an answer, with the memory that is reserved for them until the last client has read them.
final class HeldBytes: Sendable {
    let bytes: [UInt8]
    private let memory: Reservation

    init(_ bytes: [UInt8], in memory: Reservation) { (self.bytes, self.memory) = (bytes, memory) }

    /// Keeps of `memory`, which was reserved for an upload or a source, as much as `bytes` need.
    ///
    /// Throws a ``Problem`` if they need more than there is.
    convenience init(_ bytes: [UInt8], in memory: Reservation, of queue: RequestQueue) throws {
        do throws(Allowance.Refusal) { try memory.grow(to: bytes.count) } catch { throw queue.memoryProblem(error) }
        memory.shrink(to: bytes.count)
        self.init(bytes, in: memory)
    }

    func body(_ part: Range<Int>) -> ResponseBody { .pieces(of: bytes, part, keeping: self) }
}

extension ResponseBody {
    private static let pieceBytes = 16 << 10

    /// A part of `bytes`, in pieces, so that ``PacedWriter`` holds no copy of the whole. `owner` is kept until all is sent.
    static func pieces(of bytes: [UInt8], _ part: Range<Int>, keeping owner: (any Sendable)? = nil) -> ResponseBody {
        ResponseBody(contentLength: part.count) { writer in
            defer { withExtendedLifetime(owner) {} }
            for start in stride(from: part.lowerBound, to: part.upperBound, by: pieceBytes) {
                let end = min(start + pieceBytes, part.upperBound)
                try await writer.write(ByteBuffer(bytes: bytes[start..<end]))
            }
            try await writer.finish(nil)
        }
    }
}

extension Response {
    /// Answers with `bytes`, or with the part that a `Range` header requests; without a body to `HEAD`. For short texts,
    /// and for bytes that are in memory anyway and shared by all clients.
    ///
    /// Throws a ``Problem`` if there is no such part.
    init(_ bytes: [UInt8], _ headers: HTTPFields, to request: Request) throws {
        let answer = try Answer(request, headers, count: bytes.count)
        let body = answer.part.map { ResponseBody.pieces(of: bytes, $0) }
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
                chunkLength: Self.filePieceBytes)
        }
        self.init(status: answer.status, headers: answer.headers, body: body)
    }

    /// Files are read in pieces of this size.
    private static let filePieceBytes = 16 << 10
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
