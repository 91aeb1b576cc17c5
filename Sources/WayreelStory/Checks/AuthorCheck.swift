/// Finds what an author wants to know before walking: events that nobody can reach, circles that overlap, conditions that can never hold,
/// lockboxes without a hint.
struct AuthorCheck {
    let locations: StoryLocations
    private(set) var issues: IssueLog

    init(_ locations: StoryLocations, _ issues: IssueLog) {
        self.locations = locations
        self.issues = issues
    }

    mutating func check(_ story: Story) {
        var known: Set<String> = []
        for chapter in story.chapters {
            known.formUnion(chapter.events.map(\.id))
            for lockbox in chapter.lockboxes where lockbox.hints.isEmpty {
                issues.warning(
                    locations.first(.lockbox, lockbox.id), "lockbox '\(lockbox.id)' has no hint for a wrong answer")
            }
            checkConditions(of: chapter, known)
            checkOverlaps(of: chapter)
            checkDistances(of: chapter)
        }
    }

    private mutating func checkConditions(of chapter: Chapter, _ known: Set<String>) {
        for (index, event) in chapter.events.enumerated() {
            let location = locations.first(.event, event.id)
            if let condition = event.condition {
                if let reason = condition.reasonNeverToHold {
                    issues.warning(location, "its condition can never hold: \(reason)")
                }
                for id in condition.neededEvents where !known.contains(id) {
                    issues.warning(location, "it waits for the event '\(id)' of a later chapter")
                }
                if chapter.order == .sequence,
                    let later = condition.neededEvents.first(where: { id in
                        chapter.events[index...].contains { $0.id == id }
                    })
                {
                    issues.warning(
                        location, "nobody can reach it: in a sequence it comes before '\(later)', which it waits for")
                }
            }
            if let window = event.window, let reason = window.reasonNeverToOpen {
                issues.warning(location, "nobody can reach it: \(reason)")
            }
        }
    }

    private mutating func checkOverlaps(of chapter: Chapter) {
        // Sorted by latitude, so that only neighbours are compared.
        let events = chapter.events.sorted { $0.position.latitude < $1.position.latitude }
        let largest = events.map(\.activation.radius).max() ?? 0
        for (index, event) in events.enumerated() {
            let reach = (event.activation.radius + largest) / GeoPoint.metresPerDegree
            for other in events[(index + 1)...].prefix(while: {
                $0.position.latitude - event.position.latitude <= reach
            }) {
                let distance = event.position.distance(to: other.position)
                guard distance < event.activation.radius + other.activation.radius else { continue }
                issues.warning(
                    locations.first(.event, event.id),
                    "its circle overlaps that of '\(other.id)': they are \(Int(distance.rounded())) m apart, with radii of "
                        + "\(event.activation.radius.metres) and \(other.activation.radius.metres) m")
            }
        }
    }

    /// Metres to the nearest other event, or to the chapter's location, beyond which nobody walks.
    private static let walkable = 20_000.0

    private mutating func checkDistances(of chapter: Chapter) {
        guard chapter.events.count <= 2000 else { return }
        for event in chapter.events {
            let others =
                chapter.events.lazy.filter { $0.id != event.id }.map(\.position) + [chapter.location].compactMap(\.self)
            guard let nearest = others.map({ event.position.distance(to: $0) }).min(), nearest > Self.walkable else {
                continue
            }
            issues.warning(
                locations.first(.event, event.id),
                "nobody can reach it on foot: it is \(Int(nearest / 1000)) km from the nearest event")
        }
    }
}

extension Condition {
    /// Why it can never hold, as far as that can be said without a player.
    var reasonNeverToHold: String? {
        switch self {
        case .all(let parts):
            if let reason = parts.lazy.compactMap(\.reasonNeverToHold).first { return reason }
            if let part = parts.first(where: { part in parts.contains(.not(part)) }) {
                return "it asks for \(part.subject) and for its opposite"
            }
            return nil
        case .any(let parts):
            let reasons = parts.compactMap(\.reasonNeverToHold)
            return reasons.count == parts.count ? reasons.first : nil
        case .during(let window): return window.reasonNeverToOpen
        case .not, .found, .opened: return nil
        }
    }

    private var subject: String {
        switch self {
        case .found(let event): "the event '\(event)'"
        case .opened(let lockbox): "the lockbox '\(lockbox)'"
        default: "one thing"
        }
    }
}

extension TimeWindow {
    /// Why it never opens.
    var reasonNeverToOpen: String? {
        guard let firstDate, let lastDate, firstDate > lastDate else { return nil }
        return "its window's last date, \(lastDate), is before its first, \(firstDate)"
    }
}

extension Double {
    fileprivate var metres: String { self == rounded() ? String(Int(self)) : String((self * 10).rounded() / 10) }
}
