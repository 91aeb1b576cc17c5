import Glibc
import TestSupport
import WayreelCore
import WayreelGauge

/// Programs whose doings are known.
enum Programs {
    static func shell(_ script: String) -> [String] { ["sh", "-c", script] }

    static func python(_ script: String) -> [String] { ["python3", "-c", script] }

    /// Holds `mebibytes` of memory, all of them touched, while `script` runs.
    static func holding(_ mebibytes: Int, _ script: String = "") -> [String] {
        python("held = b'x' * (\(mebibytes) << 20)\n" + script)
    }

    /// Python that keeps a core at work until the process has had `seconds` of it.
    static func busy(_ seconds: Double) -> String {
        "import time\nwhile time.process_time() < \(seconds): sum(range(20000))\n"
    }

    /// Runs a program of which nothing is to be seen.
    static func measure(_ command: [String], _ change: (inout GaugeOptions) -> Void = { _ in }) throws -> Measurement {
        var options = GaugeOptions(output: .none, errors: .none)
        // What hangs is to fail.
        options.timeoutSeconds = 300
        change(&options)
        return try Gauge.run(command, options: options)
    }

    /// Once more, up to four times, where the rest of the machine has kept the sampler from what it should have seen.
    static func measure(_ command: [String], until isSeen: (Measurement) -> Bool) throws -> Measurement {
        var measurement = try measure(command)
        for _ in 0..<4 where !isSeen(measurement) { measurement = try measure(command) }
        return measurement
    }

    static func failure(_ command: [String], _ options: GaugeOptions = GaugeOptions()) -> MediaError? {
        do throws(MediaError) {
            _ = try Gauge.run(command, options: options)
            return nil
        } catch { return error }
    }

    static func text(_ path: String) throws -> String { String(decoding: try Fixture.bytes(path), as: UTF8.self) }

    /// Whether a process still does anything: one that nobody has waited for does not.
    static func isAlive(_ process: pid_t) -> Bool {
        guard kill(process, 0) == 0 else { return false }
        let status = (try? text("/proc/\(process)/stat")) ?? ""
        return !status.contains(") Z ") && !status.isEmpty
    }

    /// Waits for the end of a process that may have been killed a moment ago.
    static func hasEnded(_ process: pid_t) -> Bool {
        for _ in 0..<3000 {
            if !isAlive(process) { return true }
            usleep(10_000)
        }
        return false
    }
}
