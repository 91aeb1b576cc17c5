internal import WayreelAV
internal import WayreelCore

/// The hash of a list of files: the SHA-256 of the lines `HASH  NAME` sorted by name, as sha256sum writes them.
enum ContentList {
    static func digest(_ files: [(name: String, hash: String)]) throws(MediaError) -> String {
        let lines = files.sorted { $0.name < $1.name }.map { "\($0.hash)  \($0.name)\n" }
        return try SHA256.digest(of: lines.joined())
    }
}
