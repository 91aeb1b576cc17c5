internal import Glibc
internal import Wayreel
internal import WayreelCore

/// Tells how a batch is getting on: a bar on a terminal, elsewhere a line for each task and now and then one for those that
/// take long, nothing when quiet. Failures are told in any case.
struct Progress {
    private let inputs: [String]
    private let style: Style
    private let start = Self.now
    /// Of the tasks that tell how far they are.
    private var states: [Int: TaskProgress] = [:]
    /// When the bar was last drawn, or a task's line printed.
    private var lastDrawn = 0.0
    private var lastTold: [Int: Double] = [:]
    private var done = 0
    private var failed = 0
    private var cancelled = 0
    private var peakBytes = 0

    private enum Style { case bar, lines, silent }

    /// Seconds between two drawings of the bar, and between two lines about one task.
    private static let (barInterval, lineInterval) = (0.1, 5.0)

    init(inputs: [String], isQuiet: Bool) {
        self.inputs = inputs
        style = isQuiet ? .silent : Console.errorIsTerminal ? .bar : .lines
        if style == .bar { draw() }
    }

    private var total: Int { inputs.count }

    mutating func hear(_ event: TaskEvent, of index: Int) {
        switch event {
        case .started: lastTold[index] = Self.now
        case .progress(let state):
            states[index] = state
            told(state, index)
        case .finished(let report):
            states[index] = nil
            finished(report)
        }
    }

    private mutating func told(_ state: TaskProgress, _ index: Int) {
        let now = Self.now
        if style == .bar, now - lastDrawn >= Self.barInterval {
            lastDrawn = now
            draw()
        } else if style == .lines, now - (lastTold[index] ?? now) >= Self.lineInterval {
            lastTold[index] = now
            Console.error("\(inputs[index]): \(Self.text(state))".onOneLine)
        }
    }

    private mutating func finished(_ report: TaskReport) {
        done += 1
        if let error = report.error, error.kind == .cancelled {
            // Ctrl-C on a thousand captures is told once, by `end`.
            cancelled += 1
            if error.advice != nil, style != .silent {
                clear()
                Console.error("\(error)")
            }
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
            if let width = report.output.width, let height = report.output.height {
                "\(width)×\(height)" + (report.output.seconds.map { "  \($0.formatted(1)) s" } ?? "")
            } else {
                "\((report.input.seconds ?? 0).formatted(1)) s of sound"
            }
        let picture = report.streams?.first { $0.kind == .video && $0.action != .drop }
        let coding =
            picture?.action == .copy
            ? "  copied"
            : picture?.rateFactor.map { "  CRF \($0.shortDescription)" }
                ?? report.output.quality.map { "  quality \($0)" } ?? ""
        let bytes = arrow.isEmpty ? "" : "  \((outputs.reduce(0) { $0 + ($1.bytes ?? 0) } + 1023) / 1024) KB"
        return "\(paths)  \(size)\(coding)\(bytes)  \(report.wallMilliseconds.formatted(0)) ms"
    }

    /// Finished tasks and shares of those under way, a second.
    private var rate: Double { (Double(done) + underWay) / max(Self.now - start, 1e-9) }

    private var underWay: Double { states.values.reduce(0) { $0 + ($1.fraction ?? 0) } }

    private func draw() {
        let share = (Double(done) + underWay) / Double(max(total, 1))
        let tail = " " + tail
        let room = max(10, min(40, Console.width - tail.count - 3))
        let filled = Int(share * Double(room))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
        Console.draw("\r\(bar)\(tail)\u{1B}[K")
    }

    /// What stands beside the bar.
    private var tail: String {
        if total == 1, let state = states[0] { return Self.text(state) }
        let speed = states.values.reduce(0) { $0 + $1.speed }
        let pace = speed > 0 ? "\(speed.formatted(1))×" : "\(rate.formatted(1))/s"
        let left = rate > 0 ? (Double(total - done) - underWay) / rate : 0
        return "\(done)/\(total)  \(pace)  ETA \(left.formatted(0)) s"
    }

    /// `42 %  3.1×  ETA 12 s`; without a known length `12.5 s  3.1×`.
    private static func text(_ state: TaskProgress) -> String {
        let share = state.fraction.map { "\(($0 * 100).formatted(0)) %" } ?? "\(state.seconds.formatted(1)) s"
        let left = state.secondsLeft.map { "  ETA \($0.formatted(0)) s" } ?? ""
        return "\(share)  \(state.speed.formatted(1))×\(left)"
    }

    private func clear() {
        if style == .bar { Console.draw("\r\u{1B}[K") }
    }

    private static var now: Double { Clock.wall }
}
