internal import Glibc
internal import Synchronization

/// Flushes directory entries to the disk. Without a flush, a renamed file may have its old name, or none, after a power
/// failure.
package enum Directory {
    /// Throws an `io` error if the disk refuses the entries.
    package static func flush(_ path: String) throws(MediaError) {
        do throws(SystemError) { try flushNow(path) } catch { throw OutputFile.fault(path, error.code) }
    }

    static func flushNow(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            // A directory may be writable but not readable. Its entries cannot be flushed.
            if errno == EACCES { return }
            throw SystemError(code: errno)
        }
        defer { close(descriptor) }
        // EINVAL: the file system has nothing to flush.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw SystemError(code: errno) }
    }

    /// Flushes the directory of an output, unless the caller collects directories to flush them later.
    static func flushAfterPublishing(_ path: String) throws(SystemError) {
        guard OutputFlushing.isDone else { return }
        if let collector = UnflushedDirectories.current { collector.add(path) } else { try flushNow(path) }
    }
}

/// Directories of published outputs that are still to be flushed, so that a thread need not wait for the disk after
/// each task.
package final class UnflushedDirectories: Sendable {
    @TaskLocal static var current: UnflushedDirectories?

    private let collected = Mutex<Set<String>>([])

    package init() {}

    package var paths: Set<String> { collected.withLock(\.self) }

    /// Runs `body` and collects the directories of its outputs; the caller flushes them.
    package func collect<Result>(_ body: () -> Result) -> Result { Self.$current.withValue(self) { body() } }

    func add(_ path: String) { collected.withLock { _ = $0.insert(path) } }
}
