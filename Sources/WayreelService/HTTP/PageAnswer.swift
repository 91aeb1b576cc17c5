internal import HTTPTypes
internal import Hummingbird
internal import WayreelPlayer

/// A file of a page, as it is sent: compressed, and with what a browser may let it do.
struct PageAnswer: Sendable {
    private let text: CompressedText
    private let type: String
    private let tag: String

    /// `tag` changes with the bytes.
    init(_ bytes: [UInt8], type: String, tag: String) {
        text = CompressedText(bytes)
        (self.type, self.tag) = (type, tag)
    }

    init(_ file: PageFile) { self.init(file.bytes, type: file.type, tag: file.hash) }

    func response(to request: Request) -> Response {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
        for (name, value) in PagePolicy.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return text.response(to: request, tag: tag, headers)
    }
}
