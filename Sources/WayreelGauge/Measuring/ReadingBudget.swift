/// What one kind of reading may cost: a share of one core over the time since the start.
///
/// A reading is taken when it fits into what has been saved up, so that one of a large process comes less often.
package struct ReadingBudget {
    package let share: Double
    /// Processor time, in seconds.
    package private(set) var spent = 0.0
    package private(set) var readings = 0
    /// Of one thing that is read, in seconds: as the last reading has shown, a guess before.
    private var unitCost: Double

    package init(share: Double, unitCost: Double) {
        self.share = share
        self.unitCost = unitCost
    }

    /// Whether `units` things may be read when `elapsed` seconds have passed.
    package func allows(_ units: Int, after elapsed: Double) -> Bool {
        spent + unitCost * Double(max(1, units)) <= share * elapsed
    }

    package mutating func pay(_ seconds: Double, for units: Int) {
        spent += seconds
        readings += 1
        unitCost = seconds / Double(max(1, units))
    }
}
