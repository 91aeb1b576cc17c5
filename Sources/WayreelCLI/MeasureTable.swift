internal import WayreelCore
internal import WayreelGauge

/// Formats the cost of several runs of a program.
struct MeasureTable {
    private let runs: [Measurement]

    init(_ runs: [Measurement]) { self.runs = runs }

    /// The run closest to the median wall time.
    var typical: Measurement? {
        guard let median = Summary(runs.map(\.wallMilliseconds))?.median else { return nil }
        return runs.min { abs($0.wallMilliseconds - median) < abs($1.wallMilliseconds - median) }
    }

    var text: String {
        guard let typical else { return "" }
        var rows = [
            row("wall time", \.wallMilliseconds, Self.time),
            row("CPU time", \.cpuMilliseconds, Self.time, split(typical)),
            row("peak memory", { $0.peakMemoryBytes.map(Double.init) }, Self.bytes),
        ]
        if typical.groupPeakBytes != nil {
            rows.append(row("with its children", { $0.groupPeakBytes.map(Double.init) }, Self.bytes))
        }
        rows.append(["page faults", "\(typical.minorFaults), \(typical.majorFaults) from disk"])
        rows.append(["switches", "\(typical.voluntarySwitches) voluntary, \(typical.involuntarySwitches) involuntary"])
        if let moved = typical.transfer {
            rows.append([
                "I/O",
                "\(Self.bytes(Double(moved.bytesRead))) read, \(Self.bytes(Double(moved.bytesWritten))) written",
            ])
            rows.append([
                "disk I/O",
                "\(Self.bytes(Double(moved.storageBytesRead))) read, \(Self.bytes(Double(moved.storageBytesWritten))) written",
            ])
        }
        rows.append([
            "energy", typical.energyJoules.map { "\($0.formatted(2)) J" } ?? unavailable(.energyJoules, typical),
        ])
        rows.append(["samples", samples(typical)])
        if runs.count > 1 { rows.append(["runs", "\(runs.count); medians with confidence intervals" + confidence]) }
        return TextColumns.aligned(rows)
    }

    /// The confidence level depends on the number of runs.
    private var confidence: String {
        Summary(runs.map(\.wallMilliseconds))?.interval.map { " at \(($0.confidence * 100).formatted(0)) %" } ?? ""
    }

    private func row(
        _ name: String, _ value: (Measurement) -> Double?, _ format: (Double) -> String, _ note: String = ""
    ) -> [String] {
        guard let summary = Summary(runs.compactMap(value)) else { return [name, "not available"] }
        let interval = summary.interval.map { " (\(format($0.lower)) to \(format($0.upper)))" } ?? ""
        let outliers = summary.outliers.isEmpty ? "" : "; outliers: \(summary.outliers.count)"
        return [name, format(summary.median) + interval + note + outliers]
    }

    private func split(_ run: Measurement) -> String {
        let cores = run.coresUsed.map { ", \($0.formatted(2)) cores used" } ?? ""
        return " (\(Self.time(run.userMilliseconds)) user, \(Self.time(run.systemMilliseconds)) system\(cores))"
    }

    private func samples(_ run: Measurement) -> String {
        guard !run.samples.isEmpty else { return unavailable(.samples, run, else: "none: it ended before the first") }
        let cost = "\(run.sampling.cpuPercent.formatted(2)) % of a core"
        let peak = run.samples.compactMap(\.proportionalBytes).max().map {
            ", peak memory \(Self.bytes(Double($0))) (PSS)"
        }
        return "\(run.samples.count), sampling took \(cost)\(peak ?? "")"
    }

    private func unavailable(_ figure: Unavailable.Figure, _ run: Measurement, else format: String = "not available")
        -> String
    {
        run.reason(for: figure).map { "not available: \($0)" } ?? format
    }

    private static func time(_ milliseconds: Double) -> String {
        switch milliseconds {
        case ..<10: "\(milliseconds.formatted(2)) ms"
        case ..<1000: "\(milliseconds.formatted(1)) ms"
        default: "\((milliseconds / 1000).formatted(2)) s"
        }
    }

    private static func bytes(_ count: Double) -> String {
        switch count {
        case ..<1e4: "\(count.formatted(0)) B"
        case ..<1e6: "\((count / 1e3).formatted(1)) kB"
        default: "\((count / 1e6).formatted(1)) MB"
        }
    }
}
