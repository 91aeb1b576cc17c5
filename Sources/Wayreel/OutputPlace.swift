internal import WayreelCore

/// A name in a folder, the same for all paths that lead there: `out/a.jpg`, `./out//a.jpg`.
struct OutputPlace: Hashable {
    private let folder: FileIdentity?
    /// The whole path, where its folder is not there (yet).
    private let name: [Substring]

    init(_ path: String) {
        let parts = path.split(separator: "/").filter { $0 != "." }
        let start = path.hasPrefix("/") ? "/" : "./"
        folder = FileIdentity(of: start + parts.dropLast().joined(separator: "/"))
        name = folder == nil ? [Substring(start)] + parts : parts.suffix(1)
    }
}
