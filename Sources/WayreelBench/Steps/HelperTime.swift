package import WayreelGauge

/// Processor time of threads that codecs have started for steps; they have no spans.
///
/// It is what threads of one name took besides their spans. Threads are called as the one that starts them, here as the step
/// that they work for; see ``ThreadFamilies`` for those that are not.
package struct HelperTime {
    /// In milliseconds on the monotonic clock, by the name of the step. Its parts end with the readings of threads; what comes
    /// after the last is estimated.
    package private(set) var byStep: [String: AmountOverTime] = [:]

    package init(_ run: Measurement, besides spans: [OwnTime]) {
        let families = ThreadFamilies(of: run, steps: spans.map(\.name))
        let readings = run.samples.compactMap { sample in
            sample.threadMilliseconds.map { (time: run.startMilliseconds + sample.milliseconds, threads: $0) }
        }
        guard let last = readings.last else { return }
        let end = max(last.time, run.startMilliseconds + run.wallMilliseconds)
        let edges = [run.startMilliseconds] + readings.map(\.time) + [end]
        let totals = readings.map { families.sums($0.threads) }
        var own: [String: [OwnTime]] = [:]
        for (thread, spans) in Dictionary(grouping: spans, by: \.threadName).sorted(by: { $0.key < $1.key }) {
            if let name = families.name(of: thread) { own[name, default: []] += spans }
        }
        let groups = (totals.last ?? [:]).keys.sorted().compactMap { name in
            Group(
                name, of: totals.map { $0[name] }, edges: edges, all: spans, own: own[name] ?? [],
                least: run.cpuMilliseconds / 100)
        }
        // More than the process has taken it cannot have been.
        let known = spans.reduce(0) { $0 + $1.cpu } + groups.reduce(0) { $0 + $1.seen.reduce(0, +) }
        let unseen = groups.reduce(0) { $0 + $1.unseen }
        let scale = unseen > 0 ? min(1, max(0, run.cpuMilliseconds - known) / unseen) : 0
        for group in groups {
            for (part, amount) in (group.seen + [group.unseen * scale]).enumerated() {
                for (step, share) in group.shares(ofPart: part) {
                    byStep[step, default: AmountOverTime(edges: edges)].add(amount * share, toPart: part)
                }
            }
        }
    }
}

/// Threads of one name, as far as spans do not tell of them.
private struct Group {
    /// Processor time in each part but the last, after which the threads were not read any more.
    let seen: [Double]
    /// An estimate of that in the last.
    let unseen: Double
    /// Wall time of the spans that the threads work for, by their names.
    private let busy: [String: AmountOverTime]
    private let isStep: Bool

    /// `totals`: the threads' time since the start, at each reading where there were any; `own`: spans of threads of that name.
    /// nil where nothing is left. What is less than `least` is the threads' own, between their spans.
    init?(_ name: String, of totals: [Double?], edges: [Double], all: [OwnTime], own: [OwnTime], least: Double) {
        var told = AmountOverTime(edges: edges)
        for span in own { told.add(span.cpu, from: span.start, to: span.end) }
        var before = 0.0
        // A span's time is not as even as it is taken to be: only the sum tells how much there is, and the parts when.
        let rests = zip(totals, told.amounts).map { total, told in
            defer { before = total ?? before }
            return (total ?? before) - before - told
        }
        let sum = rests.reduce(0, +)
        let positive = rests.reduce(0) { $0 + max(0, $1) }
        let named = all.filter { $0.name == name }
        isStep = !named.isEmpty || own.isEmpty
        guard sum > (named.isEmpty ? least : 0), positive > 0 else { return nil }
        seen = rests.map { max(0, $0) / positive * sum }
        var busy: [String: AmountOverTime] = [:]
        for span in named.isEmpty ? own : named {
            busy[span.name, default: AmountOverTime(edges: edges)].add(span.wall, from: span.start, to: span.end)
        }
        if busy.isEmpty {
            // Nothing tells when it works.
            var always = AmountOverTime(edges: edges)
            always.add(1, from: edges[0], to: edges[edges.count - 1])
            busy[name] = always
        }
        self.busy = busy
        let late = busy.values.reduce(0) { $0 + $1.amounts[edges.count - 2] }
        let early = busy.values.reduce(0) { $0 + $1.sum } - late
        unseen = early > 0 ? sum * late / early : 0
    }

    /// Whose a part is, in shares; of nobody where threads without a step of their name had no span open.
    func shares(ofPart part: Int) -> [(step: String, share: Double)] {
        if isStep { return busy.keys.map { ($0, 1) } }
        let whole = busy.values.reduce(0) { $0 + $1.amounts[part] }
        return whole > 0 ? busy.map { ($0.key, $0.value.amounts[part] / whole) } : []
    }
}
