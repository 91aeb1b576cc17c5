internal import WayreelCore
package import WayreelGauge

/// What a benchmark has found, as its JSON holds it.
package struct BenchReport: Sendable, Codable {
    /// What the file is, so that no other is taken for it.
    package var kind = BenchReport.kind
    package var version = BenchReport.version
    /// Of Wayreel.
    package var wayreel: String
    /// When it was made: `2026-11-21T21:04:25Z`.
    package var date: String
    package var machine: Machine
    /// Versions by name of the programs beside which it was measured, where they tell them; nil where there were none.
    package var programs: [String: String]?
    package var results: [BenchResult]

    static let kind = "wayreel-bench"
    static let version = 2

    /// `ffmpeg 5.1.9, sox 14.4.2`; nil where there are none.
    package var programsText: String? {
        let texts = (programs ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
}

/// One suite's.
package struct BenchResult: Sendable, Codable {
    package var suite: String
    package var about: String
    package var input: BenchInput
    /// The first is Wayreel itself.
    package var contenders: [BenchContender]
    /// Peers that are not there, and why.
    package var absent: [String]
    /// What Wayreel's time went into; nil where it could not be found out.
    package var steps: StepCosts?

    package var own: BenchContender { contenders[0] }
}

package struct BenchInput: Hashable, Sendable, Codable {
    package var name: String
    package var bytes: Int
}

/// A program, and what its runs have taken.
package struct BenchContender: Sendable, Codable {
    package var name: String
    package var command: [String]
    package var runs: [BenchRun]
    /// Why it counts for nothing: it has failed, hung or made nothing.
    package var failure: String?
    /// Of its output.
    package var outputBytes: Int?
    /// Over the run whose wall time is the median.
    package var samples: [Sample]
    package var unavailable: [Unavailable]

    /// The runs' values of a figure, in their order.
    package func values(_ figure: BenchFigure) -> [Double] { runs.compactMap(figure.value) }

    /// The same, times by those of the yardstick.
    package func steadyValues(_ figure: BenchFigure) -> [Double] { runs.compactMap(figure.steadyValue) }

    package func summary(_ figure: BenchFigure) -> Summary? {
        failure == nil ? Summary(values(figure)) : nil
    }
}

/// What one run has taken; see ``Measurement``.
package struct BenchRun: Hashable, Sendable, Codable {
    package var wallMilliseconds: Double
    package var userMilliseconds: Double
    package var systemMilliseconds: Double
    package var peakMemoryBytes: Int?
    package var groupPeakBytes: Int?
    package var minorFaults: Int
    package var majorFaults: Int
    package var voluntarySwitches: Int
    package var involuntarySwitches: Int
    package var transfer: Transfer?
    package var energyJoules: Double?
    /// What looking at it has cost, in percent of one core.
    package var samplingPercent: Double
    /// What fixed pieces of work took just before.
    package var yardstick: Yardstick

    package struct Yardstick: Hashable, Sendable, Codable {
        /// Of what a program does itself.
        package var computing: Times
        /// Of what the kernel does for it.
        package var faulting: Times

        package struct Times: Hashable, Sendable, Codable {
            package var wallMilliseconds: Double
            package var cpuMilliseconds: Double
        }
    }

    init(_ measurement: Measurement, yardstick: Yardstick) {
        wallMilliseconds = measurement.wallMilliseconds
        userMilliseconds = measurement.userMilliseconds
        systemMilliseconds = measurement.systemMilliseconds
        peakMemoryBytes = measurement.peakMemoryBytes
        groupPeakBytes = measurement.groupPeakBytes
        minorFaults = measurement.minorFaults
        majorFaults = measurement.majorFaults
        voluntarySwitches = measurement.voluntarySwitches
        involuntarySwitches = measurement.involuntarySwitches
        transfer = measurement.transfer
        energyJoules = measurement.energyJoules
        samplingPercent = measurement.sampling.cpuPercent
        self.yardstick = yardstick
    }
}

/// What is compared.
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

    /// The value by those of the yardstick, which makes times of one machine at different moments comparable: what the program
    /// computes gets slower by other causes than what the kernel does for it.
    package func steadyValue(_ run: BenchRun) -> Double? {
        let own = run.userMilliseconds, kernel = run.systemMilliseconds
        func steadyCPU(_ time: (BenchRun.Yardstick.Times) -> Double) -> Double {
            own / time(run.yardstick.computing) + kernel / time(run.yardstick.faulting)
        }
        switch self {
        case .wall:
            let share = own + kernel > 0 ? steadyCPU(\.wallMilliseconds) / (own + kernel) : 0
            return run.wallMilliseconds * (share > 0 ? share : 1 / run.yardstick.computing.wallMilliseconds)
        case .cpu: return steadyCPU(\.cpuMilliseconds)
        case .memory: return value(run)
        }
    }
}
