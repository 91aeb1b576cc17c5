internal import CZlib
internal import HTTPTypes
internal import Synchronization

/// Text that is compressed once and sent to whoever accepts it so.
struct CompressedText: Sendable {
    let plain: [UInt8]
    /// nil where it is no smaller.
    private let gzip: [UInt8]?

    init(_ plain: [UInt8]) {
        self.plain = plain
        let bound = czlib_gzip_bound(plain.count)
        let gzip = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = plain.withUnsafeBytes { czlib_gzip($0.baseAddress, $0.count, buffer.baseAddress, bound) }
        }
        self.gzip = !gzip.isEmpty && gzip.count < plain.count ? gzip : nil
    }

    /// How many bytes it takes.
    var cost: Int { plain.count + (gzip?.count ?? 0) }

    /// The form that an `Accept-Encoding` header chooses, with the headers that tell of it. `tag` names the plain text.
    func chosen(by accept: String?, tag: String) -> (bytes: [UInt8], headers: HTTPFields) {
        let isGzip = AcceptHeader(accept).quality("gzip", "x-gzip", "*") > 0
        guard isGzip, let gzip else { return (plain, [.vary: "Accept-Encoding", .eTag: EntityTag(tag).text]) }
        return (gzip, [.vary: "Accept-Encoding", .contentEncoding: "gzip", .eTag: EntityTag("\(tag)-gzip").text])
    }
}

/// The texts that were asked for last.
final class CompressedTexts: Sendable {
    private let texts = Mutex(RecentValues<String, CompressedText>(maxCost: 64 << 20))

    /// The text of a name that changes with its content; `make` is asked for it where it is not known. Blocks.
    func text(_ name: String, _ make: () throws -> [UInt8]) rethrows -> CompressedText {
        if let known = texts.withLock({ $0[name] }) { return known }
        let made = CompressedText(try make())
        texts.withLock { $0.keep(made, cost: made.cost, for: name) }
        return made
    }
}
