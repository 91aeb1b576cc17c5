package import FoundationEssentials
package import WayreelCore

/// An image as it is stored: encoded, with a name.
package struct StoredImage: Hashable, Sendable {
    package var name: String
    package var bytes: Data

    package init(name: String, bytes: Data) {
        self.name = name
        self.bytes = bytes
    }
}

/// A way to keep images on a disk.
package protocol ImageStore {
    /// Opens the images in `folder`; an empty folder holds none.
    init(folder: String) throws(MediaError)

    /// Adds an image; when it returns, the image outlives a loss of power.
    mutating func add(_ image: StoredImage) throws(MediaError)

    /// All images, in the order in which they were added.
    func images() throws(MediaError) -> [StoredImage]
}

/// The ways that are compared.
package enum StorageKind: String, Sendable, Codable, CaseIterable {
    case blob, base64, files

    package var name: String {
        switch self {
        case .blob: "BLOB in SQLite"
        case .base64: "base64 in JSON"
        case .files: "files by path"
        }
    }

    package func open(_ folder: String) throws(MediaError) -> any ImageStore {
        switch self {
        case .blob: try BlobStore(folder: folder)
        case .base64: try Base64Store(folder: folder)
        case .files: try FileStore(folder: folder)
        }
    }
}
