internal import WayreelGauge

/// Processor time of threads that codecs have started: they are called as the step that they work for, and have no spans.
struct HelperTime {
    /// Milliseconds since the start by name, at some times.
    private let readings: [(time: Double, threads: [String: Double])]
    private let own: [String: Double]

    init(_ samples: [Sample], besides spans: [OwnTime]) {
        readings = samples.compactMap { sample in
            sample.threadMilliseconds.map { (sample.milliseconds, $0) }
        }
        var own: [String: Double] = [:]
        for span in spans { own[span.threadName, default: 0] += span.cpu }
        self.own = own
    }

    /// Of threads that nothing else is known of: the command's own, and those of Swift's runtime.
    private static let unknown: Set<String> = ["wayreel", "task", "watch"]

    /// Steps that threads without spans work for.
    var names: [String] {
        guard let last = readings.last else { return [] }
        return last.threads.keys.filter { milliseconds(of: $0) > 0 }.sorted()
    }

    /// More than rounding of the kernel's clock, in milliseconds.
    private static let least = 20.0

    /// What threads called `name` took that no span tells of.
    func milliseconds(of name: String) -> Double {
        guard !Self.unknown.contains(name), !name.hasPrefix("oot."), !name.hasPrefix("-qos"),
            let all = readings.last?.threads[name]
        else { return 0 }
        let rest = all - (own[name] ?? 0)
        return rest > Self.least ? rest : 0
    }

    /// The share of ``milliseconds(of:)`` that falls between two times.
    func share(of name: String, from start: Double, to end: Double) -> Double {
        let whole = value(of: name, at: .infinity)
        return whole > 0 ? (value(of: name, at: end) - value(of: name, at: start)) / whole : 0
    }

    /// Between two readings it grows evenly.
    private func value(of name: String, at time: Double) -> Double {
        var before = (time: 0.0, value: 0.0)
        for reading in readings {
            let value = reading.threads[name] ?? before.value
            if reading.time >= time {
                let span = reading.time - before.time
                return before.value + (span > 0 ? (value - before.value) * (time - before.time) / span : 0)
            }
            before = (reading.time, value)
        }
        return before.value
    }
}
