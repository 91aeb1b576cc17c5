import Glibc
import TestSupport
import WayreelBench
import WayreelCore

/// Programs with known behaviour.
enum Programs {
    static func shell(_ script: String) -> [String] { ["sh", "-c", script] }

    static func python(_ script: String) -> [String] { ["python3", "-c", script] }

    /// Returns a program that holds `mebibytes` of touched memory while `script` runs.
    static func holding(_ mebibytes: Int, _ script: String = "") -> [String] {
        python("held = b'x' * (\(mebibytes) << 20)\n" + script)
    }

    /// Returns Python code that keeps a core busy until the process has used `seconds` of CPU time.
    static func busy(_ seconds: Double) -> String {
        "import time\nwhile time.process_time() < \(seconds): sum(range(20000))\n"
    }

    /// Measures a program without showing its output.
    static func measure(_ command: [String], _ change: (inout GaugeOptions) -> Void = { _ in }) throws -> Measurement {
        var options = GaugeOptions(output: .none, errors: .none)
        // A program that hangs fails.
        options.timeoutSeconds = 300
        change(&options)
        return try Gauge.run(command, options: options)
    }

    /// Measures a program, again up to four times if the rest of the machine prevented the sampler from seeing what it
    /// should.
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

    /// Returns whether a process is still running; zombies are not.
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
