internal import Glibc

/// The memory of a process as `/proc` shows it.
package enum ProcessMemory {
    /// Returns the resident bytes of a process: its number, or `self`. nil if it has ended. See proc_pid_statm(5).
    package static func residentBytes(of process: String) -> Int? {
        guard let text = try? MediaBytes.read(path: "/proc/\(process)/statm", limit: 4096) else { return nil }
        let fields = withExtendedLifetime(text) { String(decoding: $0.buffer, as: UTF8.self) }.split(separator: " ")
        return fields.dropFirst().first.flatMap { Int($0) }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }
}
