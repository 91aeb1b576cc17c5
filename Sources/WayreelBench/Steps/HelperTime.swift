internal import WayreelCore
package import WayreelGauge

/// CPU time of threads that codecs start for steps; these have no spans.
///
/// It is the time of threads with one name beyond their spans. Threads inherit the name of their creator, here of the
/// step that they work for; ``ThreadFamilies`` maps other names.
package struct HelperTime {
    /// By step, in milliseconds on the monotonic clock. Intervals end at thread readings; time after the last reading
    /// is estimated.
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
                threshold: run.cpuMilliseconds / 100)
        }
        // Bounded by the process's CPU time.
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

/// Threads of one name, beyond their spans.
private struct Group {
    /// CPU time in each interval except the last one, which ends after the last reading.
    let seen: [Double]
    /// Estimate for the last interval.
    let unseen: Double
    /// Wall time of the spans that the threads work for, by name.
    private let busy: [String: AmountOverTime]
    private let isStep: Bool

    /// `totals`: cumulative thread time at each reading, if taken; `own`: spans of threads with that name. nil if
    /// nothing is left. Less than `threshold` is the threads' own time between spans.
    init?(_ name: String, of totals: [Double?], edges: [Double], all: [OwnTime], own: [OwnTime], threshold: Double) {
        var reported = AmountOverTime(edges: edges)
        for span in own { reported.add(span.cpu, from: span.start, to: span.end) }
        var before = 0.0
        // The rate within a span varies: only the sum gives the amount, and the readings the distribution.
        let rests = zip(totals, reported.amounts).map { total, reported in
            defer { before = total ?? before }
            return (total ?? before) - before - reported
        }
        let sum = rests.reduce(0, +)
        let positive = rests.reduce(0) { $0 + max(0, $1) }
        let named = all.filter { $0.name == name }
        isStep = !named.isEmpty || own.isEmpty
        guard sum > (named.isEmpty ? threshold : 0), positive > 0 else { return nil }
        seen = rests.map { max(0, $0) / positive * sum }
        var busy: [String: AmountOverTime] = [:]
        for span in named.isEmpty ? own : named {
            busy[span.name, default: AmountOverTime(edges: edges)].add(span.wall, from: span.start, to: span.end)
        }
        if busy.isEmpty {
            // No span indicates when it works.
            var always = AmountOverTime(edges: edges)
            always.add(1, from: edges[0], to: edges[edges.count - 1])
            busy[name] = always
        }
        self.busy = busy
        let late = busy.values.reduce(0) { $0 + $1.amounts[edges.count - 2] }
        let early = busy.values.reduce(0) { $0 + $1.sum } - late
        unseen = early > 0 ? sum * late / early : 0
    }

    /// The steps' fractions of an interval; empty if threads without a step name had no open span.
    func shares(ofPart part: Int) -> [(step: String, share: Double)] {
        if isStep { return busy.keys.map { ($0, 1) } }
        let whole = busy.values.reduce(0) { $0 + $1.amounts[part] }
        return whole > 0 ? busy.map { ($0.key, $0.value.amounts[part] / whole) } : []
    }
}

/// Groups threads by name.
package struct ThreadFamilies {
    /// Max length of a thread name in bytes.
    private static let kept = 15

    /// Steps by truncated name.
    private let steps: [String: String]
    /// Names of unrelated threads.
    private let others: Set<String>

    /// `steps`: names of spans.
    package init(of run: Measurement, steps: [String]) {
        self.steps = Dictionary(Set(steps).map { (Self.shown($0), $0) }) { min($0, $1) }
        let program = run.command?.first?.fileName ?? ""
        others = [Self.shown(program), "heartbeat", "watch", "gauge"]
    }

    private static func shown(_ name: String) -> String { String(decoding: name.utf8.prefix(kept), as: UTF8.self) }

    /// The step that a thread's name or known role indicates, or else the thread's name; nil for threads outside steps:
    /// the main thread, heartbeats, measuring threads and the Swift runtime.
    package func name(of thread: String) -> String? {
        if others.contains(thread) || thread.contains("-qos") { return nil }
        return steps[thread] ?? Self.codecs(thread) ?? thread
    }

    /// The step of a thread named by a codec: `av:vp8:df0` and `av:scale:ff:0` (libavcodec and libavfilter from 6),
    /// `dec0:0:vp8` and `enc0:0:libx264` (ffmpeg), `dav1d-worker`.
    private static func codecs(_ thread: String) -> String? {
        let parts = thread.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 2, parts[0] == "av" {
            switch parts[2].first {
            case "d": return "decode"
            case "e": return "encode"
            case "f": return "filter"
            default: return nil
            }
        }
        if thread.hasPrefix("dav1d-") { return "decode" }
        guard parts.count > 1, parts[0].dropFirst(3).first?.isNumber == true else { return nil }
        return parts[0].hasPrefix("dec") ? "decode" : parts[0].hasPrefix("enc") ? "encode" : nil
    }

    /// Sums thread times by ``name(of:)``.
    package func sums(_ threads: [String: Double]) -> [String: Double] {
        threads.reduce(into: [:]) { sums, thread in
            if let name = name(of: thread.key) { sums[name, default: 0] += thread.value }
        }
    }
}
