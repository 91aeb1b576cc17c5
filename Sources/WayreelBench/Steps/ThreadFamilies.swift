internal import WayreelCore
package import WayreelGauge

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
