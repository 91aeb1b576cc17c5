internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

/// Formats a replay as text: what happened and when, what did not happen and why, and the journal.
struct PlayPage {
    private let report: PlayReport
    private let clock: LocalClock
    private let reasons: MissReason
    private var names: [String: String] = [:]

    init(_ report: PlayReport, _ clock: LocalClock) {
        self.report = report
        self.clock = clock
        reasons = MissReason(clock: clock)
        for chapter in report.story.chapters {
            names[chapter.id] = chapter.name
            for event in chapter.events { names[event.id] = event.name }
        }
    }

    var text: String {
        [head, timeline, explanation, misses, journal, advice].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private var head: String {
        let start = report.start.map { " from \(clock.date($0))" } ?? ""
        let late = report.backwardFixes == 0 ? "" : " (\(report.backwardFixes) not used: no later than the one before)"
        return "\(report.story.name): \(report.fixes.counted("fix", "fixes"))\(late)\(start), times in \(clock.zone)"
            .onOneLine
    }

    // MARK: What happened

    private var timeline: String {
        var rows: [[String]] = []
        var date: String?
        for outcome in report.outcomes {
            guard let (word, text) = line(outcome) else { continue }
            let day = clock.date(outcome.timestamp)
            if let date, date != day { rows.append([day]) }
            date = day
            rows.append([clock.time(outcome.timestamp), word, text.onOneLine])
            if case .show(_, let media) = outcome.kind {
                rows.removeLast()
                rows += media.map { ["", "", "  \($0)".onOneLine] }
            }
        }
        return TextColumns.aligned(rows)
    }

    /// Returns the line of an outcome, or nil for outcomes that only views need.
    private func line(_ outcome: PlaybackOutcome) -> (word: String, text: String)? {
        switch outcome.kind {
        case .near, .entered, .left, .dwelt: nil
        case .chapterAvailable(let chapter): ("chapter", "\(name(chapter)) is available")
        case .found(let event, _): ("found", "\(name(event)) (\(event))")
        case .show: ("", "")
        case .lockboxAsked(let lockbox, let question): ("asked", "\(lockbox): \(question)")
        case .answerWrong(_, let text, let hint):
            ("wrong", "“\(text)”\(hint.map { "; hint: \($0)" } ?? "")")
        case .lockboxOpened(let lockbox, let text): ("opened", "\(lockbox) with “\(text)”")
        case .codeWrong(let text): ("wrong", "the code “\(text)”")
        case .quizAnswered(let event, let question, _, let isCorrect, let points):
            (
                "quiz",
                "\(event), question \(question + 1): \(isCorrect ? "correct, \(points.counted("point"))" : "wrong")"
            )
        case .captureKept(let event, let id, let file): ("capture", "\(event): \(file ?? id)")
        case .chapterDone(let chapter): ("done", name(chapter))
        case .storyDone: ("done", "the story")
        }
    }

    private func name(_ id: String) -> String { names[id] ?? id }

    // MARK: What did not

    private var misses: String {
        guard !report.misses.isEmpty else { return "" }
        let shown = report.nearestMisses(Self.shownMisses)
        let rest = report.misses.count - shown.count
        return
            (["Not found", TextColumns.aligned(shown.map { ["  \($0.event.id)", reasons.text($0)] })]
            + (rest > 0 ? ["  and \(rest) more that the walk came less near"] : [])).joined(separator: "\n")
    }

    /// The number of events that are listed as not found.
    private static let shownMisses = 50

    // MARK: One event, fix by fix

    private var explanation: String {
        guard let first = report.decisions.first else { return "" }
        var rows = [["  time", "distance", "closest", "accuracy", "fix", "event"]]
        var far: [FenceDecision] = []
        func close() {
            guard let nearest = far.min(by: { $0.closest < $1.closest }) else { return }
            rows.append([
                "  \(clock.time(far[0].timestamp))", "", MissReason.metres(nearest.closest), "",
                "\(far.count.counted("fix", "fixes")) outside, none closer",
            ])
            far = []
        }
        for decision in report.decisions where !decision.blockers.contains(.alreadyFound) || decision.isFound {
            if decision.verdict.isUsed, decision.stage == .outside, decision.votes == 0, !decision.isFound {
                far.append(decision)
                continue
            }
            close()
            rows.append([
                "  \(clock.time(decision.timestamp))", MissReason.metres(decision.distance),
                MissReason.metres(decision.closest),
                MissReason.metres(decision.accuracy), decision.verdict.text, state(decision),
            ])
        }
        close()
        return "\(first.event), a circle of \(MissReason.metres(first.radius))\n" + TextColumns.aligned(rows)
    }

    private func state(_ decision: FenceDecision) -> String {
        if decision.isFound { return "found" }
        let blockers =
            decision.blockers.isEmpty ? "" : "; \(decision.blockers.map(reasons.words).joined(separator: "; "))"
        if decision.isInside {
            return (decision.votes == 0 ? "inside" : "inside, \(decision.votes.counted("fix", "fixes")) beyond")
                + blockers
        }
        return decision.verdict.isUsed ? "\(decision.votes) of \(decision.needed) fixes needed\(blockers)" : ""
    }

    // MARK: Answers

    private var advice: String {
        report.isUnanswered ? "Lockboxes and quizzes were not answered: --answers answers.yml says what to try." : ""
    }

    // MARK: The journal

    private var journal: String {
        let found = report.events.filter { report.journal.found[$0.id] != nil }
        let opened = report.lockboxes.count { report.journal.opened[$0.id] != nil }
        var parts = ["\(found.count) of \(report.events.count.counted("event"))"]
        if !report.lockboxes.isEmpty {
            parts.append("\(opened) of \(report.lockboxes.count.counted("lockbox", "lockboxes"))")
        }
        let points = report.events.reduce(0) { sum, event in
            guard case .quiz(let quiz) = event.content else { return sum }
            return sum + quiz.questions.reduce(0) { $0 + $1.points }
        }
        if points > 0 { parts.append("\(report.journal.points) of \(points.counted("point"))") }
        let entries = found.compactMap { event in report.journal.found[event.id].map { (event, $0) } }
            .sorted { $0.1.timestamp < $1.1.timestamp }
        let rows = entries.map { event, finding in
            [
                "  \(clock.date(finding.timestamp)) \(clock.time(finding.timestamp).dropLast(3))",
                (event.journal?.title ?? event.name).onOneLine,
            ]
        }
        return (["Journal: \(parts.joined(separator: ", "))"] + (rows.isEmpty ? [] : [TextColumns.aligned(rows)]))
            .joined(separator: "\n")
    }
}

/// The reason why a walk did not find an event, as text.
struct MissReason {
    let clock: LocalClock

