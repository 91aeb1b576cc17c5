internal import WayreelCore
internal import WayreelDrawing

/// A benchmark report, as stored in JSON.
package struct BenchReport: Sendable, Codable {
    /// Identifies the file type.
    package var kind = BenchReport.kind
    package var version = BenchReport.version
    /// Version of Wayreel.
    package var wayreel: String
    /// Creation date: `2026-11-21T21:04:25Z`.
    package var date: String
    package var machine: Machine
    /// Versions of the measured programs by name, if known; nil without peers.
    package var programs: [String: String]?
    package var results: [BenchResult]

    static let kind = "wayreel-bench"
    static let version = 3

    /// `ffmpeg 5.1.9, sox 14.4.2`; nil without programs.
    package var programsText: String? {
        let texts = (programs ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
}

/// The result of a suite.
package struct BenchResult: Sendable, Codable {
    package var suite: String
    package var about: String
    package var input: BenchInput
    /// The first is Wayreel.
    package var candidates: [BenchCandidate]
    /// Missing peers with the reason.
    package var absent: [String]

    package var own: BenchCandidate { candidates[0] }
}

package struct BenchInput: Hashable, Sendable, Codable {
    package var name: String
    package var bytes: Int
}

/// A program and the cost of its runs.
package struct BenchCandidate: Sendable, Codable {
    package var name: String
    package var command: [String]
    package var runs: [BenchRun]
    /// Why its figures do not count: it failed, timed out or produced no output.
    package var failure: String?
    /// Size of its output.
    package var outputBytes: Int?
    /// What the machine does not provide, with the reason.
    package var unavailable: [Unavailable]

    /// The values of a figure in run order.
    package func values(_ figure: BenchFigure) -> [Double] { runs.compactMap(figure.value) }

    /// The values divided by the calibration.
    package func steadyValues(_ figure: BenchFigure) -> [Double] { runs.compactMap(figure.steadyValue) }

    package func summary(_ figure: BenchFigure) -> Summary? {
        failure == nil ? Summary(values(figure)) : nil
    }

    /// The ratio of a figure to that of `peer` in the same round; nil if either failed.
    func comparison(with peer: BenchCandidate, _ figure: BenchFigure) -> Comparison? {
        guard failure == nil, peer.failure == nil else { return nil }
        return Comparison(baseline: peer.rounds(figure), candidate: rounds(figure))
    }

    /// One value per round; NaN if not measured.
    func rounds(_ figure: BenchFigure) -> [Double] { runs.map { figure.value($0) ?? .nan } }
}

/// The cost of one run; see ``Measurement``.
package struct BenchRun: Hashable, Sendable, Codable {
    package var wallMilliseconds: Double
    package var userMilliseconds: Double
    package var systemMilliseconds: Double
    package var peakMemoryBytes: Int?
    package var groupPeakBytes: Int?
    package var transfer: Transfer?
    package var energyJoules: Double?
    /// Cost of the calibration work just before.
    package var calibration: Calibration

    package struct Calibration: Hashable, Sendable, Codable {
        /// Cost of computing in user mode.
        package var computing: Times
        /// Cost of page faults in the kernel.
        package var faulting: Times

        package struct Times: Hashable, Sendable, Codable {
            package var wallMilliseconds: Double
            package var cpuMilliseconds: Double
        }
    }

    init(_ measurement: Measurement, calibration: Calibration) {
        wallMilliseconds = measurement.wallMilliseconds
        userMilliseconds = measurement.userMilliseconds
        systemMilliseconds = measurement.systemMilliseconds
        peakMemoryBytes = measurement.peakMemoryBytes
        groupPeakBytes = measurement.groupPeakBytes
        transfer = measurement.transfer
        energyJoules = measurement.energyJoules
        self.calibration = calibration
    }
}

/// A compared figure.
package enum BenchFigure: String, Sendable, Codable, CaseIterable {
    case wall, cpu, memory

    package var name: String {
        switch self {
        case .wall: "wall time"
        case .cpu: "CPU time"
        case .memory: "peak memory"
        }
    }

    /// In seconds or bytes.
    package func value(_ run: BenchRun) -> Double? {
        switch self {
        case .wall: run.wallMilliseconds / 1000
        case .cpu: (run.userMilliseconds + run.systemMilliseconds) / 1000
        case .memory: run.peakMemoryBytes.map(Double.init)
        }
    }

    /// The value divided by the calibration, which makes times of one machine comparable across sessions. User and
    /// system time are affected differently and calibrated separately.
    package func steadyValue(_ run: BenchRun) -> Double? {
        let own = run.userMilliseconds, kernel = run.systemMilliseconds
        func steadyCPU(_ time: (BenchRun.Calibration.Times) -> Double) -> Double {
            own / time(run.calibration.computing) + kernel / time(run.calibration.faulting)
        }
        switch self {
        case .wall:
            let share = own + kernel > 0 ? steadyCPU(\.wallMilliseconds) / (own + kernel) : 0
            return run.wallMilliseconds * (share > 0 ? share : 1 / run.calibration.computing.wallMilliseconds)
        case .cpu: return steadyCPU(\.cpuMilliseconds)
        case .memory: return value(run)
        }
    }

    private var measure: ChartMeasure { self == .memory ? .bytes : .seconds }

    /// A value with its unit: `61.2 ms`, `24.1 MB`.
    package func text(_ value: Double) -> String { measure.text(value) }

    /// The interval as text: `74.3–118 ms`, or `74.3–118 ms at 75 %` unless its confidence is `unlessConfidence`.
    /// Returns nil for fewer than three runs.
    func interval(_ summary: Summary, unlessConfidence: Double? = nil) -> String? {
        guard let interval = summary.interval else { return nil }
        let upper = measure.text(interval.upper, besides: interval.upper)
        var lower = measure.text(interval.lower, besides: interval.upper)
        if let unit = upper.lastIndex(of: " "), lower.hasSuffix(upper[unit...]) {
            lower.removeLast(upper[unit...].count)
        }
        return "\(lower)–\(upper)" + (interval.confidence == unlessConfidence ? "" : " at \(interval.confidenceText)")
    }
}
