internal import Glibc

/// A process or thread as `/proc/PID/stat` shows it; see proc_pid_stat(5).
package struct ProcessStatus: Hashable, Sendable {
    /// The command name (15 bytes), which a thread may change.
    package var name: String
    package var parent: Int32
    /// User and system time in clock ticks.
    package var ticks: Int
    /// User and system time of reaped children and their descendants in clock ticks.
    package var childTicks: Int
    package var threads: Int
    /// Start time in clock ticks since boot, which distinguishes it from a later process with the same ID.
    package var startTicks: Int
    package var residentPages: Int
    /// Whether it is exiting, and has released its memory.
    package var isEnding: Bool
    /// Whether it has ended, and at most its parent still has to wait for it.
    package var hasEnded: Bool

    /// The kernel's PF_EXITING.
    private static let ending = 4

    /// Duration of a clock tick in seconds.
    package static let tick = 1 / Double(sysconf(Int32(_SC_CLK_TCK)))

    package static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Returns nil if there is no such process or its status is unknown.
    package init?(of process: Int32) {
        guard let file = try? MediaBytes.read(path: "/proc/\(process)/stat", limit: 1 << 16) else { return nil }
        self.init(file.array)
    }

    /// Parses the content of the file. Returns nil for any other text, and for numbers that overflow.
    package init?(_ bytes: [UInt8]) {
        // The name may contain any characters, including parentheses and spaces.
        guard let open = bytes.firstIndex(of: UInt8(ascii: "(")), let close = bytes.lastIndex(of: UInt8(ascii: ")")),
            open < close
        else { return nil }
        // From here on, the manual's third field is first.
        let fields = bytes[(close + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 22)
        func number(_ field: Int) -> Int? {
            fields.count > field - 3 ? Int(String(decoding: fields[field - 3], as: UTF8.self)) : nil
        }
        func sum(_ first: Int, _ second: Int) -> Int? {
            guard let first = number(first), let second = number(second) else { return nil }
            let (sum, isTooLarge) = first.addingReportingOverflow(second)
            return isTooLarge ? nil : sum
        }
        guard let parent = number(4), let flags = number(9), let ticks = sum(14, 15), let childTicks = sum(16, 17),
            let threads = number(20), let startTicks = number(22), let residentPages = number(24)
        else { return nil }
        name = String(decoding: bytes[(open + 1)..<close], as: UTF8.self)
        self.parent = Int32(clamping: parent)
        (self.ticks, self.childTicks, self.threads) = (ticks, childTicks, threads)
        (self.startTicks, self.residentPages) = (startTicks, residentPages)
        isEnding = flags & Self.ending != 0
        hasEnded = fields[0].elementsEqual("Z".utf8) || fields[0].elementsEqual("X".utf8)
    }

    package var residentBytes: Int {
        let (bytes, isTooLarge) = residentPages.multipliedReportingOverflow(by: Self.pageBytes)
        return isTooLarge ? .max : bytes
    }
}
