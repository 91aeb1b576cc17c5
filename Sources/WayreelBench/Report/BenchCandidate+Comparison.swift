internal import WayreelGauge

extension BenchCandidate {
    /// The ratio of a figure to that of `peer` in the same round; nil if either failed.
    func comparison(with peer: BenchCandidate, _ figure: BenchFigure) -> Comparison? {
        guard failure == nil, peer.failure == nil else { return nil }
        return Comparison(baseline: peer.rounds(figure), candidate: rounds(figure))
    }

    /// One value per round; NaN if not measured.
    func rounds(_ figure: BenchFigure) -> [Double] { runs.map { figure.value($0) ?? .nan } }
}
