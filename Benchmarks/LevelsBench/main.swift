// The speed of the peak kernels, the cost of loudness and the latency of live metering. Prints JSON.
//
//     LevelsBench [SECONDS-A-CASE]
//
// A case with few readings takes up to four times as long, so that one hiccup of the system is not its 99th percentile.

internal import Glibc

let seconds = CommandLine.arguments.count > 1 ? Double(CommandLine.arguments[1]) ?? 0 : 2.2
guard CommandLine.arguments.count <= 2, (0.1...600).contains(seconds) else {
    print("usage: LevelsBench [SECONDS-A-CASE]")
    exit(2)
}

/// With `digits` digits after the point.
func rounded(_ value: Double, _ digits: Int) -> Double {
    let scale = pow(10, Double(digits))
    return (value * scale).rounded() / scale
}

let kernels = KernelSpeed.measure().map { "\"\($0.name)\": \(rounded($0.speed, 2))" }
let loudness = try LoudnessCost.measure()
let cases =
    [1, 2, 4, 8, 13].flatMap { streams in
        [30, 60, 150].map { LiveLatency(streams: streams, rate: $0, reader: .thread) }
    } + [1, 13].map { LiveLatency(streams: $0, rate: 60, reader: .task) }
var live: [String] = []
for one in cases {
    let result = try await one.run(seconds: seconds * max(1, 120 / Double(one.streams * one.rate)))
    live.append(
        """
            {"streams": \(one.streams), "rate": \(one.rate), "reader": "\(one.reader)", "readings": \(result.readings), \
        "median_us": \(rounded(result.median, 1)), "p99_us": \(rounded(result.high, 1)), \
        "max_us": \(rounded(result.highest, 1)), "timer_p99_us": \(rounded(result.timer, 1))}
        """)
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
