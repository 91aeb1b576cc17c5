internal import Crypto
internal import Glibc
internal import WayreelCore
internal import WayreelDatabase

/// The files of players in the folder of data of a service.
///
///     players.sqlite                         captures, notes and recordings
///     erasures.sqlite                        what players deleted
///     accounts.sqlite                        sessions, passkeys and revoked tokens: SQLiteAccounts
///     players/{player}/journals/{story}.sqlite
///     players/{player}/captures/{id}-{hash}.jpeg
///     players/{player}/recordings/{id}-{random}.ndjson
///     notes/{first digits}/{id}-{hash}.jpeg
///     pending/notes:{first digits}:{id}-{hash}.jpeg   empty: the row of this file is being added or removed
struct DataFolder: Sendable {
    let path: String

    /// Creates the folder if it is missing. Throws an `io` error if it cannot be written.
    init(_ path: String) throws(MediaError) {
        self.path = path
        try Self.makeDirectory(path)
        guard access(path, W_OK | X_OK) == 0 else { throw Self.fault(path, errno) }
    }

    /// The path of a subfolder, which is created and flushed to disk if it is missing. Blocks.
    func making(_ relative: String) throws(MediaError) -> String {
        var made = path
        for part in relative.split(separator: "/") {
            made += "/\(part)"
            try Self.makeDirectory(made)
        }
        return made
    }

    private static func makeDirectory(_ path: String) throws(MediaError) {
        if mkdir(path, 0o700) == 0 { return try Directory.flush("\(path)/..") }
        guard errno == EEXIST else { throw fault(path, errno) }
    }

    private static var fault: ErrorSite { ErrorSite(.io, step: .data) }

    // MARK: Players

    func playerFolder(of player: PlayerIdentity) -> String { "players/\(Self.name(of: player))" }
    func journalFolder(of player: PlayerIdentity) -> String { "\(playerFolder(of: player))/journals" }
    func captureFolder(of player: PlayerIdentity) -> String { "\(playerFolder(of: player))/captures" }
    func recordingFolder(of player: PlayerIdentity) -> String { "\(playerFolder(of: player))/recordings" }
    func noteFolder(of note: String) -> String { "notes/\(note.prefix(2))" }

    /// The name of a player's folder, unique also on file systems that ignore case: everything but digits and
    /// lower-case letters is escaped, and long results are replaced by a hash.
    static func name(of player: PlayerIdentity) -> String {
        var name = ""
        for byte in player.id.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default: name += "_\([byte].hexadecimal)"
            }
        }
        return name.utf8.count <= 100 ? name : "-\(SHA256.hash(data: Array(player.id.utf8)).hexadecimal)"
    }

    // MARK: Images

    /// The name of a new image: unique, as each id has one image.
    func name(_ id: String, of image: NewImage, in folder: String) -> BlobKey {
        let hash = SHA256.hash(data: image.bytes).hexadecimal.prefix(32)
        return BlobKey("\(folder)/\(id)-\(hash).\(image.format)")
    }

    func path(of image: BlobKey) -> String { "\(path)/\(image.path)" }

    /// Removes an image and ignores errors.
    func remove(_ image: BlobKey) { unlink(path(of: image)) }

    /// Removes a file, if there is one. Throws an `io` error if it is still there.
    func delete(_ relative: String) throws(MediaError) {
        guard unlink("\(path)/\(relative)") != 0, errno != ENOENT else { return }
        throw Self.fault("\(path)/\(relative)", errno)
    }

    // MARK: Images that may have no row

    private static let pending = "pending"

    private func pendingMark(_ image: BlobKey) -> String {
        "\(path)/\(Self.pending)/\(String(image.path.map { $0 == "/" ? ":" : $0 }))"
    }

    /// Marks images whose rows are about to be added or removed. If the server is killed meanwhile, or the rows cannot be
    /// changed, the marks stay in ``pendingImages()`` for the next server. Blocks.
    func markPending(_ images: [BlobKey]) throws(MediaError) {
        _ = try making(Self.pending)
        for image in images {
            let descriptor = open(pendingMark(image), O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw Self.fault(path, errno) }
            close(descriptor)
        }
    }

    func unmarkPending(_ images: [BlobKey]) { for image in images { unlink(pendingMark(image)) } }

    /// The images that may have a row or not. Blocks.
    func pendingImages() throws(MediaError) -> [BlobKey] {
        Directory.entries(of: try making(Self.pending)).map { name in
            BlobKey(String(name.map { $0 == ":" ? "/" : $0 }))
        }
    }
}

/// Blobs as files of the folder.
struct FolderBlobs: BlobStoring {
    let folder: DataFolder
    let threads: any StorageThreads

    func write(_ bytes: [UInt8], to key: BlobKey) async throws(StorageFault) {
        try await threads.attempt {
            _ = try folder.making(key.path.split(separator: "/").dropLast().joined(separator: "/"))
            try OutputFile.write(bytes, to: folder.path(of: key))
        }
    }

    func open(_ key: BlobKey) async throws(StorageFault) -> any StoredBlob {
        try await threads.attempt {
            let path = folder.path(of: key)
            let file: OpenFile
            do throws(SystemError) { file = try OpenFile(path) } catch {
                throw error.code == ENOENT
                    ? StorageFault.notFound : .failed(MediaError(system: error.code, step: .data, subject: path))
            }
            guard let count = file.byteCount else { throw StorageFault.notFound }
            return OpenBlob(file: file, count: count, path: path, threads: threads)
        }
    }

    func delete(_ keys: [BlobKey]) async throws(StorageFault) {
        try await threads.attempt { for key in keys { try folder.delete(key.path) } }
    }
}

private final class OpenBlob: StoredBlob {
    private let file: OpenFile
    let count: Int
    private let path: String
    private let threads: any StorageThreads

    init(file: consuming OpenFile, count: Int, path: String, threads: any StorageThreads) {
        self.file = file
        (self.count, self.path, self.threads) = (count, path, threads)
    }

    func read(_ range: Range<Int>) async throws(StorageFault) -> [UInt8] {
        try await threads.attempt { [self] in
            do throws(SystemError) { return try file.bytes(range.count, at: range.lowerBound) } catch {
                throw StorageFault.failed(MediaError(system: error.code, step: .data, subject: path))
            }
        }
    }
}
