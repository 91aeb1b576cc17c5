/// What one channel did over some samples.
struct ChannelSpan {
    var minimum = Float.infinity
    var maximum = -Float.infinity
    /// The sum of the samples' squares.
    var energy = 0.0
    /// The meter's needle at its highest.
    var meter: Float = 0
    var hold: Float = 0

    /// Joins what came after.
    mutating func merge(_ later: ChannelSpan) {
        minimum = min(minimum, later.minimum)
        maximum = max(maximum, later.maximum)
        energy += later.energy
        meter = max(meter, later.meter)
        hold = max(hold, later.hold)
    }

    /// The levels over `count` samples, at least one.
    func levels(count: Int) -> LiveReading.Channel {
        LiveReading.Channel(
            minimum: minimum, maximum: maximum, rms: Float((energy / Double(count)).squareRoot()), meter: meter,
            hold: hold)
    }
}
