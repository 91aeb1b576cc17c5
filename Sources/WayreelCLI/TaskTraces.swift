internal import WayreelMedia
internal import WayreelGauge

/// Combines the traces of tasks into one document.
enum TaskTraces {
    /// Groups tasks by process. Throws what ``ChromeTrace`` throws.
    static func encode(_ reports: [TaskReport]) throws -> [UInt8] {
        var processes: [TraceProcess] = []
        for report in reports {
            guard let trace = report.trace else { continue }
            let spans = trace.spans.map { span in
                var span = span
                span.details["input"] = report.input.path
                return span
            }
            if trace.lost > 0 {
                Console.error("warning: trace: \(report.input.path): the last \(trace.lost) spans are missing")
            }
            if let index = processes.firstIndex(where: { $0.identifier == trace.process }) {
                processes[index].spans += spans
            } else {
                processes.append(TraceProcess(name: "wayreel", identifier: trace.process, spans: spans))
            }
        }
        return try ChromeTrace.encode(processes)
    }
}
