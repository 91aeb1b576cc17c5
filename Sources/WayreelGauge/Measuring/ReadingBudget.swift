/// The budget for one kind of reading: a fraction of one core since the start.
///
/// A reading is taken if it fits into the accumulated budget, so large processes are read less often.
package struct ReadingBudget {
    package let share: Double
    /// CPU time in seconds.
    package private(set) var spent = 0.0
    package private(set) var readings = 0
    private let guess: Double
    private var units = 0.0

    /// Weight of the initial guess in units: small readings have a higher cost per unit and must not determine that of
    /// large ones.
    private static let guessedUnits = 100.0

    /// `unitCost`: estimated cost per unit in seconds.
    package init(share: Double, unitCost: Double) {
        self.share = share
        guess = unitCost
    }

    /// Estimated cost per unit in seconds, updated by each reading.
    private var unitCost: Double { (guess * Self.guessedUnits + spent) / (Self.guessedUnits + units) }

    /// Whether `units` may be read after `elapsed` seconds.
    package func allows(_ units: Int, after elapsed: Double) -> Bool {
        spent + unitCost * Double(max(1, units)) <= share * elapsed
    }

    package mutating func pay(_ seconds: Double, for units: Int) {
        spent += seconds
        readings += 1
        self.units += Double(max(1, units))
    }
}
