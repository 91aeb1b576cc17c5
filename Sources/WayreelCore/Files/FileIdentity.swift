internal import Glibc

/// Identifies a file by device and inode, whichever path leads to it.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Returns nil if nothing exists at `path`.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Returns nil if the descriptor is closed.
    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
}
