internal import WayreelCore

/// Checks that ids are unique, that conditions refer to existing events and lockboxes, without cycles, exhibits to
/// existing items, and windows to existing time zones.
enum IdentifierCheck {
    static func check(_ story: Story, _ locations: StoryLocations, _ issues: inout IssueLog) {
        var seen: Set<String> = []
        func unique(_ kind: StoryLocations.Kind, _ id: String, _ issues: inout IssueLog) {
            guard seen.insert("\(kind.rawValue) \(id)").inserted else { return }
            let all = locations.locations(kind, id)
            for other in all.dropFirst() {
                issues.error(
                    other, "there is another \(kind.rawValue) '\(id)' on line \(all[0].line); ids are unique in a story"
                )
            }
        }
        for entry in story.news { unique(.news, entry.id, &issues) }
        for section in story.sections {
            unique(.section, section.id, &issues)
            for item in section.items { unique(.item, item.id, &issues) }
        }
        for plan in story.floorPlans { unique(.plan, plan.id, &issues) }
        for chapter in story.chapters {
            unique(.chapter, chapter.id, &issues)
            for lockbox in chapter.lockboxes { unique(.lockbox, lockbox.id, &issues) }
            for event in chapter.events { unique(.event, event.id, &issues) }
        }
        let events = story.chapters.flatMap(\.events)
        checkCaptions(of: story, locations, &issues)
        checkExhibits(of: story, locations, &issues)
        PlanCheck.check(story, locations, &issues)
        checkCodes(of: events, locations, &issues)
        for zone in Set(events.flatMap(\.windows).map(\.zone)).sorted() where TextRule.zone.allows(zone) {
            guard let fault = TimeZones.fault(zone) else { continue }
            for location in locations.locations(.zone, zone) {
                issues.error(location, "\(fault.reason); \(fault.advice)")
            }
        }
        let known = (events: Set(events.map(\.id)), lockboxes: Set(story.chapters.flatMap(\.lockboxes).map(\.id)))
        for event in events {
            let location = locations.first(.event, event.id)
            for condition in event.condition?.parts ?? [] {
                switch condition {
                case .found(let id) where !id.isEmpty && !known.events.contains(id) && !issues.isFull:
                    issues.error(location, missing("a condition", "event", id, among: known.events))
                case .opened(let id) where !id.isEmpty && !known.lockboxes.contains(id) && !issues.isFull:
                    issues.error(location, missing("a condition", "lockbox", id, among: known.lockboxes))
                default: continue
                }
            }
        }
        for circle in circles(events) {
            issues.error(
                locations.first(.event, circle[0]),
                "the conditions of these events wait for each other: \(circle.joined(separator: " → "))"
            )
        }
    }

    /// Checks that each file gives captions in one language, because a bundle names captions by their file.
    private static func checkCaptions(
        of story: Story, _ locations: StoryLocations, _ issues: inout IssueLog
    ) {
        var languages: [String: String] = [:]
        for captions in story.captioned.flatMap(\.captions) {
            let tag = captions.language ?? story.language
            guard let other = languages.updateValue(tag, forKey: captions.source), other != tag else { continue }
            issues.error(
                locations.locations(.source, captions.source).last ?? .none,
                "'\(captions.source)' has captions in '\(other)' and in '\(tag)'; each language has a file")
        }
    }

    /// Checks that events show items that there are.
    private static func checkExhibits(
        of story: Story, _ locations: StoryLocations, _ issues: inout IssueLog
    ) {
        let items = Set(story.sections.flatMap(\.items).map(\.id))
        for event in story.chapters.flatMap(\.events) {
            for id in event.exhibits where !id.isEmpty && !items.contains(id) && !issues.isFull {
                issues.error(locations.first(.event, event.id), missing("an exhibit", "item", id, among: items))
            }
        }
    }

    /// Checks that each code is that of one event.
    private static func checkCodes(of events: [Event], _ locations: StoryLocations, _ issues: inout IssueLog) {
        var owners: [String: String] = [:]
        for event in events {
            guard let code = event.activation.code, let other = owners.updateValue(event.id, forKey: code) else {
                continue
            }
            issues.error(
                locations.first(.event, event.id),
                "the code '\(code)' is that of '\(other)', too; each event needs its own")
        }
    }

    /// So many ids are searched for one that is like a wrong one.
    private static let maxSuggestions = 2000
    /// A longer circle is shortened to its beginning and its end.
    private static let shownEvents = 20

    static func missing(
        _ subject: String, _ kind: String, _ id: String, among ids: Set<String>
    ) -> String {
        // Each of many ids beside each other would take hours.
        let near =
            ids.count > maxSuggestions ? "" : nearestName(to: id, in: ids).map { "; did you mean '\($0)'?" } ?? ""
        return "\(subject) names the \(kind) '\(id)', which there is not\(near)"
    }

    /// Events that need each other to be found first, each circle once, from an event back to it.
    private static func circles(_ events: [Event]) -> [[String]] {
        let needs = Dictionary(events.map { ($0.id, $0.condition?.neededEvents ?? []) }) { first, _ in first }
        var done: Set<String> = []
        var circles: [[String]] = []
        for event in events where !done.contains(event.id) {
            // Depth-first search without recursion, because a chain may be as long as the story.
            var path: [(id: String, next: [String])] = [(event.id, needs[event.id] ?? [])]
            var onPath: Set<String> = [event.id]
            while let last = path.last {
                guard let id = last.next.last else {
                    done.insert(last.id)
                    onPath.remove(last.id)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next.removeLast()
                if onPath.contains(id) {
                    let start = path.lastIndex { $0.id == id } ?? 0
                    circles.append(shown(path[start...].map(\.id) + [id]))
                    if circles.count == DocumentLimits.issues { return circles }
                } else if !done.contains(id), let next = needs[id] {
                    path.append((id, next))
                    onPath.insert(id)
                }
            }
        }
        return circles
    }

    private static func shown(_ circle: [String]) -> [String] {
        guard circle.count > 2 * shownEvents else { return circle }
        let left = circle.count - 2 * shownEvents
        return circle.prefix(shownEvents) + ["… (\(left) more)"] + circle.suffix(shownEvents)
    }
}

extension Event {
    /// The ids of the items that the event shows.
    var exhibits: [String] {
        contents.compactMap { if case .exhibit(let exhibit) = $0 { exhibit.item } else { nil } }
    }
}

extension Condition {
    /// The condition and all nested conditions.
    var parts: [Condition] {
        switch self {
        case .all(let parts), .any(let parts): [self] + parts.flatMap(\.parts)
        case .not(let part): [self] + part.parts
        case .found, .opened, .during: [self]
        }
    }

    /// The events and lockboxes that are necessary for the condition to hold.
    var needs: [Condition] {
        switch self {
        case .all(let parts): return parts.flatMap(\.needs)
        // One part is enough, so only the needs that all parts share are necessary.
        case .any(let parts):
            let common = parts.dropFirst().reduce(Set(parts.first?.needs ?? [])) { $0.intersection($1.needs) }
            return (parts.first?.needs ?? []).filter(common.contains)
        case .found, .opened: return [self]
        case .not, .during: return []
        }
    }

    /// The events that are necessary for the condition to hold.
    var neededEvents: [String] { needs.compactMap { if case .found(let event) = $0 { event } else { nil } } }
}
