internal import Glibc

/// An advisory lock (`flock`) on an unfinished output. The system releases the lock when the process ends for any
/// reason. It also works across containers and machines that share files, where process numbers are meaningless.
package final class OwnerLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// An object that holds no lock.
    static var none: OwnerLock { OwnerLock(-1) }

    /// Locks the file or folder at `path` while this object lives. Holds no lock if it cannot be locked.
    convenience init(path: String) {
        let descriptor = Self.open(path)
        if descriptor >= 0 { Self.lock(descriptor) }
        self.init(descriptor)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Locks the open file until it is closed. Returns false if another process holds the lock.
    @discardableResult
    static func lock(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Locks the file or folder at `path`. Returns nil if another process holds the lock or it cannot be locked.
    package static func taking(_ path: String) -> OwnerLock? {
        let descriptor = open(path)
        guard descriptor >= 0 else { return nil }
        let lock = OwnerLock(descriptor)
        return Self.lock(descriptor) ? lock : nil
    }

    /// Shares the lock of the file or folder at `path` with other readers, so that no process can take it. Returns nil
    /// if a process has taken the lock, or if the file is gone.
    package static func sharing(_ path: String) -> OwnerLock? {
        let descriptor = open(path)
        guard descriptor >= 0 else { return nil }
        let lock = OwnerLock(descriptor)
        // A file that was removed between open and lock has no name any more.
        return flock(descriptor, LOCK_SH | LOCK_NB) == 0 && access(path, F_OK) == 0 ? lock : nil
    }

    private static func open(_ path: String) -> Int32 {
        Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    }
}
