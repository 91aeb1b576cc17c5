internal import Glibc

/// Identifies a file by device and inode, whichever path leads to it.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Returns nil if nothing exists at `path`.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
    }

    /// A value that changes with the file: its inode, size and modification time. nil if `path` is not a regular file.
    package static func stamp(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let time = status.st_mtim
        return "\(status.st_dev):\(status.st_ino):\(status.st_size):\(time.tv_sec).\(time.tv_nsec)"
    }
}
