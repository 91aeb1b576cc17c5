internal import Glibc

/// Fields of `/proc/PID/stat` for a process or thread; see proc_pid_stat(5).
package struct ProcessStatus: Hashable, Sendable {
    /// The command name (15 bytes), which a thread may change.
    package var name: String
    package var parent: Int32
    /// User and system time in clock ticks.
    package var ticks: Int
    /// User and system time of reaped children and their descendants in clock ticks.
    package var childTicks: Int
    package var threads: Int
    /// Start time, which distinguishes it from a later process with the same ID.
    package var startTicks: Int
    package var residentPages: Int
    /// Whether it is exiting, and has released its memory.
    package var isEnding: Bool

    /// The kernel's PF_EXITING.
    private static let ending = 4

    /// Duration of a clock tick in seconds.
    package static let tick = 1 / Double(sysconf(Int32(_SC_CLK_TCK)))

    package static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))

    package init(_ path: String) throws(SystemFault) {
        let bytes = try SystemText(path).bytes
        // The name may contain any characters, including parentheses and spaces.
        guard let open = bytes.firstIndex(of: UInt8(ascii: "(")), let close = bytes.lastIndex(of: UInt8(ascii: ")")),
            open < close
        else { throw SystemFault(path, "has an unexpected format") }
        name = String(decoding: bytes[(open + 1)..<close], as: UTF8.self)
        // From here on, the manual's third field is first.
        let fields = bytes[(close + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 22)
        func number(_ field: Int) throws(SystemFault) -> Int {
            guard fields.count > field - 3, let number = SystemText.number(fields[field - 3]) else {
                throw SystemFault(path, "has an unexpected format")
            }
            return number
        }
        func sum(_ first: Int, _ second: Int) throws(SystemFault) -> Int {
            let (sum, isTooLarge) = try number(first).addingReportingOverflow(try number(second))
            if isTooLarge { throw SystemFault(path, "has an unexpected format") }
            return sum
        }
        parent = Int32(clamping: try number(4))
        ticks = try sum(14, 15)
        childTicks = try sum(16, 17)
        threads = try number(20)
        startTicks = try number(22)
        residentPages = try number(24)
        isEnding = try number(9) & Self.ending != 0
    }

    package var residentBytes: Int {
        let (bytes, isTooLarge) = residentPages.multipliedReportingOverflow(by: Self.pageBytes)
        return isTooLarge ? .max : bytes
    }
}
