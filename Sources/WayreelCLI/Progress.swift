internal import Glibc
internal import Wayreel

/// Tells how a batch is getting on: a bar on a terminal, a line for each task elsewhere, nothing when quiet. Failures are
/// told in any case.
struct Progress {
    private let total: Int
    private let style: Style
    private let start = Self.now
    private var done = 0
    private var failed = 0
    private var cancelled = 0
    private var peakBytes = 0

    private enum Style { case bar, lines, silent }

    init(total: Int, isQuiet: Bool) {
        self.total = total
        style = isQuiet ? .silent : Console.errorIsTerminal ? .bar : .lines
        if style == .bar { draw() }
    }

    mutating func finished(_ report: TaskReport) {
        done += 1
        if report.error?.kind == .cancelled {
            // Ctrl-C on a thousand captures is told once, by `end`.
            cancelled += 1
            return
        }
        if report.status == .failed { failed += 1 }
        peakBytes = max(peakBytes, report.peakMemoryBytes)
        clear()
        // A failure tells of what led to it.
        for warning in report.warnings where style != .silent && report.error == nil {
            Console.error("\(report.input.path): \(warning)".onOneLine)
        }
        if let error = report.error {
            Console.error("error: \(error)")
        } else if style == .lines || total == 1, style != .silent {
            Console.error(Self.line(report))
        }
        if style == .bar, done < total { draw() }
    }

    /// The last line of a batch.
    func end() {
        clear()
        guard style != .silent, total > 1 || cancelled > 0 else { return }
        let failures = failed == 0 ? "" : ", \(failed) failed"
        let seconds = (Self.now - start).formatted(2)
        let ending = cancelled == 0 ? "" : "interrupted: "
        Console.error(
            "\(ending)\(done - failed - cancelled) of \(total) done\(failures) in \(seconds) s, \(rate.formatted(1)) a second, "
                + "\(peakBytes >> 20) MB at the peak")
    }

    /// `photo.jpg → out.jpg  640×960  84 KB  61 ms`, `radio.mp3 → levels.json  59.6 s of sound  31 KB  48 ms`.
    private static func line(_ report: TaskReport) -> String {
        let outputs = [report.output] + (report.furtherOutputs ?? [])
        // Where loudness alone is measured there is no output.
        let arrow = report.status == .done && report.output.format == nil ? "" : " → "
        let paths = (report.input.path + arrow + (arrow.isEmpty ? "" : outputs.map(\.path).joined(separator: ", ")))
            .onOneLine
        if report.status == .skipped { return "\(paths)  skipped: exists already" }
        let size =
            if let seconds = report.input.seconds { "\(seconds.formatted(1)) s of sound" } else {
                "\(report.output.width ?? 0)×\(report.output.height ?? 0)"
            }
        let bytes = arrow.isEmpty ? "" : "  \((outputs.reduce(0) { $0 + ($1.bytes ?? 0) } + 1023) / 1024) KB"
        return "\(paths)  \(size)\(bytes)  \(report.wallMilliseconds.formatted(0)) ms"
    }

    private var rate: Double { Double(done) / max(Self.now - start, 1e-9) }

    private func draw() {
        let left = rate > 0 ? Double(total - done) / rate : 0
        let tail = " \(done)/\(total)  \(rate.formatted(1))/s  ETA \(left.formatted(0)) s"
        let room = max(10, min(40, Console.width - tail.count - 3))
        let filled = done * room / max(total, 1)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
        Console.draw("\r\(bar)\(tail)\u{1B}[K")
    }

    private func clear() {
        if style == .bar { Console.draw("\r\u{1B}[K") }
    }

    private static var now: Double { Clock.wall }
}
