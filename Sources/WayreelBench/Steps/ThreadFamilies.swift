package import WayreelGauge

/// Which threads belong together, by their names.
package struct ThreadFamilies {
    /// Bytes of a name that the kernel keeps.
    private static let kept = 15

    /// Steps by what is kept of their names.
    private let steps: [String: String]
    /// Of threads that nothing is known of.
    private let others: Set<String>

    /// `steps`: the names of spans.
    package init(of run: Measurement, steps: [String]) {
        self.steps = Dictionary(Set(steps).map { (Self.shown($0), $0) }) { min($0, $1) }
        let program = run.command?.first?.split(separator: "/").last.map(String.init) ?? ""
        others = [Self.shown(program), "watch", "gauge"]
    }

    private static func shown(_ name: String) -> String { String(decoding: name.utf8.prefix(kept), as: UTF8.self) }

    /// The step whose name threads have or whose work they do, or else their own name; nil of those that do nothing of a step:
    /// the program's first, those that watch, and those of Swift's runtime.
    package func name(of thread: String) -> String? {
        if others.contains(thread) || thread.contains("-qos") { return nil }
        return steps[thread] ?? Self.codecs(thread) ?? thread
    }

    /// What threads do that codecs have named: `av:vp8:df0` and `av:scale:ff:0` (libavcodec and libavfilter, from 6 on),
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

    /// Times by name of the threads as those by ``name(of:)``.
    package func sums(_ threads: [String: Double]) -> [String: Double] {
        threads.reduce(into: [:]) { sums, thread in
            if let name = name(of: thread.key) { sums[name, default: 0] += thread.value }
        }
    }
}
