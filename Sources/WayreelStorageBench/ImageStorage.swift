package import FoundationEssentials
package import WayreelCore

/// An encoded image to store, with a name.
package struct StoredImage: Hashable, Sendable {
    package var name: String
    package var bytes: Data

    package init(name: String, bytes: Data) {
        self.name = name
        self.bytes = bytes
    }
}

/// A method of storing images on a disk.
package protocol ImageStorage {
    /// Opens the images in `folder`; an empty folder contains none.
    init(folder: String) throws(MediaError)

    /// Adds an image, which survives a loss of power once this returns.
    mutating func add(_ image: StoredImage) throws(MediaError)

    /// Returns all images in the order in which they were added.
    func images() throws(MediaError) -> [StoredImage]
}

/// The storage methods that are compared.
package enum StorageKind: String, Sendable, Codable, CaseIterable {
    case blob, base64, files

    package var name: String {
        switch self {
        case .blob: "BLOB in SQLite"
        case .base64: "base64 in JSON"
        case .files: "files by path"
        }
    }

    package func open(_ folder: String) throws(MediaError) -> any ImageStorage {
        switch self {
        case .blob: try BlobStore(folder: folder)
        case .base64: try Base64Store(folder: folder)
        case .files: try FileStore(folder: folder)
        }
    }
}

extension MediaError {
    /// Returns the result of `body`; its other errors become `io` errors of the file at `path`.
    static func storing<Result>(at path: String, _ body: () throws -> Result) throws(MediaError) -> Result {
        do { return try body() } catch {
            throw error as? MediaError ?? MediaError(.io, step: "storage", subject: path, reason: "\(error)")
        }
    }
}
