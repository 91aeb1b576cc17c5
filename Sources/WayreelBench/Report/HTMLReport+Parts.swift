internal import WayreelCore
internal import WayreelDrawing
internal import WayreelGauge
internal import WayreelCharts

/// Page elements.
extension HTMLReport {
    /// A table that scrolls horizontally if it is too wide.
    static func table(_ name: String, head: Markup, rows: [Markup], foot: Markup = "") -> Markup {
        """
        <div class="scroll" role="region" tabindex="0" aria-label="\(name)"><table>
        <thead><tr>\(head)</tr></thead>
        <tbody>
        \(rows.joined(separator: "\n"))
        </tbody>\(foot)
        </table></div>

        """
    }

    /// Column headers; those of numbers start with `#`.
    static func heads(_ names: [String]) -> Markup {
        names.map { name in
            name.hasPrefix("#")
                ? "<th scope=\"col\" class=\"n\">\(String(name.dropFirst()))</th>" as Markup
                : "<th scope=\"col\">\(name)</th>"
        }.joined(separator: "")
    }

    /// A cell with a number and a remark in small print.
    static func cell(_ number: String, _ remark: Markup? = nil) -> Markup {
        "<td class=\"n\">\(number)\(remark.map { "<small>\($0)</small>" as Markup } ?? "")</td>"
    }

    /// Number of runs and confidence level.
    static func runsCell(_ candidate: BenchCandidate) -> Markup {
        let interval = candidate.summary(.wall)?.interval
        return cell("\(candidate.runs.count)", interval.map { "at \($0.confidenceText)" })
    }

    /// Median of a figure, its interval and number of outliers.
    static func cell(_ figure: BenchFigure, _ candidate: BenchCandidate) -> Markup {
        guard let summary = candidate.summary(figure) else { return cell("–") }
        let confidence = candidate.summary(.wall)?.interval?.confidence
        let interval = figure.interval(summary, unlessConfidence: confidence).map { "\($0)" as Markup }
        let count = summary.outliers.count
        let outliers: Markup? = count > 0 ? "<mark>\(count.counted("outlier"))</mark>" : nil
        let remarks = [interval, outliers].compactMap(\.self)
        return cell(figure.median(summary), remarks.isEmpty ? nil : remarks.joined(separator: "<br/>"))
    }

    /// A comparison with the ratio above the rest.
    static func cell(_ comparison: Comparison?, note: String = "–") -> Markup {
        guard let comparison else { return "<td>\(note)</td>" }
        let kind =
            switch comparison.verdict {
            case .better: "better"
            case .worse: "worse"
            case .noDifferenceSeen, .tooFewRuns: "even"
            }
        return "<td class=\"\(kind)\">\(comparison.description)</td>"
    }

    /// A chart with a caption; a narrow version on narrow screens.
    static func figure(_ chart: ReportChart) throws(MediaError) -> Markup {
        let forms = ["broad", "narrow"]
        let elements = try chart.inlineSVGs()
        let label = "\(chart.title): \(chart.chart.summary)"
        let drawings = elements.enumerated().map { index, element in
            let form = elements.count > 1 ? forms[index] : "any"
            return "<div class=\"\(form)\" role=\"img\" aria-label=\"\(label)\">\n\(element)</div>" as Markup
        }
        return "<figure><figcaption>\(chart.caption)</figcaption>\(drawings)</figure>\n"
    }

    static func figures(_ charts: [ReportChart]) throws(MediaError) -> Markup {
        guard !charts.isEmpty else { return "" }
        var figures: [Markup] = []
        for chart in charts { figures.append(try figure(chart)) }
        return "<div class=\"row figures\">\n\(figures)</div>\n"
    }
}
