internal import WayreelGauge

/// Who a suite is measured beside: looked for once, so that what is told of a program is told of the one that ran.
struct PeerRoster {
    /// With the paths of the programs that each needs.
    private(set) var installed: [(peer: BenchSuite.Peer, programs: [String])] = []
    /// Of the others, why they are not there, on a line each.
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
