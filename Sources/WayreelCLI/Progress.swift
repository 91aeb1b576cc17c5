internal import WayreelCore
internal import WayreelMedia

/// Shows the progress of a batch: a bar on a terminal, otherwise one line per task and an occasional line for long
/// ones; nothing if quiet. Failures are always printed.
struct Progress {
    private let inputs: [String]
    private let style: Style
    private let start = Self.now
    /// Progress of the running tasks that report it.
    private var states: [Int: TaskProgress] = [:]
    /// The time when the bar was last drawn or a line was printed.
    private var lastDrawn = 0.0
    private var lastShown: [Int: Double] = [:]
    private var done = 0
    private var failed = 0
    private var cancelled = 0
    private var peakBytes = 0

    private enum Style { case bar, lines, silent }

    /// Min seconds between redraws of the bar, and between two lines about a task.
    private static let (barInterval, lineInterval) = (0.1, 5.0)

    init(inputs: [String], isQuiet: Bool) {
        self.inputs = inputs
        style = isQuiet ? .silent : Console.errorIsTerminal ? .bar : .lines
        if style == .bar { draw() }
    }

    private var total: Int { inputs.count }

    mutating func observe(_ event: TaskEvent, of index: Int) {
        switch event {
        case .started: lastShown[index] = Self.now
        case .progress(let state):
            states[index] = state
            show(state, index)
        case .finished(let report):
            states[index] = nil
            finished(report)
        }
    }

    private mutating func show(_ state: TaskProgress, _ index: Int) {
        let now = Self.now
        if style == .bar, now - lastDrawn >= Self.barInterval {
            lastDrawn = now
            draw()
        } else if style == .lines, now - (lastShown[index] ?? now) >= Self.lineInterval {
            lastShown[index] = now
            Console.error("\(inputs[index]): \(Self.text(state))".onOneLine)
        }
    }

    private mutating func finished(_ report: TaskReport) {
        done += 1
        if let error = report.error, error.kind == .cancelled {
            // `end` reports the cancellation once for all tasks.
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
        // The error of a failed task covers its warnings.
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

    /// Prints the summary of a batch.
    func end() {
        clear()
        guard style != .silent, total > 1 || cancelled > 0 else { return }
        let failures = failed == 0 ? "" : ", \(failed) failed"
        let result = "\(done - failed - cancelled) of \(total) done\(failures)"
        guard cancelled == 0 else { return Console.error("interrupted: \(result)") }
        let seconds = (Self.now - start).formatted(2)
        Console.error("\(result) in \(seconds) s, \(rate.formatted(1)) per second, \(peakBytes.asSize) peak memory")
    }

    /// `photo.jpg → out.jpg  640×960  84 kB  61 ms`, `radio.mp3 → levels.json  59.6 s of audio  31 kB  48 ms`.
    private static func line(_ report: TaskReport) -> String {
        let outputs = [report.output] + (report.furtherOutputs ?? [])
        // A task that only measures loudness has no output.
        let arrow = report.status == .done && report.output.format == nil ? "" : " → "
        let paths = (report.input.path + arrow + (arrow.isEmpty ? "" : outputs.map(\.path).joined(separator: ", ")))
            .onOneLine
        if report.status == .skipped { return "\(paths)  skipped: already exists" }
        let size =
            if let width = report.output.width, let height = report.output.height {
                "\(width)×\(height)" + (report.output.seconds.map { "  \($0.formatted(1)) s" } ?? "")
            } else {
                "\((report.input.seconds ?? 0).formatted(1)) s of audio"
            }
        let video = report.streams?.first { $0.kind == .video && $0.action != .drop }
        let coding =
            video?.action == .copy
            ? "  copied"
            : video?.crf.map { "  CRF \($0.shortDescription)" }
                ?? report.output.quality.map { "  quality \($0)" } ?? ""
        let bytes = arrow.isEmpty ? "" : "  \(outputs.reduce(0) { $0 + ($1.bytes ?? 0) }.asSize)"
        return "\(paths)  \(size)\(coding)\(bytes)  \(report.wallMilliseconds.formatted(0)) ms"
    }

    /// Finished tasks and fractions of running ones, per second.
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

    /// The text beside the bar.
    private var tail: String {
        if total == 1, let state = states[0] { return Self.text(state) }
        let speed = states.values.reduce(0) { $0 + $1.speed }
        let pace = speed > 0 ? "\(speed.formatted(1))×" : "\(rate.formatted(1))/s"
        let left = rate > 0 ? (Double(total - done) - underWay) / rate : 0
        return "\(done)/\(total)  \(pace)  ETA \(left.formatted(0)) s"
    }

    /// `42 %  3.1×  ETA 12 s`; `12.5 s  3.1×` for an unknown duration.
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
