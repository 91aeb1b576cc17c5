internal import WayreelGauge

/// The peers of a suite, located once, so that reported versions are those of the programs that ran.
struct InstalledPeers {
    /// With the paths of the programs that each needs.
    private(set) var installed: [(peer: BenchSuite.Peer, programs: [String])] = []
    /// Missing peers with the reason.
    private(set) var absent: [String] = []

    init(of peers: [BenchSuite.Peer]) {
        for peer in peers {
            let programs = peer.needs.map { names in
                (names: names, path: names.lazy.compactMap { try? ExecutablePath.find($0) }.first)
            }
            if let missing = programs.first(where: { $0.path == nil })?.names.first {
                absent.append("\(peer.name): \(missing) is not installed")
            } else {
                installed.append((peer, programs.compactMap(\.path)))
            }
        }
    }
}
