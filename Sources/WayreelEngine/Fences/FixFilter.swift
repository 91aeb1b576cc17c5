internal import Glibc
internal import WayreelStory

/// The decision whether a fix is used, before it reaches the fences.
public enum FixVerdict: Hashable, Sendable {
    /// The fix is used; `path` is whether the path from the previous fix is known.
    case used(path: Bool)
    /// The fix is one of the first ones, which are not used.
    case distrusted
    /// A value is not a number or is out of its range.
    case unusable(String)
    /// The accuracy in metres is worse than the limit.
    case inaccurate(Double)
    /// The fix is not later than the previous one.
    case backwards
    /// The fix would have required this speed, in metres a second.
    case jump(Double)

    public var isUsed: Bool { if case .used = self { true } else { false } }
}

/// Decides which fixes are used, and keeps the last used one.
struct FixFilter: Hashable, Sendable, Codable {
    struct Place: Hashable, Sendable, Codable {
        var position: GeoPoint
        var accuracy: Double
        var timestamp: Timestamp

        func seconds(to fix: Fix) -> Double { fix.timestamp.seconds(since: timestamp) }
    }

    /// The path from the last used fix to a new one.
    struct Leg: Hashable, Sendable {
        var start: Place
        /// The length in metres.
        var length: Double
        var seconds: Double
    }

    /// The last fix that was used.
    private(set) var last: Place?
    /// The number of fixes at the start that were received and not used.
    private var distrusted = 0
    /// The pace in metres a second: the slowest speed between any two of the last ``milestones``, so that outliers do
    /// not raise it.
    private var pace = 0.0
    /// Up to four used fixes that are ten seconds or more apart.
    private var milestones: [Place] = []
    /// The speed in metres a second on the path to the last used fix, after subtracting the accuracies.
    private var lastSpeed = 0.0
    /// The last suspect fix; ``suspects`` counts the consistent suspect fixes so far.
    private var suspect: Place?
    private var suspects = 0
    /// The speed in metres a second between the last two suspect fixes.
    private var suspectSpeed = 0.0
    /// Whether the path to the next fix is unknown.
    private var isLost = false

    private static let milestoneSeconds = 10.0
    private static let milestoneCount = 4
    /// The highest plausible speed in metres a second; higher values from receivers are not trusted.
    private static let maxPlausibleSpeed = 100.0

    /// Records that the signal was lost: the path to the next fix is unknown.
    mutating func lose() { isLost = true }

    struct Judgement {
        var verdict: FixVerdict
        /// The path to a used fix, if it is known.
        var leg: Leg?
        /// Whether the votes of earlier fixes are discarded.
        var startsAnew = false
        /// Whether the player counts as having been at the last fix until now, although no path is known.
        var rested = false
    }

    /// Judges a fix, and keeps it if it is used.
    mutating func judge(_ fix: Fix, _ rules: FenceRules) -> Judgement {
        if let fault = fix.fault { return Judgement(verdict: .unusable(fault)) }
        guard Timestamp.range.contains(fix.timestamp) else {
            return Judgement(verdict: .unusable("its time is not within the years 1 to 9999"))
        }
        if distrusted < rules.distrustedFixes {
            distrusted += 1
            return Judgement(verdict: .distrusted)
        }
        if let accuracy = fix.accuracy, accuracy > rules.accuracyLimit {
            return Judgement(verdict: .inaccurate(accuracy))
        }
        let place = Place(position: fix.position, accuracy: rules.accuracy(of: fix), timestamp: fix.timestamp)
        guard let last else { return begin(at: place) }
        let seconds = last.seconds(to: fix)
        guard seconds > 0 else {
            // A repeated fix adds no information.
            if seconds < 0, isPlausible(place, fix, rules) { return begin(at: place) }
            return Judgement(verdict: .backwards)
        }
        let length = Self.metres(last.position, fix.position)
        let measured = 1.5 * min(fix.speed ?? 0, Self.maxPlausibleSpeed)
        let speed = max(0, length - last.accuracy - place.accuracy) / seconds
        guard speed <= max(rules.maximumSpeed, 2 * pace, 1.5 * lastSpeed, measured) else {
            return isPlausible(place, fix, rules) ? begin(at: place) : Judgement(verdict: .jump(speed))
        }
        if isLost || seconds > rules.longestGap { return begin(at: place, rested: seconds <= rules.restsFor) }
        let isPath = length <= max(rules.pathSpeed, 2 * pace, measured) * seconds
        keep(place)
        lastSpeed = speed
        return Judgement(
            verdict: .used(path: isPath), leg: isPath ? Leg(start: last, length: length, seconds: seconds) : nil)
    }

    private mutating func begin(at place: Place, rested: Bool = false) -> Judgement {
        (last, milestones, pace, lastSpeed) = (place, [place], suspectSpeed, suspectSpeed)
        (suspect, suspects, suspectSpeed, isLost) = (nil, 0, 0, false)
        return Judgement(verdict: .used(path: false), startsAnew: true, rested: rested)
    }

    private mutating func keep(_ place: Place) {
        (last, suspect, suspects, suspectSpeed) = (place, nil, 0, 0)
        guard let milestone = milestones.last,
            place.timestamp.seconds(since: milestone.timestamp) >= Self.milestoneSeconds
        else { return }
        if milestones.count == Self.milestoneCount { milestones.removeFirst() }
        milestones.append(place)
        if milestones.count == Self.milestoneCount { pace = slowestPace }
    }

    private var slowestPace: Double {
        var slowest = Double.infinity
        for (index, start) in milestones.enumerated() {
            for end in milestones[(index + 1)...] {
                let length = Self.metres(start.position, end.position) - end.accuracy
                slowest = min(slowest, max(0, length) / end.timestamp.seconds(since: start.timestamp))
            }
        }
        return slowest
    }

    /// Whether enough suspect fixes agree that the fix before them must have been wrong.
    private mutating func isPlausible(_ place: Place, _ fix: Fix, _ rules: FenceRules) -> Bool {
        if let suspect, suspect.seconds(to: fix) > 0 {
            let length = Self.metres(suspect.position, place.position) - suspect.accuracy - place.accuracy
            suspectSpeed = max(0, length) / suspect.seconds(to: fix)
            suspects = suspectSpeed <= Self.maxPlausibleSpeed ? suspects + 1 : 1
        } else {
            suspects = 1
        }
        suspect = place
        return suspects >= rules.rejoinAfter
    }

    /// Measures exactly if the approximate distance is too inaccurate to distinguish a walk from a jump.
    private static func metres(_ a: GeoPoint, _ b: GeoPoint) -> Double {
        let rough = LocalScale(latitude: (a.latitude + b.latitude) / 2).vector(from: a, to: b).length
        return LocalScale.isTrusted(at: a.latitude, rough) ? rough : a.geodesic(to: b).distance
    }
}
