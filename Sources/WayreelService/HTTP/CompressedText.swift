internal import CZlib
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// A text and its gzip form, which is made once.
struct CompressedText: Sendable {
    private let plain: [UInt8]
    /// nil if it is no smaller.
    private let gzip: [UInt8]?

    init(_ plain: [UInt8]) {
        self.plain = plain
        let bound = czlib_gzip_bound(plain.count)
        let gzip = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = plain.withUnsafeBytes { czlib_gzip($0.baseAddress, $0.count, buffer.baseAddress, bound) }
        }
        self.gzip = !gzip.isEmpty && gzip.count < plain.count ? gzip : nil
    }

    /// The memory of both forms in bytes.
    var cost: Int { plain.count + (gzip?.count ?? 0) }

    /// Answers in the form that `Accept-Encoding` chooses; 304 to a client that has the text. `tag` names the plain
    /// form.
    ///
    /// Throws a ``Problem`` if a range is asked for that it does not have.
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
    private let texts = Mutex(RecentValues<String, CompressedText>(maxCost: 64 << 20))

    /// The text of a name, which has to change with its content; `make` creates a missing one. Blocks.
    func text(_ name: String, _ make: () throws -> [UInt8]) rethrows -> CompressedText {
        if let known = texts.withLock({ $0[name] }) { return known }
        let made = CompressedText(try make())
        texts.withLock { $0.keep(made, cost: made.cost, for: name) }
        return made
    }
}
