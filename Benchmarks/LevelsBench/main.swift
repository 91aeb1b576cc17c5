// The speed of the peak kernels, the cost of loudness and the latency of live metering. Prints JSON.
//
//     LevelsBench [SECONDS-A-CASE]
//
// Every live case is run several times, with all cases in turn: other activity on the machine varies, while the cost of
// the meter itself is in every round. Prints the medians of the rounds and the worst round. A case with few readings
// takes up to four times as long, so that a single delay does not become its 99th percentile.

internal import Glibc

let seconds = CommandLine.arguments.count > 1 ? Double(CommandLine.arguments[1]) ?? 0 : 1
let roundCount = 5
guard CommandLine.arguments.count <= 2, (0.1...600).contains(seconds) else {
    print("usage: LevelsBench [SECONDS-A-CASE]")
    exit(2)
}

/// Rounds to `digits` decimals.
func rounded(_ value: Double, _ digits: Int) -> Double {
    let scale = pow(10, Double(digits))
    return (value * scale).rounded() / scale
}

let kernels = KernelSpeed.measure().map { "\"\($0.name)\": \(rounded($0.speed, 2))" }
let loudness = try LoudnessCost.measure()
let readers: [LiveLatency.Reader] = [.adder, .thread]
let cases =
    readers.flatMap { reader in
        [1, 2, 4, 8, 13].flatMap { streams in
            [30, 60, 150].map { LiveLatency(streams: streams, rate: $0, reader: reader) }
        }
    } + [1, 13].map { LiveLatency(streams: $0, rate: 60, reader: .task) }
var rounds = [[LiveLatency.Round]](repeating: [], count: cases.count)
for _ in 0..<roundCount {
    for (index, one) in cases.enumerated() {
        rounds[index].append(try await one.run(seconds: seconds * max(1, 120 / Double(one.streams * one.rate))))
    }
}
let live = zip(cases, rounds).map { one, rounds in
    let median = { (figure: (LiveLatency.Round) -> Double) in
        rounded(one.percentile(50, of: rounds.map(figure).sorted()), 1)
    }
    let worst = rounds.max { $0.high < $1.high }!
    return """
            {"streams": \(one.streams), "rate": \(one.rate), "reader": "\(one.reader)", \
        "readings": \(rounds.reduce(0) { $0 + $1.readings }), "rounds": \(rounds.count), \
        "median_us": \(median(\.median)), "p99_us": \(median(\.high)), "timer_p99_us": \(median(\.timer)), \
        "added_p99_us": \(median(\.added)), "worst_p99_us": \(rounded(worst.high, 1)), \
        "worst_timer_p99_us": \(rounded(worst.timer, 1)), "max_us": \(rounded(rounds.map(\.highest).max()!, 1))}
        """
}
print(
    """
    {
      "kernel_gb_per_s": {\(kernels.joined(separator: ", "))},
      "loudness_cpu_s_per_hour": \(rounded(loudness, 1)),
      "live": [
    \(live.joined(separator: ",\n"))
      ]
    }
    """)
