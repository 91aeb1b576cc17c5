internal import WayreelCore

/// Options of a benchmark.
package struct BenchOptions: Sendable {
    /// Number of measured runs; nil: as many as fit into ``seconds``, at most ``maxRuns``.
    package var runs: Int?
    /// Time per suite if ``runs`` is nil.
    package var seconds = 14.0
    /// Min number of measured runs if ``runs`` is nil.
    package var minRuns = 3
    /// Whether to run installed peers.
    package var hasPeers = false
    /// Only these peers; empty for all.
    package var peers: [String] = []
    /// Max seconds of one run.
    package var timeoutSeconds = 600.0
    /// Inputs that replace samples, by kind.
    package var inputs: [BenchSuite.Kind: String] = [:]
    /// Folder of the samples.
    package var media = "Media"
    /// Folder that keeps generated inputs; a temporary folder if nil.
    package var keep: String?

    package init() {}

    /// Grace period of an ended run; a user's second signal comes soon after the first.
    static let graceSeconds = 0.3
    static let maxRuns = 15
    package static let runCounts = 1...1000

    /// Throws a `parameter` error for invalid options.
    func check() throws(MediaError) {
        if let runs, !Self.runCounts.contains(runs) {
            throw MediaError(.parameter, step: "bench", reason: "--runs takes a number from 1 to 1000")
        }
        guard timeoutSeconds > 0 else {
            throw MediaError(.parameter, step: "bench", reason: "--timeout takes a positive number of seconds")
        }
    }
}

extension BenchOptions {
    func takes(_ peer: BenchSuite.Peer) -> Bool { peers.isEmpty || !peer.families.isDisjoint(with: peers) }
}

extension BenchSuite.Peer {
    /// The programs that a peer is selected by: `ffmpeg` for `ffmpeg, decode only`, each of those that a script runs.
    package var families: Set<String> {
        let packages = ["ffprobe": "ffmpeg", "vipsheader": "vipsthumbnail"]
        let tools: Set = ["xargs", "sync"]
        let programs = needs.compactMap(\.first).filter { !tools.contains($0) }
        // One that needs no other program is Wayreel with other options.
        guard !programs.isEmpty else { return ["wayreel"] }
        return Set(programs.map { name.hasPrefix("ImageMagick") ? "ImageMagick" : packages[$0] ?? $0 })
    }
}
