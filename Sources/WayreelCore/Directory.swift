internal import Glibc

enum Directory {
    /// Flushes the names of a directory's files to the disk: without it, a file that was renamed may have its old name, or none,
    /// after a power failure.
    static func flush(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            // Files may be made in a directory that may not be read. Nothing can flush that.
            if errno == EACCES { return }
            throw SystemError(code: errno)
        }
        defer { close(descriptor) }
        // EINVAL: the file system has nothing to flush.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw SystemError(code: errno) }
    }
}
