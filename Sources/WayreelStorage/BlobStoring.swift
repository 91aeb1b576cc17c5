/// The name of a blob: its folders and a name, separated by `/`.
package struct BlobKey: Hashable, Sendable, CustomStringConvertible {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// The last part of the path.
    package var name: Substring { path.split(separator: "/").last ?? "" }
    package var description: String { path }
}

/// Stores files of any content, such as the images of captures and notes, and the samples of recordings. Nothing but its bytes is known of a blob:
/// who has it, and whether it is needed, is in the stores of those.
///
/// Each function has its whole effect or none, whatever else runs at the same time.
package protocol BlobStoring: Sendable {
    /// Writes a blob, or replaces the one of this name. It survives a loss of power when this returns.
    func write(_ bytes: [UInt8], to key: BlobKey) async throws(StorageFault)

    /// Opens a blob, which can be read to its end from then on, also if it is deleted meanwhile.
    ///
    /// Throws ``StorageFault/notFound`` if there is none.
    func open(_ key: BlobKey) async throws(StorageFault) -> any StoredBlob

    /// Deletes blobs. Those that are missing are no error.
    func delete(_ keys: [BlobKey]) async throws(StorageFault)
}

/// A blob that is open until this is released.
package protocol StoredBlob: Sendable {
    /// The number of its bytes.
    var count: Int { get }

    /// Returns the bytes of a range, which is within the blob.
    func read(_ range: Range<Int>) async throws(StorageFault) -> [UInt8]
}

extension BlobStoring {
    /// Returns all bytes of a blob. Throws ``StorageFault/notFound`` if there is none.
    package func read(_ key: BlobKey) async throws(StorageFault) -> [UInt8] {
        let blob = try await open(key)
        return try await blob.read(0..<blob.count)
    }
}
