internal import Glibc

/// The properties that change with a file's content: its inode, size, and times of modification and of status change,
/// in nanoseconds.
package struct FileStamp: Hashable, Sendable {
    package let text: String
    package let bytes: Int
    /// Nanoseconds since 1970 of the last change.
    private let changed: Int64
    /// Whether the file system stores whole seconds only.
    private let isCoarse: Bool

    /// Returns nil if there is no regular file at `path`.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Returns nil if `descriptor` is not a regular file.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let times = [status.st_mtim, status.st_ctim]
        let nanoseconds = times.map { Int64($0.tv_sec) &* 1_000_000_000 &+ Int64($0.tv_nsec) }
        text = "\(status.st_dev):\(status.st_ino):\(status.st_size):\(nanoseconds[0]):\(nanoseconds[1])"
        bytes = Int(status.st_size)
        changed = nanoseconds.max() ?? 0
        isCoarse = times.allSatisfy { $0.tv_nsec == 0 }
    }

    /// Returns whether a read at `time`, in nanoseconds since 1970, is reliable. An edit within one tick of the file
    /// system's clock leaves the stamp unchanged, and a clock that was set back may hide an edit.
    package func isSettled(at time: Int64) -> Bool {
        let tick: Int64 = isCoarse ? 2_000_000_000 : 20_000_000
        return changed < time - tick
    }
}
