internal import Glibc
internal import WayreelCore

/// The files of a folder. No file outside of it is opened, whatever its playlists refer to.
struct HLSFolder {
    private let folder: ConfinedFolder
    /// The maximum number of bytes read from a file.
    private static let limit = 256 << 20

    /// Throws an `io` error if there is no such folder.
    init(_ path: String) throws(MediaError) {
        folder = try ConfinedFolder(path, step: .read)
    }

    /// The reason why a file cannot be read.
    struct Refusal: Error {
        var rule: HLSRule
        var reason: String
    }

    /// Resolves a URI in the file `base` to a path relative to the folder.
    func resolve(_ uri: String, from base: String) throws(Refusal) -> String {
        let start = uri.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !start.contains(":"), !uri.hasPrefix("//") else {
            throw Refusal(rule: .outsideFolder, reason: "'\(uri)' is not a file of the folder and was not opened")
        }
        let path = uri.prefix { $0 != "?" && $0 != "#" }
        guard let plain = PercentEncoding.decode(path), !plain.isEmpty else {
            throw Refusal(rule: .playlistSyntax, reason: "'\(uri)' is not a URI")
        }
        var parts = plain.hasPrefix("/") ? [] : base.split(separator: "/").dropLast().map(String.init)
        for part in plain.split(separator: "/") where part != "." {
            guard part == ".." else {
                parts.append(String(part))
                continue
            }
            guard parts.popLast() != nil else {
                throw Refusal(rule: .outsideFolder, reason: "'\(uri)' leads out of the folder and was not opened")
            }
        }
        // The path starts at the root of a server, which may differ from the folder.
        guard !plain.hasPrefix("/") else {
            throw Refusal(rule: .outsideFolder, reason: "'\(uri)' is an absolute path and was not opened")
        }
        return parts.joined(separator: "/")
    }

    func holds(_ path: String) -> Bool { access("\(folder.path)/\(path)", F_OK) == 0 }

    func read(_ path: String, _ range: ByteRange? = nil) throws(Refusal) -> [UInt8] {
        let real: String
        switch folder.target(of: path) {
        case .inside(let found): real = found
        case .outside:
            throw Refusal(
                rule: .outsideFolder, reason: "\(path) is a link that leads out of the folder and was not opened")
        case .missing(let code): throw Self.missing(path, code)
        }
        let file: OpenFile
        do throws(SystemError) { file = try OpenFile(real) } catch { throw Self.missing(path, error.code) }
        guard let size = file.byteCount else {
            throw Refusal(rule: .missingFile, reason: "\(path) is not a file")
        }
        let offset = range?.offset ?? 0
        let count = range?.count ?? size
        guard offset <= size, count <= size - offset else {
            throw Refusal(
                rule: .missingFile,
                reason: "the byte range \(offset) to \(offset + count) exceeds \(path), which has \(size) bytes")
        }
        guard count > 0 else { throw Refusal(rule: .missingFile, reason: "\(path) is empty") }
        guard count <= Self.limit else {
            throw Refusal(
                rule: .damagedSegment, reason: "\(path) is larger than \(Self.limit >> 20) MiB and was not read")
        }
        do throws(SystemError) { return try file.bytes(count, at: offset) } catch {
            throw Self.missing(path, error.code)
        }
    }

    private static func missing(_ path: String, _ code: Int32) -> Refusal {
        Refusal(rule: .missingFile, reason: "\(path): \(systemReason(code))")
    }

    /// The sorted names of files in the folder itself that end with `.m3u8`.
    var playlists: [String] {
        Directory.entries(of: folder.path).filter { $0.hasSuffix(".m3u8") }.sorted()
    }
}
