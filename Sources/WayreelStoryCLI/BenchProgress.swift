internal import WayreelBench
internal import WayreelCLI

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
