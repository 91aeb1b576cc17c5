internal import CPlayer
internal import Crypto

/// A file of the web player from `Player/`, embedded in the binary.
package struct PlayerFile: Sendable {
    /// The path relative to `index.html`.
    package let path: String
    /// UTF-8 text; of scripts without their comments.
    package let bytes: [UInt8]
    /// The SHA-256 of ``bytes`` in hexadecimal digits.
    package let hash: String

    /// All files, in the order of their paths.
    package static let all: [PlayerFile] = {
        var files: [PlayerFile] = []
        var row = wr_player_files()
        while let path = row?.pointee.path, let text = row?.pointee.text {
            let name = String(cString: path).split(separator: "/").dropFirst().joined(separator: "/")
            files.append(PlayerFile(name, Array(String(cString: text).utf8)))
            row = row?.successor()
        }
        return files
    }()

    private init(_ path: String, _ bytes: [UInt8]) {
        self.path = path
        self.bytes = path.hasSuffix(".js") ? SentScript.withoutComments(bytes) : bytes
        hash = SHA256.hash(data: self.bytes).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0\(digits)" : digits
        }.joined()
    }

    package static subscript(path: String) -> PlayerFile? { byPath[path] }

    private static let byPath = [String: PlayerFile](uniqueKeysWithValues: all.map { ($0.path, $0) })

    /// The IANA media type.
    package var type: String { Self.types[path.split(separator: ".").last.map(String.init) ?? ""] ?? "text/plain" }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json", "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
    ]
}
