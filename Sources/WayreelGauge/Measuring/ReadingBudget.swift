/// What one kind of reading may cost: a share of one core over the time since the start.
///
/// A reading is taken when it fits into what has been saved up, so that one of a large process comes less often.
package struct ReadingBudget {
    package let share: Double
    /// Processor time, in seconds.
    package private(set) var spent = 0.0
    package private(set) var readings = 0
    private let guess: Double
    private var units = 0.0

    /// The guess counts for as many units: small readings, which cost more by the unit, shall not set the price of a large one.
    private static let guessedUnits = 100.0

    /// `unitCost`: a guess of what one thing costs that is read, in seconds.
    package init(share: Double, unitCost: Double) {
        self.share = share
        guess = unitCost
    }

    /// Of one thing that is read, in seconds, as the readings so far have shown it.
    private var unitCost: Double { (guess * Self.guessedUnits + spent) / (Self.guessedUnits + units) }

    /// Whether `units` things may be read when `elapsed` seconds have passed.
    package func allows(_ units: Int, after elapsed: Double) -> Bool {
        spent + unitCost * Double(max(1, units)) <= share * elapsed
    }

    package mutating func pay(_ seconds: Double, for units: Int) {
        spent += seconds
        readings += 1
        self.units += Double(max(1, units))
    }
}
