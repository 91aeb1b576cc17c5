internal import FoundationEssentials
internal import Glibc
internal import WayreelCore

/// Stores all images in one JSON document in base64. It is rewritten for each image, because JSON cannot be appended
/// to.
struct Base64Store: ImageStorage {
    private struct Document: Codable {
        struct Entry: Codable {
            var name: String
            /// The bytes of the image, which JSONEncoder writes as base64.
            var bytes: Data
        }

        var images: [Entry] = []
    }

    private let path: String
    /// The content of the file; nil until an image is added.
    private var document: Document?

    init(folder: String) throws(MediaError) { path = "\(folder)/images.json" }

    mutating func add(_ image: StoredImage) throws(MediaError) {
        if document == nil { document = access(path, F_OK) == 0 ? try Self.read(path) : Document() }
        document?.images.append(.init(name: image.name, bytes: image.bytes))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let bytes = try MediaError.storing(at: path) { try encoder.encode(document) }
        try OutputFile.write(Array(bytes), to: path)
    }

    func images() throws(MediaError) -> [StoredImage] {
        try Self.read(path).images.map { StoredImage(name: $0.name, bytes: $0.bytes) }
    }

    private static func read(_ path: String) throws(MediaError) -> Document {
        try MediaError.storing(at: path) {
            try JSONDecoder().decode(Document.self, from: Data(contentsOf: URL(filePath: path)))
        }
    }
}
