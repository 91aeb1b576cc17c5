internal import WayreelCore
internal import WayreelGauge

/// What runs of a program took, for people.
struct MeasureTable {
    private let runs: [Measurement]

    init(_ runs: [Measurement]) { self.runs = runs }

    /// The run whose wall time is nearest to the median.
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
        rows.append(["page faults", "\(typical.minorFaults), \(typical.majorFaults) from a disk"])
        rows.append(["switches", "\(typical.voluntarySwitches) to wait, \(typical.involuntarySwitches) forced"])
        if let moved = typical.transfer {
            rows.append([
                "moved",
                "\(Self.bytes(Double(moved.bytesRead))) read, \(Self.bytes(Double(moved.bytesWritten))) written",
            ])
            rows.append([
                "of a disk",
                "\(Self.bytes(Double(moved.storageBytesRead))) read, \(Self.bytes(Double(moved.storageBytesWritten))) written",
            ])
        }
        rows.append(["energy", typical.energyJoules.map { "\($0.formatted(2)) J" } ?? lack(.energyJoules, typical)])
        rows.append(["samples", samples(typical)])
        if runs.count > 1 { rows.append(["runs", "\(runs.count); medians, and where they lie" + confidence]) }
        return Columns.aligned(rows)
    }

    /// Few runs tell less.
    private var confidence: String {
        Summary(runs.map(\.wallMilliseconds))?.interval.map { " at \(($0.confidence * 100).formatted(0)) %" } ?? ""
    }

    private func row(
        _ name: String, _ value: (Measurement) -> Double?, _ words: (Double) -> String, _ note: String = ""
    ) -> [String] {
        guard let summary = Summary(runs.compactMap(value)) else { return [name, "not available"] }
        let interval = summary.interval.map { " (\(words($0.lower)) to \(words($0.upper)))" } ?? ""
        let outliers = summary.outliers.isEmpty ? "" : "; outliers: \(summary.outliers.count)"
        return [name, words(summary.median) + interval + note + outliers]
    }

    private func split(_ run: Measurement) -> String {
        let cores = run.coresUsed.map { ", \($0.formatted(2)) cores at work" } ?? ""
        return " (\(Self.time(run.userMilliseconds)) user, \(Self.time(run.systemMilliseconds)) system\(cores))"
    }

    private func samples(_ run: Measurement) -> String {
        guard !run.samples.isEmpty else { return lack(.samples, run, else: "none: it was over before the first") }
        let cost = "\(run.sampling.cpuPercent.formatted(2)) % of a core"
        let most = run.samples.compactMap(\.proportionalBytes).max().map {
            ", at most \(Self.bytes(Double($0))) of memory (PSS)"
        }
        return "\(run.samples.count), which took \(cost)\(most ?? "")"
    }

    private func lack(_ figure: Unavailable.Figure, _ run: Measurement, else words: String = "not available") -> String
    {
        run.reason(for: figure).map { "not available: \($0)" } ?? words
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
        case ..<1e6: "\((count / 1e3).formatted(1)) KB"
        default: "\((count / 1e6).formatted(1)) MB"
        }
    }
}
