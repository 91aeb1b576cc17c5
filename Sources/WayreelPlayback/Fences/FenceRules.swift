/// How positions are judged before they fire events.
///
/// The defaults are for walking and cycling through towns with phones; cars and trains are kept up with, see ``maximumSpeed``.
public struct FenceRules: Hashable, Sendable, Codable {
    /// Fixes at the start that are not used, 0 to 10: receivers begin with a position of long ago or of a radio mast.
    public var distrustedFixes = 1
    /// Metres: a fix that claims a worse accuracy is not used.
    public var accuracyLimit = 100.0
    /// Metres: an accuracy counts as no worse than this, so that a poor one does not hold an exit back for ever.
    public var accuracyCap = 30.0
    /// Metres: the accuracy of a fix that tells none.
    public var assumedAccuracy = 15.0
    /// Metres a second. A fix is suspect where getting there is faster than this, than twice the pace, than 1.5 times the speed of the way
    /// before, and than 1.5 times what the receiver measured; the accuracies of both fixes are taken off. The pace is the slowest
    /// between any two of four fixes ten seconds or more apart, so that outliers do not hurry it.
    public var maximumSpeed = 15.0
    /// Suspect fixes that agree with each other, 1 to 100, after which they are believed.
    public var rejoinAfter = 3
    /// Of the last ``window`` fixes so many have to agree before an event is entered or left.
    public var confirmations = 2
    /// 1 to 8.
    public var window = 3
    /// Metres a second. The way between two fixes counts where it is not faster than this, than twice the pace, or than 1.5 times the
    /// measured speed: a jump to and fro is no way.
    public var pathSpeed = 4.0
    /// Seconds between two fixes beyond which nobody knows where the player went between them.
    public var longestGap = 120.0
    /// An event is left beyond its radius plus the larger of ``exitMargin`` in metres and ``exitShare`` of the radius, by more than the
    /// accuracy.
    public var exitMargin = 20.0
    public var exitShare = 0.1
    /// Seconds for which a player who sends no fix is taken to be where they were: phones save their receivers at rest.
    public var restsFor = 900.0
    /// Metres outside of its circle within which an event is near.
    public var nearMargin = 50.0

    public init() {}

    /// Metres from an event's position beyond which it may be left.
    public func exitRadius(of radius: Double) -> Double { radius + max(exitShare * radius, exitMargin) }

    /// The accuracy in metres that a fix counts with.
    func accuracy(of fix: Fix) -> Double { min(fix.accuracy ?? assumedAccuracy, accuracyCap) }

    /// What makes the rules unusable, if anything.
    public var fault: String? {
        let distances = [
            ("accuracyLimit", accuracyLimit), ("accuracyCap", accuracyCap), ("assumedAccuracy", assumedAccuracy),
            ("maximumSpeed", maximumSpeed), ("pathSpeed", pathSpeed), ("longestGap", longestGap),
            ("exitMargin", exitMargin), ("exitShare", exitShare), ("restsFor", restsFor), ("nearMargin", nearMargin),
        ]
        if let (name, value) = distances.first(where: { !(0...1_000_000).contains($0.1) }) {
            return "\(name) is \(value), not within 0 to 1000000"
        }
        if !(0...10).contains(distrustedFixes) { return "distrustedFixes is \(distrustedFixes), not within 0 to 10" }
        if !(1...100).contains(rejoinAfter) { return "rejoinAfter is \(rejoinAfter), not within 1 to 100" }
        if !(1...8).contains(window) { return "window is \(window), not within 1 to 8" }
        if !(1...window).contains(confirmations) {
            return "confirmations is \(confirmations), not within 1 to the window of \(window)"
        }
        return nil
    }
}
