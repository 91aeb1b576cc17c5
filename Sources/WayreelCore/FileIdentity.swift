internal import Glibc

/// A file as the system tells it from others, whatever path leads to it.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// nil where nothing is at `path`.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
    }

    /// What changes with the file at `path`: its place on the disk, its size, the time of its last change. nil where there is
    /// none, or it is no file.
    package static func stamp(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let time = status.st_mtim
        return "\(status.st_dev):\(status.st_ino):\(status.st_size):\(time.tv_sec).\(time.tv_nsec)"
    }
}
