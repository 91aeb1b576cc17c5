internal import Glibc
internal import WayreelStory

/// What became of a fix before any fence saw it.
public enum FixVerdict: Hashable, Sendable {
    /// It is used; `path`: whether the way from the fix before it is known.
    case used(path: Bool)
    /// One of the first fixes.
    case distrusted
    /// A value is no number or outside of its range.
    case unusable(String)
    /// Its accuracy in metres is beyond the limit.
    case inaccurate(Double)
    /// It is not later than the fix before it.
    case backwards
    /// Getting there would have taken so many metres a second.
    case jump(Double)

    public var isUsed: Bool { if case .used = self { true } else { false } }
}

/// Decides which fixes are used, and keeps the last one that was.
struct FixScreen: Hashable, Sendable, Codable {
    struct Place: Hashable, Sendable, Codable {
        var position: GeoPoint
        var accuracy: Double
        var timestamp: Timestamp

        func seconds(to fix: Fix) -> Double { fix.timestamp.seconds(since: timestamp) }
    }

    /// The way from the last used fix to a new one.
    struct Leg: Hashable, Sendable {
        var start: Place
        /// Metres.
        var length: Double
        var seconds: Double
    }

    /// The last fix that was used.
    private(set) var last: Place?
    /// Fixes at the start that were seen and not used.
    private var distrusted = 0
    /// Metres a second: the slowest from any to any other of the last ``milestones``, so that no outlier among them hurries it.
    private var pace = 0.0
    /// Used fixes ten seconds or more apart, up to four.
    private var milestones: [Place] = []
    /// Metres a second, on the way to the last used fix; its accuracies are taken off.
    private var lastSpeed = 0.0
    /// The last suspect fix, and how many agreed before it.
    private var suspect: Place?
    private var suspects = 0
    /// Metres a second between the last two of them.
    private var suspectSpeed = 0.0
    /// Nobody knows the way to the next fix.
    private var isLost = false

    private static let milestoneSeconds = 10.0
    private static let milestoneCount = 4
    /// Metres a second: what receivers claim beyond it is not believed.
    private static let believableSpeed = 100.0

    /// The signal was lost: the way to the next fix is unknown.
    mutating func lose() { isLost = true }

    struct Judgement {
        var verdict: FixVerdict
        /// The way to a used fix, where it is known.
        var leg: Leg?
        /// What earlier fixes said of circles does not count any more.
        var startsAnew = false
    }

    /// Judges a fix, and keeps it where it is used.
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
            // A repeated fix tells nothing new.
            if seconds < 0, isBelieved(place, fix, rules) { return begin(at: place) }
            return Judgement(verdict: .backwards)
        }
        let length = Self.metres(last.position, fix.position)
        let measured = 1.5 * min(fix.speed ?? 0, Self.believableSpeed)
        let speed = max(0, length - last.accuracy - place.accuracy) / seconds
        guard speed <= max(rules.maximumSpeed, 2 * pace, 1.5 * lastSpeed, measured) else {
            return isBelieved(place, fix, rules) ? begin(at: place) : Judgement(verdict: .jump(speed))
        }
        if isLost || seconds > rules.longestGap { return begin(at: place) }
        let isPath = length <= max(rules.pathSpeed, 2 * pace, measured) * seconds
        keep(place)
        lastSpeed = speed
        return Judgement(
            verdict: .used(path: isPath), leg: isPath ? Leg(start: last, length: length, seconds: seconds) : nil)
    }

    private mutating func begin(at place: Place) -> Judgement {
        (last, milestones, pace, lastSpeed) = (place, [place], suspectSpeed, suspectSpeed)
        (suspect, suspects, suspectSpeed, isLost) = (nil, 0, 0, false)
        return Judgement(verdict: .used(path: false), startsAnew: true)
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
                let way = Self.metres(start.position, end.position) - end.accuracy
                slowest = min(slowest, max(0, way) / end.timestamp.seconds(since: start.timestamp))
            }
        }
        return slowest
    }

    /// Whether so many suspect fixes agree by now that the fix before them must have been the wrong one.
    private mutating func isBelieved(_ place: Place, _ fix: Fix, _ rules: FenceRules) -> Bool {
        if let suspect, suspect.seconds(to: fix) > 0 {
            let way = Self.metres(suspect.position, place.position) - suspect.accuracy - place.accuracy
            suspectSpeed = max(0, way) / suspect.seconds(to: fix)
            suspects = suspectSpeed <= Self.believableSpeed ? suspects + 1 : 1
        } else {
            suspects = 1
        }
        suspect = place
        return suspects >= rules.rejoinAfter
    }

    /// Exactly where the rough measure is not good enough to tell a walk from a jump.
    private static func metres(_ a: GeoPoint, _ b: GeoPoint) -> Double {
        let rough = LocalScale(latitude: (a.latitude + b.latitude) / 2).vector(from: a, to: b).length
        return LocalScale.isTrusted(at: a.latitude, rough) ? rough : a.geodesic(to: b).distance
    }
}
