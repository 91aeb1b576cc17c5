internal import WayreelCore
internal import WayreelGauge

/// Unavailable figures and notes on the others.
extension HTMLReport {
    /// Unavailable figures with reasons, each once.
    var unavailable: Markup {
        var order: [Unavailable] = []
        var tasks: [Unavailable: [String]] = [:]
        for result in report.results {
            for missing in result.candidates.filter({ $0.failure == nil }).flatMap(\.unavailable) {
                if tasks[missing] == nil { order.append(missing) }
                if tasks[missing]?.last != result.suite { tasks[missing, default: []].append(result.suite) }
            }
        }
        guard !order.isEmpty else { return "" }
        let rows = order.map { missing -> Markup in
            let names = tasks[missing] ?? []
            let suites = names.count == report.results.count ? "all" : names.joined(separator: ", ")
            return "<tr><th scope=\"row\">\(missing.figure.label)</th><td>\(missing.reason)</td><td>\(suites)</td></tr>"
        }
        return """
            <section>
            <h2>Not measured</h2>
            \(Self.table("Not measured", head: Self.heads(["Figure", "Reason", "Tasks"]), rows: rows))</section>

            """
    }

    var explanation: Markup {
        """
        <section>
        <h2>How to read it</h2>
        <p>A figure is the median of the runs with its 95 % confidence interval; for three to five runs the level is lower
        and stated. Outliers are more than three standard deviations from the median; they are marked and included. Whiskers
        in charts are the same intervals.</p>
        <p>Compared programs run alternately, and each round gives a ratio; the median is shown. The verdict is better or
        worse only if the whole interval is on one side of 1. A failed program is not compared.</p>
        <p>CPU time includes all threads, in user mode and in the kernel. Peak memory is the largest resident set of a
        process. 100 % in charts over time is one busy core.</p>
        </section>
        """
    }
}

extension Unavailable.Figure {
    fileprivate var label: String {
        switch self {
        case .peakMemoryBytes: "peak memory"
        case .transfer: "bytes read and written"
        case .groupPeakBytes: "peak memory of all processes (control group)"
        case .energyJoules: "energy"
        case .samples: "samples over time"
        case .proportionalBytes: "proportional memory over time"
        case .threadMilliseconds: "CPU time of threads"
        case .processes: "number of processes"
        case .callerMilliseconds: "CPU time of the calling thread"
        }
    }
}