    func text(_ miss: Rehearsal.Miss) -> String {
        let metres = Self.metres
        let radius = miss.event.activation.radius
        guard let closest = miss.closest else { return "the walk did not come near its circle of \(metres(radius))" }
        let time = clock.time(closest.timestamp)
        let blockers = closest.blockers.map(words).joined(separator: "; ")
        if closest.isInside {
            if !blockers.isEmpty { return "the player was there at \(time), but \(blockers)" }
            switch miss.event.activation.trigger {
            case .enter, .code: return "the player was there at \(time)"
            case .exit: return "the player came at \(time), and did not leave"
            case .dwell:
                let seconds = miss.event.activation.dwellSeconds?.shortDescription ?? "0"
                return "the player came at \(time), and did not stay for \(seconds) s"
            }
        }
        let besides = blockers.isEmpty ? "" : "; also \(blockers)"
        let circle = "\(metres(closest.closest)) away, its circle is \(metres(radius))\(besides)"
        if closest.closest <= radius { return "touched at \(time) by too few fixes: \(circle)" }
        return "missed by \(metres(closest.closest - radius)) at \(time): \(circle)"
    }

    func words(_ blocker: Blocker) -> String {
        switch blocker {
        case .closed(until: let opening?):
            "its window is closed until \(clock.date(opening)) \(clock.time(opening).dropLast(3))"
        default: blocker.description
        }
    }

    static func metres(_ value: Double) -> String {
        value < 100 ? "\(((value * 10).rounded() / 10).shortDescription) m" : "\(value.rounded().shortDescription) m"
    }
}
