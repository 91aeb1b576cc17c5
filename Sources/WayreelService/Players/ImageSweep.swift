internal import FoundationEssentials
internal import Glibc
internal import WayreelCore
internal import WayreelImage
internal import WayreelPlayback
internal import WayreelStory

/// Removes images that nobody can see any more: those of notes whose time is over, and those that have no row because
/// the server was killed before it was added, or after it was removed.
struct ImageSweep: Sendable {
    let folder: DataFolder
    let database: PlayerDatabase
    let storage: StorageWork

    /// For so many seconds after its end a note is kept, for its author.
    private static let keptSeconds: Int64 = 86_400
    /// Notes that are removed at once: others have to write between.
    private static let batch = 100

    /// Removes images that were pending when the last server ended, and have no row. Nothing may be kept meanwhile.
    /// Blocks.
    ///
    /// Other files without a row stay: the database may be a backup that is older than they are.
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
        // Neither a folder nor a file that is reached by a symbolic link is the service's own.
        guard let name = parts.last, ["players", "notes"].contains(parts[0]), Self.isImage(String(name)),
            Directory.isDirectory(path, followingLinks: false)
        else { return }
        OutputFile.discardUnfinished(in: path)
        if Self.type(of: "\(path)/\(name)") == S_IFREG { folder.remove(image) }
    }

    /// Whether a name is one that ``DataFolder/keep(_:id:format:in:)`` makes: a UUID, a hash, an ending.
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

    /// What fails is tried again an hour later.
    private func removeEndedNotes() async {
        let now = Int64(Date().timeIntervalSince1970)
        let time = Timestamp(milliseconds: (now - Self.keptSeconds) * 1000)
        while !Task.isCancelled {
            let removed = try? await storage.run { () throws -> Int in
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
