internal import Glibc

/// The process that an unfinished output belongs to: its number, and when it was started, so that another process which got the
/// same number later is not taken for it.
struct OwnerProcess: Hashable {
    let identifier: pid_t
    /// In clock ticks since the machine was started (proc(5), field 22 of `stat`); 0 where the system does not tell.
    let startTime: UInt64

    /// The process that asks.
    static var current: OwnerProcess {
        OwnerProcess(identifier: getpid(), startTime: state(of: getpid())?.startTime ?? 0)
    }

    init(identifier: pid_t, startTime: UInt64) { (self.identifier, self.startTime) = (identifier, startTime) }

    /// Parses `4711-3w5e`; nil where that is no owner.
    init?(_ text: Substring) {
        let terms = text.split(separator: "-", omittingEmptySubsequences: false)
        guard terms.count == 2, let identifier = pid_t(terms[0]), identifier > 0, let time = UInt64(terms[1], radix: 36)
        else { return nil }
        self.init(identifier: identifier, startTime: time)
    }

    /// `4711-3w5e`: the number, and the start time to the base of 36.
    var text: String { "\(identifier)-\(String(startTime, radix: 36))" }

    /// Whether it has ended. False where the system does not tell.
    var hasEnded: Bool {
        if let state = Self.state(of: identifier) {
            return state.isZombie || startTime != 0 && state.startTime != startTime
        }
        return kill(identifier, 0) != 0 && errno == ESRCH
    }

    /// nil where there is no such process, or the system does not tell.
    private static func state(of process: pid_t) -> (isZombie: Bool, startTime: UInt64)? {
        let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        // The name of the program, in parentheses, may hold any characters.
        guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = String(decoding: bytes[(end + 1)..<count], as: UTF8.self).split(separator: " ")
        guard fields.count > 19, let time = UInt64(fields[19]) else { return nil }
        return (fields[0] == "Z" || fields[0] == "X", time)
    }
}
