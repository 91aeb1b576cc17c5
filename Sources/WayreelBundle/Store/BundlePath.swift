/// Checks paths of media within a bundle. Paths that come from files are checked before they are used to open or remove
/// anything.
enum BundlePath {
    /// Whether a path has the form that publishing creates: `media/3f/3fab…`, and paths below that for HLS.
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
    /// Whether all of its paths lead into the bundle's media folder, and all of its sizes are possible for files.
    var isSound: Bool { all.allSatisfy { BundlePath.isMedia($0.path) && (0...1 << 50).contains($0.bytes) } }
}
