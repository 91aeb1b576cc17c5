internal import Wayreel
internal import WayreelGauge

/// The traces of tasks as one document.
enum TaskTraces {
    /// Tasks of one process stand together. Throws what ``ChromeTrace`` throws.
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
                Console.error("warning: trace: \(report.input.path): the last \(trace.lost) spans are left out")
            }
            if let place = processes.firstIndex(where: { $0.identifier == trace.process }) {
                processes[place].spans += spans
            } else {
                processes.append(TraceProcess(name: "wayreel", identifier: trace.process, spans: spans))
            }
        }
        return try ChromeTrace.encode(processes)
    }
}
