internal import CPages
internal import Crypto
internal import WayreelCore

/// A file of a page, embedded in the binary.
package struct PageFile: Sendable {
    /// The path relative to the page's folder.
    package let path: String
    /// UTF-8 text; of scripts without their comments.
    package let bytes: [UInt8]
    /// The SHA-256 of ``bytes`` in hexadecimal digits.
    package let hash: String

    /// The files of the web player, from `Player/`, in the order of their paths.
    package static let player = files(in: "Player/")

    /// The files of the page that documents the service, from `APIPage/`, and those that it shares with the player.
    package static let apiPage = files(in: "APIPage/") + player.filter { shared.contains($0.path) }

    private static let shared: Set<String> = [
        "components/element.js", "styles/base.css", "styles/tokens.css", "waymark.svg",
    ]

    private static func files(in folder: String) -> [PageFile] {
        var files: [PageFile] = []
        var row = wr_page_files()
        while let path = row?.pointee.path, let text = row?.pointee.text {
            let name = String(cString: path)
            if name.hasPrefix(folder) {
                files.append(PageFile(String(name.dropFirst(folder.count)), Array(String(cString: text).utf8)))
            }
            row = row?.successor()
        }
        return files
    }

    private init(_ path: String, _ bytes: [UInt8]) {
        self.path = path
        self.bytes = path.hasSuffix(".js") ? ScriptComments.removed(from: bytes) : bytes
        hash = SHA256.hash(data: self.bytes).hexadecimal
    }

    /// The IANA media type.
    package var type: String { Self.types[path.split(separator: ".").last.map(String.init) ?? ""] ?? "text/plain" }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json", "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
    ]
}
