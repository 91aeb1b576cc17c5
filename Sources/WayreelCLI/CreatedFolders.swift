internal import Glibc
internal import Synchronization
package import WayreelCore

/// Output folders created by this process.
package enum CreatedFolders {
    private static let paths = Mutex<[String]>([])

    /// Creates a folder and its parents.
    package static func make(_ folder: String) throws(MediaError) {
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

    /// Removes the created folders that are still empty at the end of the process.
    static func removeEmpty() {
        for path in paths.withLock(\.self).reversed() { rmdir(path) }
    }
}
