internal import FoundationEssentials
internal import Glibc
internal import WayreelCore
internal import WayreelImage
internal import WayreelEngine
internal import WayreelStory

/// Removes the images of notes that have ended, and images without a row in the database, which a killed server left.
struct ImageSweep: Sendable {
    let folder: DataFolder
    let database: PlayerDatabase
    let storage: StorageWork

    /// The seconds for which a note is kept for its author after its end.
    private static let keptSeconds: Int64 = 86_400
    /// The maximum number of notes removed in one transaction, which blocks other writers.
    private static let batch = 100

    /// Removes images without a row that were pending when the last server ended. No image may be added meanwhile. Blocks.
    ///
    /// Other files without a row stay: they may be newer than the database, if that is a restored backup.
    ///
    /// Throws an `io` error if rows cannot be read.
    func removePending() throws {
        let images = folder.pendingImages
        guard !images.isEmpty else { return }
        let named = try database.files()
        for image in images {
            if !named.contains(image) { remove(image) }
            folder.clearPendingMark(image)
        }
    }

    private func remove(_ image: String) {
        let parts = image.split(separator: "/")
        let path = ([folder.path] + parts.dropLast().map(String.init)).joined(separator: "/")
        // The service makes no symbolic links, so a path through one is not its own.
        guard let name = parts.last, ["players", "notes"].contains(parts[0]), Self.isImage(String(name)),
            Directory.isDirectory(path, followingLinks: false)
        else { return }
        OutputFile.discardUnfinished(in: path)
        if Self.type(of: "\(path)/\(name)") == S_IFREG { folder.remove(image) }
    }

    /// Whether a name has the form that ``DataFolder/keep(_:id:format:in:)`` gives: a UUID, a hash and an extension.
    static func isImage(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, Encoding.Format(rawValue: String(parts[1])) != nil, parts[0].utf8.count == 69,
            parts[0].utf8.allSatisfy({ $0 == UInt8(ascii: "-") || "0123456789abcdef".utf8.contains($0) })
        else { return false }
        return UUID(uuidString: String(parts[0].prefix(36))) != nil && !parts[0].suffix(32).contains("-")
            && parts[0].dropFirst(36).first == "-"
    }

    private static func type(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Removes notes that have ended, now and every hour until its task is cancelled.
    func run() async {
        repeat { await removeEndedNotes() } while (try? await Task.sleep(for: .seconds(3600))) != nil
    }

    /// Ignores errors, because the next run tries again.
    private func removeEndedNotes() async {
        let now = Int64(Date().timeIntervalSince1970)
        let time = Timestamp(milliseconds: (now - Self.keptSeconds) * 1000)
        while !Task.isCancelled {
            let removed = try? await storage.runAlways { () throws -> Int in
                let notes = try database.notes(endedBefore: time, count: Self.batch)
                try folder.whilePending(notes.map(\.file)) {
                    try database.remove(notes)
                    for note in notes { folder.remove(note.file) }
                }
                return notes.count
            }
            guard removed == Self.batch else { return }
        }
    }
}
