internal import Synchronization
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

/// Shows the progress of a preparation: on a terminal a view of all kinds of tasks that is redrawn, otherwise a line
/// for each finished task.
final class PrepareProgress: Sendable {
    private struct Kind {
        var total = 0
        var done = 0
        var bytes = 0
        var current: [String: (source: String, fraction: Double)] = [:]
    }

    private struct State {
        var kinds: [PlannedTask.Kind: Kind] = [:]
        var secondsLeft = 0.0
        var secondsDone = 0.0
        var lines = 0
        var lastDrawn = 0.0
        var start = Clock.wall
        var tasks = 0
        var done = 0
        /// The number of warnings that were printed.
        var warnings = 0
    }

    private enum Style { case view, lines, silent }

    private let style: Style
    private let state = Mutex(State())

    /// The minimum number of seconds between two drawings.
    private static let interval = 0.1

    init(isQuiet: Bool) { style = isQuiet ? .silent : Console.errorIsTerminal ? .view : .lines }

    func observe(_ event: PrepareEvent) {
        state.withLock { state in
            switch event {
            case .measured(let count, let total): measured(count, total, &state)
            case .planned(let plan):
                clear(&state)
                planned(plan, &state)
            case .started(let task):
                state.kinds[task.kind, default: Kind()].current[task.key] = (task.uses.first?.source ?? "", 0)
                draw(&state)
            case .progress(let task, let progress):
                state.kinds[task.kind]?.current[task.key]?.fraction = progress.fraction ?? 0
                draw(&state)
            case .finished(let task, let result): finished(task, result, &state)
            }
        }
    }

    private func measured(_ count: Int, _ total: Int, _ state: inout State) {
        guard style == .view else {
            if style == .lines, count == total { Console.error("\(total) media measured for the maximum size") }
            return
        }
        clear(&state)
        Console.draw("  \(count) of \(total) media measured for the maximum size\n")
        state.lines = 1
    }

    private func planned(_ plan: PreparePlan, _ state: inout State) {
        for task in plan.pending { state.kinds[task.kind, default: Kind()].total += 1 }
        state.secondsLeft = plan.predictedSeconds
        state.tasks = plan.pending.count
        state.start = Clock.wall
        warn(plan.warnings, &state)
    }

    /// Prints the warnings that were not printed yet.
    private func warn(_ warnings: [String], _ state: inout State) {
        guard style != .silent else { return }
        for warning in warnings.dropFirst(state.warnings) { Console.error("warning: \(warning)".onOneLine) }
        state.warnings = warnings.count
    }

    private func finished(_ task: PlannedTask, _ result: PrepareReport.TaskResult, _ state: inout State) {
        state.kinds[task.kind, default: Kind()].current[task.key] = nil
        state.kinds[task.kind]?.done += 1
        state.kinds[task.kind]?.bytes += result.bytesOut
        state.secondsLeft -= task.predicted.seconds
        state.secondsDone += task.predicted.seconds
        state.done += 1
        // A maximum size may need more tasks than were planned.
        state.tasks = max(state.tasks, state.done)
        clear(&state)
        let source = task.uses.first?.source ?? ""
        let screen = task.uses.compactMap(\.screen).first.map { " for \($0)" } ?? ""
        for warning in result.warnings where style != .silent && result.error == nil {
            Console.error("\(source): \(warning.withPrepareFlags)".onOneLine)
        }
        if let error = result.error, error.kind != .cancelled {
            var named = error
            if named.subject == source { named.subject = source + screen }
            Console.error("error: \(named.withPrepareFlags)")
        } else if style == .lines, result.error == nil {
            Console.error(
                "\(state.done)/\(state.tasks)  \(task.kind.rawValue)  \(source)\(screen)  \(result.bytesIn.asSize) → "
                    + "\(result.bytesOut.asSize)  \(result.wallMilliseconds.formatted(0)) ms".onOneLine)
        }
        draw(&state, isForced: true)
    }

