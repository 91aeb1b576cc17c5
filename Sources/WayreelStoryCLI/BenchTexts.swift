internal import Wayreel
internal import WayreelBench
internal import WayreelCLI
internal import WayreelCore

/// Formats benchmark results as text.
enum BenchTexts {
    static let fault = ErrorSite(.parameter, step: .bench)

    // MARK: Lists

    static var list: String {
        let rows = BenchSuite.all.map { suite in
            [
                suite.name, suite.isStandard ? "standard" : "", suite.about,
                Set(suite.peers.flatMap(\.families)).sorted().joined(separator: ", "),
            ]
        }
        return "Suites and their peers:\n\(TextColumns.aligned(rows))"
    }

    /// Names that select peers.
    static var families: [String] { Set(BenchSuite.all.flatMap { $0.peers.flatMap(\.families) }).sorted() }

    /// Throws a `parameter` error if no suite has the peer.
    static func peer(named name: String, of suites: [BenchSuite]) throws(MediaError) -> String {
        guard let family = families.first(where: { $0.lowercased() == name.lowercased() }) else {
            throw fault(
                "unknown peer '\(name)'",
                nearestName(to: name, in: families).map { "did you mean '\($0)'?" }
                    ?? "use one of \(families.joined(separator: ", "))")
        }
        guard suites.contains(where: { $0.peers.contains { $0.families.contains(family) } }) else {
            throw fault("'\(family)' is not a peer of these suites", "see wayreel bench --list")
        }
        return family
    }

    // MARK: Results

    static func tables(_ report: BenchReport, _ comparison: Regressions?) -> String {
        var parts = ["\(report.machine)"]
        if let programs = report.programsText { parts.append("beside \(programs)") }
        parts += BenchTables(report).rows(ratios: [.wall]).map(TextColumns.aligned)
        let failures = report.results.flatMap { result in
            result.candidates.compactMap { one in one.failure.map { "\(result.suite): \(one.name) failed: \($0)" } }
        }
        let absent = Set(report.results.flatMap { $0.absent.map { "not compared: \($0)" } })
        let notes = failures + absent.sorted()
        if !notes.isEmpty { parts.append(notes.joined(separator: "\n")) }
        if let comparison { parts.append(changes(comparison)) }
        return parts.joined(separator: "\n\n")
    }

    private static func changes(_ comparison: Regressions) -> String {
        let rows = comparison.rows.map { row in
            [row.suite, row.comparison == nil ? "" : row.figure.name, row.comparison?.description ?? row.note]
        }
        return "Ratios to the baseline; times are normalised by a calibration workload measured with each:\n"
            + TextColumns.aligned(rows)
    }
}

/// Shows the progress of a benchmark: one line redrawn on a terminal, otherwise one line per suite. Failures are always
/// printed.
struct BenchProgress {
    private let suites: [String]
    private let isQuiet: Bool
    private var lastSuite = ""

    init(suites: [String], isQuiet: Bool) {
        self.suites = suites
        self.isQuiet = isQuiet
    }

    mutating func observe(_ event: BenchRunner.Event) {
        switch event {
        case .making(let text): show(text)
        case .round(let suite, let number):
            let position = (suites.firstIndex(of: suite) ?? 0) + 1
            let phase = number == 0 ? "warming up" : "round \(number)"
            if Console.errorIsTerminal {
                show("\(position) of \(suites.count)  \(suite)  \(phase)")
            } else if suite != lastSuite {
                show("\(position) of \(suites.count)  \(suite)")
            }
            lastSuite = suite
        case .failed(let suite, let candidate, let reason):
            clear()
            Console.error("\(suite): \(candidate): \(reason)")
        }
    }

    func end() { clear() }

    private func show(_ line: String) {
        guard !isQuiet else { return }
        guard Console.errorIsTerminal else { return Console.error(line) }
        clear()
        Console.draw(String(line.prefix(max(20, Console.width - 1))))
    }

    private func clear() {
        if Console.errorIsTerminal, !isQuiet { Console.draw("\r\u{1B}[K") }
    }
}
