internal import FoundationEssentials
internal import Glibc
internal import WayreelCore
internal import WayreelPlayback
internal import WayreelStory

/// Removes images that nobody can see any more: those of notes whose time is over, and files that no capture or note has, as the server was
/// killed between writing them and their row.
struct ImageSweep: Sendable {
    let folder: DataFolder
    let database: PlayerDatabase
    let storage: StorageWork

    /// For so many seconds after its end a note is kept, for its author.
    private static let keptSeconds: Int64 = 86_400
    /// Notes that are removed at once: others have to write between.
    private static let batch = 100

    /// Removes files that no row names. Nothing may be kept meanwhile: a file comes before its row. Blocks.
    ///
    /// Throws an `io` error if rows cannot be read. Keeps files that the service would not have written there, and all files if there are
    /// no rows: a new database beside old images must not lose them.
    func removeUnnamed() throws {
        let named = try database.files()
        guard !named.isEmpty else { return }
        for player in folder.entries("players") { removeFiles(in: "players/\(player)/captures", except: named) }
        for digits in folder.entries("notes") { removeFiles(in: "notes/\(digits)", except: named) }
    }

    private func removeFiles(in relative: String, except named: Set<String>) {
        let path = "\(folder.path)/\(relative)"
        // Neither a folder nor a file that is reached by a symbolic link is the service's own.
        guard Self.type(of: path) == S_IFDIR else { return }
        OutputFile.discardUnfinished(in: path)
        for name in OutputFolder.entries(of: path)
        where Self.isImage(name) && !named.contains("\(relative)/\(name)")
            && Self.type(of: "\(path)/\(name)") == S_IFREG
        {
            folder.remove("\(relative)/\(name)")
        }
    }

    /// Whether a name is one that ``DataFolder/keep(_:id:format:in:)`` makes: a UUID, a hash, an ending.
    static func isImage(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, FormatNegotiation.mediaTypes.contains("image/\(parts[1])"), parts[0].utf8.count == 69,
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
                let files = try database.removeNotes(endedBefore: time, count: Self.batch)
                for file in files { folder.remove(file) }
                return files.count
            }
            guard removed == Self.batch else { return }
        }
    }
}

extension DataFolder {
    /// The names in one of its folders.
    fileprivate func entries(_ relative: String) -> [String] { OutputFolder.entries(of: "\(path)/\(relative)") }
}
