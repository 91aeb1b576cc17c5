internal import WayreelGauge

extension BenchContender {
    /// What this took of a figure, divided by what `peer` took in the same round; nil where one of the two has failed.
    func comparison(with peer: BenchContender, _ figure: BenchFigure) -> Comparison? {
        guard failure == nil, peer.failure == nil else { return nil }
        return Comparison(baseline: peer.rounds(figure), candidate: rounds(figure))
    }

    /// A value for each round; no number where it was not measured.
    func rounds(_ figure: BenchFigure) -> [Double] { runs.map { figure.value($0) ?? .nan } }
}
