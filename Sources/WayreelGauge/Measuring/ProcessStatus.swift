internal import Glibc

/// What `/proc/PID/stat` says of a process or a thread; see proc_pid_stat(5).
package struct ProcessStatus: Hashable, Sendable {
    /// Its name: the first 15 bytes of the program's, or what it has called itself.
    package var name: String
    package var parent: Int32
    /// User and system time, in ticks of the clock.
    package var ticks: Int
    /// The same of the children that it has waited for, and of theirs.
    package var childTicks: Int
    package var threads: Int
    /// When it was started: tells it from a later process of the same number.
    package var startTicks: Int
    package var residentPages: Int
    /// Whether it is being taken down: its memory is no longer what it was.
    package var isEnding: Bool

    /// The kernel's PF_EXITING.
    private static let ending = 4

    /// The length of a tick, in seconds.
    package static let tick = 1 / Double(sysconf(Int32(_SC_CLK_TCK)))

    package static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))

    package init(_ path: String) throws(SystemFault) {
        let bytes = try SystemText(path).bytes
        // The name may hold anything, brackets and blanks included.
        guard let open = bytes.firstIndex(of: UInt8(ascii: "(")), let close = bytes.lastIndex(of: UInt8(ascii: ")")),
            open < close
        else { throw SystemFault(path, "is no status of a process") }
        name = String(decoding: bytes[(open + 1)..<close], as: UTF8.self)
        // From here on the third field of the manual is the first.
        let fields = bytes[(close + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 22)
        func number(_ field: Int) throws(SystemFault) -> Int {
            guard fields.count > field - 3, let number = SystemText.number(fields[field - 3]) else {
                throw SystemFault(path, "is no status of a process")
            }
            return number
        }
        func sum(_ first: Int, _ second: Int) throws(SystemFault) -> Int {
            let (sum, isTooLarge) = try number(first).addingReportingOverflow(try number(second))
            if isTooLarge { throw SystemFault(path, "is no status of a process") }
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
