internal import Crypto
internal import Glibc
internal import WayreelCore
internal import WayreelStorage

/// The files of players in the folder of `--data`.
///
///     players.sqlite                         captures and notes
///     erasures.sqlite                        what players deleted
///     accounts.sqlite                        sessions, passkeys and revoked tokens: SQLiteAccounts
///     players/{player}/journals/{story}.sqlite
///     players/{player}/captures/{id}-{hash}.jpg
///     notes/{first digits}/{id}-{hash}.jpg
///     pending/notes:{first digits}:{id}-{hash}.jpg   empty: the row of this image is being added or removed
struct DataFolder: Sendable {
    let path: String

    /// Creates the folder if it is missing. Throws an `io` error if it cannot be written.
    init(_ path: String) throws(MediaError) {
        self.path = path
        try Self.makeDirectory(path)
        guard access(path, W_OK | X_OK) == 0 else { throw Self.fault(path, errno) }
    }

    var databasePath: String { "\(path)/players.sqlite" }
    var erasuresPath: String { "\(path)/erasures.sqlite" }

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

    private static func fault(_ path: String, _ code: Int32) -> MediaError {
        MediaError(system: code, step: "data", subject: path)
    }

    // MARK: Players

    func playerFolder(of player: PlayerIdentity) -> String { "players/\(Self.name(of: player))" }
    func journalFolder(of player: PlayerIdentity) -> String { "\(playerFolder(of: player))/journals" }
    func captureFolder(of player: PlayerIdentity) -> String { "\(playerFolder(of: player))/captures" }
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

    /// Writes an image to a folder under a unique name and flushes it to disk. Then `row` adds its row to the database, or
    /// returns that of a concurrent request with the same id, in which case the image is removed. Blocks.
    ///
    /// Throws an `io` error if that fails. If `row` throws a ``Problem``, the image is removed.
    func keep<Record: ImageRecord>(
        _ image: [UInt8], id: String, format: String, in folder: String, row: (_ file: String) throws -> Record
    ) throws -> Record {
        let hash = SHA256.hash(data: image).hexadecimal.prefix(32)
        let name = "\(folder)/\(id)-\(hash).\(format)"
        return try whilePending([name]) {
            _ = try making(folder)
            try OutputFile.write(image, to: "\(path)/\(name)")
            do {
                let record = try row(name)
                if record.file != name { remove(name) }
                return record
            } catch let refusal as Problem {
                // The image certainly has no row.
                remove(name)
                clearPendingMark(name)
                throw refusal
            }
        }
    }

    func remove(_ relative: String) { unlink("\(path)/\(relative)") }

    /// Removes a file, if there is one. Throws an `io` error if it is still there.
    func delete(_ relative: String) throws(MediaError) {
        guard unlink("\(path)/\(relative)") != 0, errno != ENOENT else { return }
        throw Self.fault("\(path)/\(relative)", errno)
    }

    // MARK: Images that may have no row

    private static let pending = "pending"

    private func pendingMark(_ image: String) -> String {
        "\(path)/\(Self.pending)/\(String(image.map { $0 == "/" ? ":" : $0 }))"
    }

    /// Runs `body`, which adds or removes the rows of images, and marks the images as pending meanwhile. If the server is
    /// killed or `body` throws, they stay in ``pendingImages`` for the next server. Blocks.
    ///
    /// Throws an `io` error if that fails, and what `body` throws.
    func whilePending<Value>(_ images: [String], _ body: () throws -> Value) throws -> Value {
        _ = try making(Self.pending)
        for image in images {
            let descriptor = open(pendingMark(image), O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw Self.fault(path, errno) }
            close(descriptor)
        }
        let value = try body()
        for image in images { clearPendingMark(image) }
        return value
    }

    /// The images that may have a row or not.
    var pendingImages: [String] {
        Directory.entries(of: "\(path)/\(Self.pending)").map { String($0.map { $0 == ":" ? "/" : $0 }) }
    }

    func clearPendingMark(_ image: String) { unlink(pendingMark(image)) }
}
