internal import HTTPTypes
internal import Hummingbird
internal import WayreelPlayer

/// A file of a page, with the headers that restrict the page in a browser. It is compressed at its first request.
struct PageAnswer: Sendable {
    private let bytes: [UInt8]
    private let type: String
    private let tag: String

    private static let texts = CompressedTexts()

    /// `tag` must be another one if the bytes are.
    init(_ bytes: [UInt8], type: String, tag: String) { (self.bytes, self.type, self.tag) = (bytes, type, tag) }

    init(_ file: PageFile) { self.init(file.bytes, type: file.type, tag: file.hash) }

    func response(to request: Request) throws -> Response {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
        for (name, value) in PagePolicy.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return try Self.texts.text(tag) { bytes }.response(to: request, tag: tag, headers)
    }
}
