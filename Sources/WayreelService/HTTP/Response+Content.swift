internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Response {
    /// Answers with `bytes`, or with the part that a `Range` header requests; without a body to `HEAD`.
    ///
    /// Throws a ``Problem`` if there is no such part.
    init(_ bytes: [UInt8], _ headers: HTTPFields, to request: Request) throws {
        let answer = try Answer(request, headers, count: bytes.count)
        let body = answer.part.map { ResponseBody(byteBuffer: ByteBuffer(bytes: bytes[$0])) }
        self.init(status: answer.status, headers: answer.headers, body: body ?? ResponseBody())
    }

    /// Answers with the file at `path`, likewise. Throws a ``Problem`` also if it cannot be read.
    init(
        file path: String, count: Int, _ headers: HTTPFields, to request: Request, _ context: some RequestContext
    ) async throws {
        let answer = try Answer(request, headers, count: count)
        var body = ResponseBody()
        if let part = answer.part, !part.isEmpty {
            body = try await FileIO().loadFile(
                path: path, range: part.lowerBound...part.upperBound - 1, context: context)
        }
        self.init(status: answer.status, headers: answer.headers, body: body)
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
