internal import Glibc

/// An advisory lock on an unfinished output (`flock`), which the system releases when the process that holds it has ended, however
/// that came about. It also holds where process numbers say nothing: in another container, or on another machine with the same
/// files.
final class OwnerLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// A lock on nothing.
    static var none: OwnerLock { OwnerLock(-1) }

    /// Locks the file or folder at `path` while this object is there. It is a lock on nothing where it cannot be locked.
    convenience init(path: String) {
        let descriptor = Self.open(path)
        if descriptor >= 0 { Self.lock(descriptor) }
        self.init(descriptor)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Locks what is open until it is closed. False where another process holds the lock.
    @discardableResult
    static func lock(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// The lock on the file or folder at `path`; nil where another process holds it, or it cannot be locked.
    static func taking(_ path: String) -> OwnerLock? {
        let descriptor = open(path)
        guard descriptor >= 0 else { return nil }
        let lock = OwnerLock(descriptor)
        return Self.lock(descriptor) ? lock : nil
    }

    private static func open(_ path: String) -> Int32 {
        Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    }
}
