package import Glibc

/// Processes `wayreel worker`, known by a file that they have open.
package enum WorkerProcess {
    package struct Missing: Error {}

    /// All that have `path` open.
    package static func all(on path: String) -> [pid_t] {
        Fixture.listing("/proc").compactMap { pid_t($0) }.filter { process in
            // What is about to become one still has the files of the process that started it.
            guard let line = try? Fixture.bytes("/proc/\(process)/cmdline"),
                line.split(separator: 0).dropFirst().first?.elementsEqual("worker".utf8) == true
            else { return false }
            return Fixture.listing("/proc/\(process)/fd").contains { target(of: "/proc/\(process)/fd/\($0)") == path }
        }
    }

    /// One that has `path` open, once there is one: a busy machine takes its time to start it.
    package static func first(on path: String) throws -> pid_t {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(120) {
            if let process = all(on: path).first { return process }
            usleep(10_000)
        }
        throw Missing()
    }

    private static func target(of link: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(link, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
