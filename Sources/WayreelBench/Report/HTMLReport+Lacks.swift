internal import WayreelCore
internal import WayreelGauge

/// What there is no figure of, and how the others are meant.
extension HTMLReport {
    /// Figures that could not be had, with the reasons, each once.
    var lacks: Markup {
        var order: [Unavailable] = []
        var tasks: [Unavailable: [String]] = [:]
        for result in report.results {
            for lack in result.contenders.filter({ $0.failure == nil }).flatMap(\.unavailable) {
                if tasks[lack] == nil { order.append(lack) }
                if tasks[lack]?.last != result.suite { tasks[lack, default: []].append(result.suite) }
            }
        }
        guard !order.isEmpty else { return "" }
        let rows = order.map { lack -> Markup in
            let names = tasks[lack] ?? []
            let place = names.count == report.results.count ? "all" : names.joined(separator: ", ")
            return "<tr><th scope=\"row\">\(lack.figure.words)</th><td>\(lack.reason)</td><td>\(place)</td></tr>"
        }
        return """
            <section>
            <h2>Not measured</h2>
            \(Self.table("Not measured", head: Self.heads(["Figure", "Why", "Tasks"]), rows: rows))</section>

            """
    }

    var explanation: Markup {
        """
        <section>
        <h2>How to read it</h2>
        <p>A figure is the median of the runs, below it where the true median lies in 95 of 100 cases; of three to five runs
        the interval is worth less, which stands beside it. A run is an outlier where it lies further from the median than
        three standard deviations would; it is marked and counts all the same. The whiskers of the charts are those intervals.</p>
        <p>Programs that are compared run in turns, and each round gives a ratio; what is shown is their median. It is better
        or worse only where the whole interval lies on one side of 1. A program that failed is not compared.</p>
        <p>CPU time is that of all threads, in user mode and in the kernel. Peak memory is the largest resident set of one
        process. 100 % in charts over time is one core at work.</p>
        </section>
        """
    }
}

extension Unavailable.Figure {
    fileprivate var words: String {
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
