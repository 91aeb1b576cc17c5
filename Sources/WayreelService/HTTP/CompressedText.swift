internal import CZlib
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// A text and its gzip encoding, which is made once.
struct CompressedText: Sendable {
    private let plain: [UInt8]
    /// nil if the encoding is not smaller.
    private let gzip: [UInt8]?

    init(_ plain: [UInt8]) {
        self.plain = plain
        let bound = czlib_gzip_bound(plain.count)
        let gzip = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = plain.withUnsafeBytes { czlib_gzip($0.baseAddress, $0.count, buffer.baseAddress, bound) }
        }
        self.gzip = !gzip.isEmpty && gzip.count < plain.count ? gzip : nil
    }

    /// The memory of both in bytes.
    var cost: Int { plain.count + (gzip?.count ?? 0) }

    /// Answers with the encoding that `Accept-Encoding` chooses, or 304 if the client has the text. `tag` is the entity
    /// tag of the plain text.
    ///
    /// Throws a ``Problem`` if the requested range is outside the text.
    func response(to request: Request, tag: String, _ fields: HTTPFields) throws -> Response {
        let tags = (plain: EntityTag(tag), gzip: EntityTag("\(tag)-gzip"))
        let isGzip = gzip != nil && AcceptHeader(request.headers[.acceptEncoding]).quality("gzip", "x-gzip", "*") > 0
        var headers = fields
        headers[.vary] = "Accept-Encoding"
        headers[.eTag] = (isGzip ? tags.gzip : tags.plain).text
        let known = request.headers[.ifNoneMatch]
        if tags.plain.matches(ifNoneMatch: known) || tags.gzip.matches(ifNoneMatch: known) {
            return Response(status: .notModified, headers: headers)
        }
        if isGzip { headers[.contentEncoding] = "gzip" }
        return try Response(isGzip ? gzip! : plain, headers, to: request)
    }
}

/// A cache of the most recent texts.
final class CompressedTexts: Sendable {
    private let texts = Mutex(RecentValues<String, CompressedText>(maxCost: 8 << 20))

    /// Returns the text of a name, which must be another one if the content is. `make` creates a missing text. Blocks.
    func text(_ name: String, _ make: () throws -> [UInt8]) rethrows -> CompressedText {
        if let known = texts.withLock({ $0[name] }) { return known }
        let made = CompressedText(try make())
        texts.withLock { $0.keep(made, cost: made.cost, for: name) }
        return made
    }
}
