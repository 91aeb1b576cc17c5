package import Glibc

/// `wayreel worker` processes, identified by a file that they have open.
package enum WorkerProcess {
    package struct Missing: Error {}

    /// Returns all worker processes that have `path` open.
    package static func all(on path: String) -> [pid_t] {
        Fixture.listing("/proc").compactMap { pid_t($0) }.filter { process in
            // A process before its exec still has the files of its parent.
            guard let line = try? Fixture.bytes("/proc/\(process)/cmdline"),
                line.split(separator: 0).dropFirst().first?.elementsEqual("worker".utf8) == true
            else { return false }
            return Fixture.listing("/proc/\(process)/fd").contains {
                Fixture.target(of: "/proc/\(process)/fd/\($0)") == path
            }
        }
    }

    /// Waits for a worker process that has `path` open and returns it; starting one may take time on a busy machine.
    package static func first(on path: String) throws -> pid_t {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(120) {
            if let process = all(on: path).first { return process }
            usleep(10_000)
        }
        throw Missing()
    }
}
