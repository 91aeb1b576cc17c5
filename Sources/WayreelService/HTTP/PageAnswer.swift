internal import HTTPTypes
internal import Hummingbird
internal import WayreelPlayer

/// A file of a page, with the headers that restrict the page in a browser. It is compressed at its first request.
struct PageAnswer: Sendable {
    private let bytes: [UInt8]
    private let type: String
    private let tag: String
    private let frameAncestors: [String]

    private static let texts = CompressedTexts()

    /// `tag` must be another one if the bytes are.
    init(_ bytes: [UInt8], type: String, tag: String, _ settings: ServiceSettings) {
        (self.bytes, self.type, self.tag) = (bytes, type, tag)
        frameAncestors = settings.frameAncestors
    }

    init(_ file: PageFile, _ settings: ServiceSettings) {
        self.init(file.bytes, type: file.type, tag: file.hash, settings)
    }

    func response(to request: Request) throws -> Response {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
        for (name, value) in PagePolicy.headers(frameAncestors: frameAncestors) {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return try Self.texts.text(tag) { bytes }.response(to: request, tag: tag, headers)
    }
}

/// The setting `frame-ancestors`.
enum FrameAncestors {
    /// The sources of a Content-Security-Policy: `none`, `self`, or origins, whose host may begin with `*.`; nil for
    /// another text.
    static func sources(_ text: String) -> [String]? {
        if text == "none" { return ["'none'"] }
        let items = text.split(separator: ",").map(String.init)
        let sources = items.compactMap { item -> String? in
            if item == "self" { return "'self'" }
            let plain = item.replacing("://*.", with: "://", maxReplacements: 1)
            return plain != "*" && AllowedOrigins.isOrigin(plain) ? item : nil
        }
        return !items.isEmpty && sources.count == items.count ? sources : nil
    }
}
