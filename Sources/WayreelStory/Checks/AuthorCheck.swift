internal import WayreelCore

/// Finds problems that an author should know before walking: events that cannot be reached, circles that overlap,
/// conditions that can never hold, lockboxes without a hint, hidden items that nobody ever sees.
struct AuthorCheck {
    let locations: StoryLocations
    private(set) var issues: IssueLog
    private let date: CalendarDate

    init(_ locations: StoryLocations, _ issues: IssueLog, on date: CalendarDate) {
        self.locations = locations
        self.issues = issues
        self.date = date
    }

    mutating func check(_ story: Story) {
        let reachable = Reachability(story)
        checkLanguage(story.language, at: DocumentPosition(line: 1, column: 1))
        for translation in story.translations {
            checkLanguage(translation.language, at: locations.first(.translation, translation.language))
        }
        var known: Set<Condition> = []
        for chapter in story.chapters {
            known.formUnion(
                chapter.events.map { .found(event: $0.id) } + chapter.lockboxes.map { .opened(lockbox: $0.id) })
            for lockbox in chapter.lockboxes where lockbox.hints.isEmpty {
                issues.warning(
                    locations.first(.lockbox, lockbox.id), "lockbox '\(lockbox.id)' has no hint for a wrong answer")
            }
            for lockbox in chapter.lockboxes { checkAnswers(of: lockbox) }
            checkConditions(of: chapter, known, reachable)
            checkOverlaps(of: chapter)
            checkDistances(of: chapter)
            checkPins(of: chapter)
        }
        checkHiddenItems(of: story, reachable)
    }

    private mutating func checkLanguage(_ tag: String, at location: DocumentPosition) {
        guard let primary = tag.split(separator: "-").first else { return }
        if LanguageTag.isOfOldForm(tag) || primary == "x" {
            issues.warning(
                location,
                "'\(tag)' is a tag that browsers know nothing about, neither its name nor its dates; give one such as lb or de-AT"
            )
        } else if primary.count > 3 {
            // No language has a tag of more than three letters, although the form allows it (RFC 5646, section 2.2.1).
            issues.warning(location, "'\(tag)' is the tag of no language; give one such as en, pt or de-AT")
        }
    }

    /// Warns of hidden items that players never see.
    private mutating func checkHiddenItems(of story: Story, _ reachable: Reachability) {
        let events = story.chapters.flatMap(\.events)
        let shown = Set(events.flatMap(\.exhibits))
        let found = Set(events.filter { reachable.events.contains($0.id) }.flatMap(\.exhibits))
        for item in story.sections.flatMap(\.items) where item.isHidden && !found.contains(item.id) {
            let reason = shown.contains(item.id) ? "nobody can reach an event that shows it" : "no event shows it"
            issues.warning(
                locations.first(.item, item.id), "nobody can ever see item '\(item.id)': it is hidden, and \(reason)")
        }
    }

    /// Warns of answers without letters and digits. Players' answers are compared without punctuation, unless there is
    /// nothing else in them.
    private mutating func checkAnswers(of lockbox: Lockbox) {
        for answer in lockbox.answers where !answer.unicodeScalars.contains(where: \.isLetterOrDigit) {
            issues.warning(
                locations.first(.lockbox, lockbox.id),
                "the answer '\(answer.prefix(60))' of lockbox '\(lockbox.id)' has neither letters nor digits, so that "
                    + "players have to type exactly that")
        }
    }

    /// Checks the conditions of a chapter. `known`: the events and lockboxes of this chapter and the previous ones.
    private mutating func checkConditions(of chapter: Chapter, _ known: Set<Condition>, _ reachable: Reachability) {
        for (index, event) in chapter.events.enumerated() {
            let location = locations.first(.event, event.id)
            for need in event.condition?.needs ?? [] where !known.contains(need) {
                issues.warning(location, "it waits for \(need.subject) of a later chapter")
            }
            if let reason = event.reasonNeverToBeFound {
                issues.warning(location, reason)
            } else if let last = event.windowInThePast(on: date)?.lastDate {
                issues.warning(location, "nobody can find it any more: its window's last date, \(last), is past")
            } else if !reachable.events.contains(event.id) {
                issues.warning(
                    location, "nobody can reach it: \(cause(of: event, at: index, in: chapter, reachable))")
            }
        }
    }

    /// Returns the reason why an event is unreachable although its own condition may hold.
    private func cause(of event: Event, at index: Int, in chapter: Chapter, _ reachable: Reachability) -> String {
        if chapter.order == .sequence {
            let later = Set(chapter.events[index...].map(\.id))
            for case .found(let id) in event.condition?.needs ?? [] where later.contains(id) {
                return "it precedes '\(id)' in a sequence, but depends on it"
            }
            if index > 0, !reachable.events.contains(chapter.events[index - 1].id) {
                return "it follows '\(chapter.events[index - 1].id)', which nobody can reach, in a sequence"
            }
        }
        for case .found(let id) in event.condition?.parts ?? [] where !reachable.events.contains(id) {
            return "it waits for '\(id)', which nobody can reach"
        }
        for case .opened(let id) in event.condition?.parts ?? [] where !reachable.lockboxes.contains(id) {
            return "it waits for the lockbox '\(id)', which is never asked"
        }
        return "its condition can never hold"
    }

