internal import Glibc

/// The process that owns an unfinished output. The start time distinguishes it from a later process with the same
/// number.
struct OwnerProcess: Hashable {
    let identifier: pid_t
    /// The start time in clock ticks since boot (proc(5), field 22 of `stat`); 0 if unknown.
    let startTime: UInt64

    /// The calling process.
    static var current: OwnerProcess {
        OwnerProcess(identifier: getpid(), startTime: state(of: getpid())?.startTime ?? 0)
    }

    init(identifier: pid_t, startTime: UInt64) { (self.identifier, self.startTime) = (identifier, startTime) }

    /// Parses `4711-3w5e`; nil for any other text.
    init?(_ text: Substring) {
        let terms = text.split(separator: "-", omittingEmptySubsequences: false)
        guard terms.count == 2, let identifier = pid_t(terms[0]), identifier > 0, let time = UInt64(terms[1], radix: 36)
        else { return nil }
        self.init(identifier: identifier, startTime: time)
    }

    /// `4711-3w5e`: the number and the start time in base 36.
    var text: String { "\(identifier)-\(String(startTime, radix: 36))" }

    /// Whether the process has ended; false if unknown.
    var hasEnded: Bool {
        if let state = Self.state(of: identifier) {
            return state.isZombie || startTime != 0 && state.startTime != startTime
        }
        return kill(identifier, 0) != 0 && errno == ESRCH
    }

    /// Returns nil if there is no such process or its state is unknown.
    private static func state(of process: pid_t) -> (isZombie: Bool, startTime: UInt64)? {
        let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        // The program name in parentheses may contain any characters.
        guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = String(decoding: bytes[(end + 1)..<count], as: UTF8.self).split(separator: " ")
        guard fields.count > 19, let time = UInt64(fields[19]) else { return nil }
        return (fields[0] == "Z" || fields[0] == "X", time)
    }
}
