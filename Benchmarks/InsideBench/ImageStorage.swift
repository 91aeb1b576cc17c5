internal import FoundationEssentials
internal import Glibc
internal import GRDB
internal import WayreelCore
internal import WayreelDatabase

/// An encoded image to store, with a name.
struct StoredImage: Hashable, Sendable {
    var name: String
    var bytes: Data
}

/// A method of storing images on a disk.
protocol ImageStorage {
    /// Adds an image, which survives a loss of power once this returns.
    mutating func add(_ image: StoredImage) throws(MediaError)

    /// Returns all images in the order in which they were added.
    func images() throws(MediaError) -> [StoredImage]
}

/// The storage methods that are compared.
enum StorageKind: String, CaseIterable {
    case blob = "BLOB in SQLite"
    case base64 = "base64 in JSON"
    case files = "files by path"

    /// Opens the images in `folder`; an empty folder contains none.
    func open(_ folder: String) throws(MediaError) -> any ImageStorage {
        switch self {
        case .blob, .files: try TableStore(folder: folder, hasFiles: self == .files)
        case .base64: Base64Store(folder: folder)
        }
    }
}

extension MediaError.Step {
    static let storage = MediaError.Step(rawValue: "storage")
}

extension MediaError {
    /// Returns the result of `body`; its other errors become `io` errors of the file at `path`.
    static func storing<Result>(at path: String, _ body: () throws -> Result) throws(MediaError) -> Result {
        do { return try body() } catch {
            throw error as? MediaError ?? MediaError(.io, step: .storage, subject: path, reason: "\(error)")
        }
    }
}

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

    init(folder: String) { path = "\(folder)/images.json" }

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

/// Stores each image in a row of a SQLite table with the guarantees of the service's: its bytes as a BLOB, or the path of
/// a file, as it would hold a URL.
struct TableStore: ImageStorage {
    private let folder: String
    private let hasFiles: Bool
    private let database: DurableDatabase

    init(folder: String, hasFiles: Bool) throws(MediaError) {
        (self.folder, self.hasFiles) = (folder, hasFiles)
        database = try DurableDatabase(
            "\(folder)/images.sqlite",
            Migrations(
                sql: ["CREATE TABLE image (position INTEGER PRIMARY KEY, name TEXT NOT NULL, content NOT NULL)"]))
    }

    /// Adds an image. The file is on the disk before the row that refers to it.
    func add(_ image: StoredImage) throws(MediaError) {
        try MediaError.storing(at: database.path) {
            var content: any DatabaseValueConvertible = image.bytes
            if hasFiles {
                let count = try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM image") ?? 0 }
                let path = "\(count + 1).image"
                try OutputFile.write(Array(image.bytes), to: "\(folder)/\(path)")
                content = path
            }
            let arguments: StatementArguments = [image.name, content]
            try database.write {
                try $0.execute(sql: "INSERT INTO image (name, content) VALUES (?, ?)", arguments: arguments)
            }
        }
    }

    func images() throws(MediaError) -> [StoredImage] {
        try MediaError.storing(at: database.path) {
            try database.read { database in
                try Row.fetchCursor(database, sql: "SELECT name, content FROM image ORDER BY position").reduce(into: [])
                {
                    let bytes: Data =
                        hasFiles
                        ? try Data(contentsOf: URL(filePath: "\(folder)/\($1["content"] as String)")) : $1["content"]
                    $0.append(StoredImage(name: $1["name"], bytes: bytes))
                }
            }
        }
    }
}