    private mutating func checkOverlaps(of chapter: Chapter) {
        // Codes tell events apart that stand beside each other.
        let events = chapter.events.filter { $0.activation.trigger != .code }
        OverlapSearch(events).forEach { one, other, distance in
            issues.warning(
                locations.first(.event, events[one].id),
                "its circle overlaps that of '\(events[other].id)': they are \(Int(distance.rounded())) m apart, with radii of "
                    + "\(events[one].activation.radius.metres) and \(events[other].activation.radius.metres) m")
            // Of a hundred thousand events in one place, not every pair.
            return !issues.isFull
        }
    }

    /// The distance in metres to the nearest other event, or to the chapter's location, beyond which an event is too
    /// far to walk.
    private static let walkable = 20_000.0

    private mutating func checkDistances(of chapter: Chapter) {
        guard chapter.events.count <= 2000 else { return }
        let positions = chapter.events.map(\.position)
        let points = positions.map(\.spherePoint)
        var farEvents = 0
        for (index, event) in chapter.events.enumerated() {
            let start = chapter.location.map { positions[index].distance(to: $0) } ?? .infinity
            if start.isFinite, start > Self.walkable { farEvents += 1 }
            guard start > Self.walkable, Self.isAlone(index, among: points) else { continue }
            let others = positions.indices.filter { $0 != index }.map { positions[$0] }
            let places = [chapter.location].compactMap(\.self) + others
            // A chord is a little shorter than the way over the ground.
            guard let nearest = positions[index].distance(toNearestOf: places), nearest > Self.walkable else {
                continue
            }
            let swapped = positions[index].mistake(near: places, within: Self.walkable)
            issues.warning(
                locations.first(.event, event.id),
                "nobody can reach it on foot: it is \(Int(nearest / 1000)) km from the nearest event\(swapped)")
        }
        guard let location = chapter.location, farEvents == positions.count, farEvents > 1,
            let nearest = location.distance(toNearestOf: positions)
        else { return }
        let swapped = location.mistake(near: positions, within: Self.walkable)
        issues.warning(
            locations.first(.chapter, chapter.id),
            "chapter '\(chapter.id)' begins \(Int(nearest / 1000)) km from its nearest event\(swapped)")
    }

    /// Warns of pins that nobody can see from their event.
    private mutating func checkPins(of chapter: Chapter) {
        for event in chapter.events {
            for case .goggles(let goggles) in event.contents {
                for pin in goggles.pins {
                    let distance = pin.position.distance(to: event.position)
                    guard distance > Self.walkable * 5 else { continue }
                    let swapped = pin.position.mistake(near: [event.position], within: Self.walkable)
                    issues.warning(
                        locations.first(.source, pin.image.source),
                        "nobody can see it: it is \(Int(distance / 1000)) km from its event '\(event.id)'\(swapped)")
                }
            }
        }
    }

    /// Whether no other point is in walking distance.
    private static func isAlone(_ index: Int, among points: [(x: Double, y: Double, z: Double)]) -> Bool {
        let point = points[index]
        for (other, place) in points.enumerated() where other != index {
            let (x, y, z) = (place.x - point.x, place.y - point.y, place.z - point.z)
            if x * x + y * y + z * z <= walkable * walkable { return false }
        }
        return true
    }
}

extension Double {
    fileprivate var metres: String { self == rounded() ? String(Int(self)) : String((self * 10).rounded() / 10) }
}

extension GeoPoint {
    fileprivate func distance(toNearestOf points: [GeoPoint]) -> Double? { points.map(distance).min() }

    /// Advice for a position that would be near other ones with its latitude and longitude swapped, or with another
    /// sign; else nothing.
    fileprivate func mistake(near points: [GeoPoint], within metres: Double) -> String {
        func isNear(_ latitude: Double, _ longitude: Double) -> Bool {
            guard abs(latitude) <= 90 else { return false }
            return GeoPoint(latitude: latitude, longitude: longitude).distance(toNearestOf: points).map {
                $0 <= metres
            } ?? false
        }
        if isNear(longitude, latitude) { return "; are its latitude and longitude swapped?" }
        if isNear(latitude, -longitude) { return "; is the sign of its longitude wrong? West is negative" }
        if isNear(-latitude, longitude) { return "; is the sign of its latitude wrong? South is negative" }
        return ""
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber, .letterNumber,
            .otherNumber, .mathSymbol, .currencySymbol:
            true
        default: false
        }
    }
}

extension CalendarDate {
    var weekday: TimeWindow.Day {
        // 1970-01-01 was a Thursday.
        let index = ((number + 3) % 7 + 7) % 7
        return TimeWindow.Day.allCases[index]
    }
}