    /// Redraws the view.
    private func draw(_ state: inout State, isForced: Bool = false) {
        guard style == .view, state.done < state.tasks else { return }
        let now = Clock.wall
        guard isForced || now - state.lastDrawn >= Self.interval else { return }
        state.lastDrawn = now
        var lines: [String] = []
        for kind in PlannedTask.Kind.allCases {
            guard let counts = state.kinds[kind], counts.total > 0 else { continue }
            let current = counts.current.values.sorted { $0.source < $1.source }.map { task in
                task.source + (task.fraction > 0 ? " \((task.fraction * 100).formatted(0)) %" : "")
            }
            let text =
                "  \(kind.rawValue.leftPadded(to: 8))  \("\(counts.done)/\(max(counts.total, counts.done))".leftPadded(to: 9))  "
                + "\(counts.bytes.asSize.leftPadded(to: 8))  \(current.joined(separator: ", "))"
            lines.append(String(text.onOneLine.prefix(max(20, Console.width - 1))))
        }
        // The prediction is corrected by the actual duration of the finished tasks.
        let pace = state.secondsDone > 0 ? (now - state.start) / state.secondsDone : 0
        let eta = state.secondsDone > 0 ? "  ETA \((max(0, state.secondsLeft) * pace).formatted(0)) s" : ""
        lines.append("  \(state.done) of \(state.tasks) done\(eta)")
        let up = state.lines > 0 ? "\u{1B}[\(state.lines)A" : ""
        Console.draw("\r\(up)" + lines.map { "\u{1B}[2K\($0)\n" }.joined() + "\u{1B}[J")
        state.lines = lines.count
    }

    private func clear(_ state: inout State) {
        guard style == .view, state.lines > 0 else { return }
        Console.draw("\r\u{1B}[\(state.lines)A\u{1B}[J")
        state.lines = 0
    }

    /// Prints the summary.
    func end(_ report: PrepareReport) {
        state.withLock { clear(&$0) }
        for failure in report.failures { Console.error("error: \(failure.error.withPrepareFlags)") }
        let failed = report.count(.failed) + report.failures.count
        if failed > 0 {
            Console.error(
                report.isComplete
                    ? "\(failed) media are missing in the bundle"
                    : "the bundle was not changed, because \(failed) media failed; mend them, or use --allow-missing")
        }
        guard style != .silent else { return }
        let isRepaired = state.withLock { state in
            defer { warn(report.warnings, &state) }
            return report.warnings.count > state.warnings
        }
        if let budget = report.budget, !budget.items.isEmpty { Console.error(BudgetTable.text(budget)) }
        for line in report.facts { Console.error(line.onOneLine) }
        let made = report.count(.made)
        let unchanged =
            isRepaired
            ? ", the bundle was repaired"
            : made > 0 ? ", the bundle is the same as before" : ", the bundle was up to date"
        let verdict = report.isComplete && !report.isSwitched ? unchanged : ""
        Console.error(
            "\(made) made, \(report.count(.reused)) reused\(failed > 0 ? ", \(failed) failed" : "")\(verdict): "
                + "\(report.bytesIn.asSize) → \(report.bytesOut.asSize) in \((report.wallMilliseconds / 1000).formatted(2)) s, "
                + "\((report.cpuMilliseconds / 1000).formatted(2)) s of CPU, \(report.peakMemoryBytes.asSize) peak memory"
        )
    }
}

extension PrepareReport {
    /// What players of each language download, where there are several, and how many media lack credits.
    var facts: [String] {
        var facts: [String] = []
        for language in languages where languages.count > 1 && !language.downloads.isEmpty {
            let sizes = language.downloads.map { "\($0.bytes.asSize) for \($0.screen)" }.joined(separator: ", ")
            facts.append("in \(language.language), players download \(sizes)")
        }
        if uncredited > 0 {
            facts.append(
                "\(uncredited) of \(credited + uncredited) media have no credits: neither the story nor the files name "
                    + "an author or a licence")
        }
        return facts
    }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
