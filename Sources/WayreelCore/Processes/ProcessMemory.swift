/// The memory of a process as `/proc` shows it.
package enum ProcessMemory {
    /// The peak resident size of this process in bytes.
    ///
    /// getrusage is not usable: a process inherits the peak of its parent.
    package static var peakBytes: Int {
        let key = "VmHWM:"
        guard let status = try? MediaBytes.read(path: "/proc/self/status", limit: 1 << 16) else { return 0 }
        let text = withExtendedLifetime(status) { String(decoding: $0.buffer, as: UTF8.self) }
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 } ?? 0
    }

    /// Returns the resident bytes of a process: its number, or `self`. nil if it has ended. See proc_pid_statm(5).
    package static func residentBytes(of process: String) -> Int? {
        guard let text = try? MediaBytes.read(path: "/proc/\(process)/statm", limit: 4096) else { return nil }
        let fields = withExtendedLifetime(text) { String(decoding: $0.buffer, as: UTF8.self) }.split(separator: " ")
        return fields.dropFirst().first.flatMap { Int($0) }.map { $0 * ProcessStatus.pageBytes }
    }
}
