internal import WayreelBench

/// Tells how a benchmark is getting on: a line that is drawn over on a terminal, elsewhere a line for each suite. Failures are
/// told in any case.
struct BenchProgress {
    private let suites: [String]
    private let isQuiet: Bool
    private var lastSuite = ""

    init(suites: [String], isQuiet: Bool) {
        self.suites = suites
        self.isQuiet = isQuiet
    }

    mutating func hear(_ event: BenchRunner.Event) {
        switch event {
        case .making(let text): tell(text)
        case .round(let suite, let number):
            let place = (suites.firstIndex(of: suite) ?? 0) + 1
            let words = number == 0 ? "warming up" : "round \(number)"
            if Console.errorIsTerminal {
                tell("\(place) of \(suites.count)  \(suite)  \(words)")
            } else if suite != lastSuite {
                tell("\(place) of \(suites.count)  \(suite)")
            }
            lastSuite = suite
        case .failed(let suite, let contender, let reason):
            clear()
            Console.error("\(suite): \(contender): \(reason)")
        }
    }

    func end() { clear() }

    private func tell(_ line: String) {
        guard !isQuiet else { return }
        guard Console.errorIsTerminal else { return Console.error(line) }
        clear()
        Console.draw(String(line.prefix(max(20, Console.width - 1))))
    }

    private func clear() {
        if Console.errorIsTerminal, !isQuiet { Console.draw("\r\u{1B}[K") }
    }
}
