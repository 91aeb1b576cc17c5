internal import Glibc
internal import Synchronization
internal import WayreelCore

/// Folders for outputs that were missing and have been made.
enum MadeFolders {
    private static let paths = Mutex<[String]>([])

    /// Makes a folder, and those that lead to it.
    static func make(_ folder: String) throws(MediaError) {
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += part + "/"
            if mkdir(path, 0o777) == 0 {
                paths.withLock { $0.append(path) }
            } else if errno != EEXIST {
                throw MediaError(.io, step: "plan", subject: folder, reason: systemReason(errno))
            }
        }
    }

    /// Removes those that nothing has come into, at the end of the process.
    static func removeEmpty() {
        for path in paths.withLock(\.self).reversed() { rmdir(path) }
    }
}
