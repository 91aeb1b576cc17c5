internal import Crypto
internal import Glibc
internal import WayreelCore
internal import WayreelPlayback
internal import WayreelSigning

/// The files of players in the folder of `--data`.
///
///     players.sqlite                         captures and notes
///     players/{player}/journals/{story}.sqlite
///     players/{player}/captures/{id}-{hash}.jpg
///     notes/{first digits}/{id}-{hash}.jpg
struct DataFolder: Sendable {
    let path: String

    /// Creates the folder if it is missing. Throws an `io` error if it cannot be written.
    init(_ path: String) throws(MediaError) {
        self.path = path
        try Self.makeDirectory(path)
        guard access(path, W_OK | X_OK) == 0 else { throw Self.fault(path, errno) }
    }

    var databasePath: String { "\(path)/players.sqlite" }

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
        MediaError(.io, step: "data", subject: path, reason: systemReason(code))
    }

    // MARK: Players

    func journalFolder(of player: Player) -> String { "players/\(Self.name(of: player))/journals" }
    func captureFolder(of player: Player) -> String { "players/\(Self.name(of: player))/captures" }
    func noteFolder(of note: String) -> String { "notes/\(note.prefix(2))" }

    /// The name of a player's folder, unique also on file systems that ignore case: everything but digits and lower-case letters is escaped,
    /// and long results are replaced by a hash.
    static func name(of player: Player) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var name: [UInt8] = []
        for byte in player.id.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): name.append(byte)
            default: name += [UInt8(ascii: "_"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        guard name.count <= 100 else { return "-\(SHA256.hash(data: Array(player.id.utf8)).hexadecimal)" }
        return String(decoding: name, as: UTF8.self)
    }

    // MARK: Images

    /// Writes an image to a folder under a unique name, and flushes it to disk. Blocks.
    ///
    /// Throws an `io` error if that fails.
    func keep(_ image: [UInt8], id: String, format: String, in folder: String) throws(MediaError) -> String {
        let hash = SHA256.hash(data: image).hexadecimal.prefix(32)
        let name = "\(folder)/\(id)-\(hash).\(format)"
        _ = try making(folder)
        try OutputFile.write(image, to: "\(path)/\(name)")
        return name
    }

    func remove(_ relative: String) { unlink("\(path)/\(relative)") }
}
