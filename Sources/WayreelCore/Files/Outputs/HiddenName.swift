internal import Glibc
internal import Synchronization

/// Hidden names of incomplete outputs, beside the final path and tagged with the process that writes them:
/// `.clip.mp4.4711-3w5e.11264sgsf.wayreel-part`.
///
/// The first name requested in a folder removes the leftovers of ended processes there.
enum HiddenName {
    private static let ending = ".wayreel-part"
    private static let owner = OwnerProcess.current
    /// Folders already cleaned by this process.
    private static let cleared = Mutex<Set<String>>([])

    /// Returns a new hidden name beside `path`.
    static func beside(_ path: String) -> String {
        let folder = folder(of: path)
        if cleared.withLock({ $0.insert(folder).inserted }) { removeLeft(in: folder) }
        // The prefix keeps the name within NAME_MAX in any script.
        let start = Substring(path[startOfName(path)...].unicodeScalars.prefix(48))
        let unique = String(UInt64.random(in: 0 ... .max), radix: 36)
        return "\(folder)/.\(start).\(owner.text).\(unique)\(ending)"
    }

    /// `.`, or the folder with a trailing slash.
    static func folder(of path: String) -> String {
        let start = startOfName(path)
        return start == path.startIndex ? "." : String(path[..<start])
    }

    private static func startOfName(_ path: String) -> String.Index {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.startIndex
    }

    /// Returns the process that owns an incomplete output; nil for other names.
    private static func owner(of name: String) -> OwnerProcess? {
        guard name.hasPrefix("."), name.hasSuffix(ending) else { return nil }
        let terms = name.dropLast(ending.count).split(separator: ".")
        guard terms.count > 1, UInt64(terms[terms.count - 1], radix: 36) != nil else { return nil }
        return OwnerProcess(terms[terms.count - 2])
    }

    static func isOne(_ name: String) -> Bool { owner(of: name) != nil }

    /// Removes the leftovers of an ended process beside `path`.
    static func removeLeft(by process: pid_t, beside path: String) {
        removeLeft(in: folder(of: path)) { $0.identifier == process }
    }

    /// Removes incomplete outputs of ended processes in a folder, except those that are still locked.
    static func removeLeft(in folder: String, where isMeant: (OwnerProcess) -> Bool = { $0.hasEnded }) {
        for name in Directory.entries(of: folder) {
            guard let owner = owner(of: name), isMeant(owner) else { continue }
            let path = "\(folder)/\(name)"
            guard let lock = OwnerLock.taking(path) else { continue }
            withExtendedLifetime(lock) { Directory.remove(path) }
        }
    }
}

/// An advisory lock (`flock`) on an unfinished output. The system releases the lock when the process ends for any
/// reason. It also works across containers and machines that share files, where process numbers are meaningless.
package final class OwnerLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Locks the open file until it is closed, unless another process holds the lock.
    static func lock(_ descriptor: Int32) { flock(descriptor, LOCK_EX | LOCK_NB) }

    /// Locks the file or folder at `path`. Returns nil if another process holds the lock or it cannot be locked.
    package static func taking(_ path: String) -> OwnerLock? { locking(path, LOCK_EX) }

    /// Shares the lock of the file or folder at `path` with other readers, so that no process can take it. Returns nil
    /// if a process has taken the lock, or if the file is gone.
    package static func sharing(_ path: String) -> OwnerLock? {
        // A file that was removed between open and lock has no name any more.
        locking(path, LOCK_SH).flatMap { access(path, F_OK) == 0 ? $0 : nil }
    }

    private static func locking(_ path: String, _ kind: Int32) -> OwnerLock? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let lock = OwnerLock(descriptor)
        return flock(descriptor, kind | LOCK_NB) == 0 ? lock : nil
    }
}

/// The process that owns an unfinished output. The start time distinguishes it from a later process with the same
/// number.
struct OwnerProcess: Hashable {
    let identifier: pid_t
    /// The start time in clock ticks since boot (proc(5), field 22 of `stat`); 0 if unknown.
    let startTime: Int

    /// The calling process.
    static var current: OwnerProcess {
        OwnerProcess(identifier: getpid(), startTime: ProcessStatus(of: getpid())?.startTicks ?? 0)
    }

    init(identifier: pid_t, startTime: Int) { (self.identifier, self.startTime) = (identifier, startTime) }

    /// Parses `4711-3w5e`; nil for any other text.
    init?(_ text: Substring) {
        let terms = text.split(separator: "-", omittingEmptySubsequences: false)
        guard terms.count == 2, let identifier = pid_t(terms[0]), identifier > 0, let time = Int(terms[1], radix: 36),
            time >= 0
        else { return nil }
        self.init(identifier: identifier, startTime: time)
    }

    /// `4711-3w5e`: the number and the start time in base 36.
    var text: String { "\(identifier)-\(String(startTime, radix: 36))" }

    /// Whether the process has ended; false if unknown.
    var hasEnded: Bool {
        if let status = ProcessStatus(of: identifier) {
            return status.hasEnded || startTime != 0 && status.startTicks != startTime
        }
        return kill(identifier, 0) != 0 && errno == ESRCH
    }
}
