/// Paths of media within a bundle. Those that are read from files are checked before anything is opened or removed by them.
enum BundlePath {
    /// Whether a path is one that publishing makes: `media/3f/3fab…`, and of HLS files below that.
    static func isMedia(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0] == BundleFolder.mediaName, parts[1].count == 2 else { return false }
        let address = parts[2].prefix(64)
        return address.count == 64 && address.allSatisfy(isDigit) && address.hasPrefix(parts[1])
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." } && !path.utf8.contains(0)
    }

    private static func isDigit(_ character: Character) -> Bool { "0123456789abcdef".contains(character) }
}

extension MediaFile {
    /// Whether its paths lead into the bundle's media, and its sizes are those of files.
    var isSound: Bool { all.allSatisfy { BundlePath.isMedia($0.path) && (0...1 << 50).contains($0.bytes) } }
}
