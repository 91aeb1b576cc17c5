internal import WayreelCore

/// How a benchmark runs.
package struct BenchOptions: Sendable {
    /// Counted runs of each; nil: as many as fit into ``seconds``, at most ``mostRuns``.
    package var runs: Int?
    /// For one suite, where ``runs`` does not tell.
    package var seconds = 14.0
    /// Counted runs at least, where ``runs`` does not tell.
    package var fewestRuns = 3
    /// Whether peers that are installed do the same work.
    package var hasPeers = false
    /// Of those only these; all where empty.
    package var peers: [String] = []
    /// Of one run.
    package var timeoutSeconds = 600.0
    /// In place of the samples, by what they are.
    package var inputs: [BenchSuite.Kind: String] = [:]
    /// Where the samples are.
    package var media = "Media"
    /// Where prepared inputs stay for the next time; a temporary folder where nil.
    package var keep: String?

    package init() {}

    /// What a run that has to end gets for it; a second signal of the user comes not much later.
    static let graceSeconds = 0.3
    static let mostRuns = 15
    package static let runCounts = 1...1000

    /// Throws a `parameter` error where it makes no sense.
    func check() throws(MediaError) {
        if let runs, !Self.runCounts.contains(runs) {
            throw MediaError(.parameter, step: "bench", reason: "--runs takes a number from 1 to 1000")
        }
        guard timeoutSeconds > 0 else {
            throw MediaError(.parameter, step: "bench", reason: "--timeout takes a number of seconds above 0")
        }
    }
}

extension BenchOptions {
    func takes(_ peer: BenchSuite.Peer) -> Bool { peers.isEmpty || peers.contains(peer.family) }
}

extension BenchSuite.Peer {
    /// The program that a peer is chosen by: `ffmpeg` of `ffmpeg, decode only`.
    package var family: String {
        let names = ["ffprobe": "ffmpeg", "vipsheader": "vipsthumbnail", "xargs": "ffmpeg", "the": "ffmpeg"]
        let first = name.split { $0 == " " || $0 == "," }.first.map(String.init) ?? name
        return names[first] ?? first
    }
}
