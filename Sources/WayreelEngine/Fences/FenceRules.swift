/// The rules for judging positions before they trigger events.
///
/// The defaults suit walking and cycling in towns with a phone; cars and trains also work, see ``maximumSpeed``.
public struct FenceRules: Hashable, Sendable, Codable {
    /// The number of fixes at the start that are not used, 0 to 10: receivers often start with an old position or
    /// that of a radio mast.
    public var distrustedFixes = 1
    /// The accuracy limit in metres: a fix with a worse accuracy is not used.
    public var accuracyLimit = 100.0
    /// The maximum accuracy value in metres: worse values are reduced to it, so that a poor accuracy does not delay
    /// an exit forever.
    public var accuracyCap = 30.0
    /// The accuracy in metres that is assumed for fixes without one.
    public var assumedAccuracy = 15.0
    /// A speed in metres a second. A fix is suspect if reaching it requires a speed above this value, above twice the
    /// pace, above 1.5 times the speed of the previous path, and above 1.5 times the speed that the receiver
    /// measured; the accuracies of both fixes are subtracted first. The pace is the slowest speed between any two of
    /// four fixes that are ten seconds or more apart, so that outliers do not raise it.
    public var maximumSpeed = 15.0
    /// The number of consistent suspect fixes, 1 to 100, after which they are accepted.
    public var rejoinAfter = 3
    /// The number of the last ``window`` fixes that must agree before an event is entered or left.
    public var confirmations = 2
    /// The number of fixes that vote on entering and leaving, 1 to 8.
    public var window = 3
    /// A speed in metres a second. The path between two fixes is used if its speed is at most this value, twice the
    /// pace, or 1.5 times the measured speed: a jump back and forth is not a path.
    public var pathSpeed = 4.0
    /// The maximum interval between two fixes, in seconds; beyond it the path between them is unknown.
    public var longestGap = 120.0
    /// An event is left when the distance exceeds its radius plus the larger of ``exitMargin`` in metres and
    /// ``exitShare`` of the radius, by more than the accuracy.
    public var exitMargin = 20.0
    public var exitShare = 0.1
    /// The time in seconds for which a player without new fixes is assumed to stay at the last position: phones
    /// suspend their receivers at rest.
    public var restsFor = 900.0
    /// The distance in metres outside of its circle within which an event is near.
    public var nearMargin = 50.0

    public init() {}

    /// Returns the distance in metres from an event's position beyond which it may be left.
    public func exitRadius(of radius: Double) -> Double { radius + max(exitShare * radius, exitMargin) }

    /// Returns the accuracy in metres that is used for a fix.
    func accuracy(of fix: Fix) -> Double { min(fix.accuracy ?? assumedAccuracy, accuracyCap) }

    /// The reason why the rules are invalid, or nil.
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
