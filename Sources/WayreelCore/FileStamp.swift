internal import Glibc

/// What changes with a file's content: its inode, size, and times of modification and of status change, to the nanosecond.
package struct FileStamp: Hashable, Sendable {
    package let text: String
    package let bytes: Int
    /// Nanoseconds since 1970 of the last change.
    private let changed: Int64
    /// Whether the file system keeps whole seconds only.
    private let isCoarse: Bool

    /// nil where there is no regular file.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of an open file; nil where it is no regular one.
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

    /// Whether what was read at `time`, in nanoseconds since 1970, counts: an edit within one tick of the file system's clock leaves no
    /// trace, and a clock that was set back may hide one.
    package func isSettled(at time: Int64) -> Bool {
        let tick: Int64 = isCoarse ? 2_000_000_000 : 20_000_000
        return changed < time - tick
    }
}
