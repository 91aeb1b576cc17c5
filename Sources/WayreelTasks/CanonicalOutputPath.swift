internal import WayreelCore

/// An output path in canonical form: `out/a.jpg` equals `./out//a.jpg`.
struct CanonicalOutputPath: Hashable {
    private let folder: FileIdentity?
    /// The whole path if its folder does not exist (yet).
    private let name: [Substring]

    init(_ path: String) {
        let parts = path.split(separator: "/").filter { $0 != "." }
        let start = path.hasPrefix("/") ? "/" : "./"
        folder = FileIdentity(of: start + parts.dropLast().joined(separator: "/"))
        name = folder == nil ? [Substring(start)] + parts : parts.suffix(1)
    }
}
