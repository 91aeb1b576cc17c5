internal import WayreelCore

/// A folder with the files that requests may name.
struct ImageFolder: Sendable {
    /// A file in the folder with a stamp that changes with its content.
    struct File: Hashable, Sendable {
        var path: String
        var stamp: FileStamp
    }

    private let folder: ConfinedFolder

    /// Throws an `io` error if there is no such folder.
    init(_ path: String) throws(MediaError) {
        folder = try ConfinedFolder(path, step: "start")
        guard Directory.isDirectory(folder.path) else {
            throw MediaError(.io, step: "start", subject: path, reason: "is not a folder")
        }
    }

    /// The file at a relative path; nil if there is none, for hidden files, and for links that lead out of the folder.
    func file(_ relative: String) -> File? {
        let parts = relative.split(separator: "/", omittingEmptySubsequences: false)
        guard !relative.isEmpty, !relative.utf8.contains(0),
            parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }),
            case .inside(let path) = folder.target(of: relative), let stamp = FileStamp(of: path)
        else { return nil }
        return File(path: path, stamp: stamp)
    }
}
