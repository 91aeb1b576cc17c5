import FoundationEssentials
import WayreelBench
import WayreelCore
import WayreelGauge

/// Runs and spans with known numbers. Runs begin at 1000 ms on the clock.
enum StepRuns {
    static let start = 1000.0

    /// Makes a run of `wayreel` with readings of its threads at some times since its start; nil for times without a
    /// reading.
    static func run(
        wall: Double = 1000, cpu: Double, _ readings: [(time: Double, threads: [String: Double]?)] = []
    ) throws -> Measurement {
        let samples = try readings.map { time, threads in
            let names = try threads.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) } ?? "null"
            return """
                {"milliseconds": \(time), "cpuPercent": 0, "residentBytes": 1, "isProportionalRead": false,
                "processes": 1, "threadMilliseconds": \(names)}
                """
        }
        let text = """
            {"command": ["/usr/bin/wayreel"], "startMilliseconds": \(start), "wallMilliseconds": \(wall),
            "userMilliseconds": \(cpu), "systemMilliseconds": 0, "minorFaults": 0, "majorFaults": 0,
            "voluntarySwitches": 0, "involuntarySwitches": 0, "samples": [\(samples.joined(separator: ", "))],
            "sampling": {"cpuMilliseconds": 0, "cpuPercent": 0, "proportionalReadings": 0, "threadReadings": 0,
            "samplesLeftOut": 0}, "unavailable": []}
            """
        return try JSONDecoder().decode(Measurement.self, from: Data(text.utf8))
    }

    /// Makes a span between two times since the start of the run.
    static func span(
        _ name: String, _ from: Double, _ to: Double, cpu: Double? = nil, on thread: Int = 1, called: String = "task"
    ) -> TraceSpan {
        TraceSpan(
            name: name, thread: thread, threadName: called, startMilliseconds: start + from, milliseconds: to - from,
            cpuMilliseconds: cpu)
    }

    static func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-6 * max(1, abs(b)) }

    static func isClose(_ a: [Double], _ b: [Double]) -> Bool { a.count == b.count && zip(a, b).allSatisfy(isClose) }
}
