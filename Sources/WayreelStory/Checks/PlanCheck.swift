internal import Glibc
internal import WayreelCore

/// Checks floor plans: that their pins determine where the picture lies, and that floors that are named exist.
enum PlanCheck {
    static func check(_ story: Story, _ locations: StoryLocations, _ issues: inout IssueLog) {
        for plan in story.floorPlans {
            for fault in plan.pinFaults where !issues.isFull {
                issues.error(locations.first(.plan, plan.id), "plan '\(plan.id)': \(fault)")
            }
        }
        let shared = Set(story.plans.map(\.id))
        let all = Set(story.floorPlans.map(\.id))
        func check(_ floor: String?, _ subject: String, _ known: Set<String>, _ location: DocumentPosition) {
            guard let floor, !floor.isEmpty, !known.contains(floor), !issues.isFull else { return }
            let other =
                all.contains(floor)
                ? "\(subject) names the plan '\(floor)', which belongs to another chapter; give it to the story"
                : IdentifierCheck.missing(subject, "plan", floor, among: known)
            issues.error(location, other)
        }
        for item in story.sections.flatMap(\.items) {
            check(item.anchor?.floor, "an anchor", all, locations.first(.item, item.id))
        }
        for chapter in story.chapters {
            let known = shared.union((chapter.plans ?? []).map(\.id))
            check(chapter.floor, "a chapter", known, locations.first(.chapter, chapter.id))
            for event in chapter.events {
                check(event.anchor?.floor, "an anchor", known, locations.first(.event, event.id))
            }
        }
    }
}

extension FloorPlan {
    /// The scale of one axis may be so many times that of the other.
    private static let maxScaleRatio = 10.0
    /// A third pin has to be this share of the longest side away from the line through the others.
    private static let minHeight = 0.02
    /// A floor is not wider, in metres.
    private static let maxMetres = 20_000.0

    /// What is wrong with the pins, each with its figures; empty if they determine where the picture lies.
    var pinFaults: [String] {
        guard Self.pinCounts.contains(pins.count) else { return [] }
        let pairs = pins.indices.flatMap { one in pins.indices.filter { $0 > one }.map { (one, $0) } }
        for (one, other) in pairs {
            let (first, second) = (pins[one], pins[other])
            let names = "pins \(one + 1) and \(other + 1)"
            if (first.x, first.y) == (second.x, second.y) {
                return ["\(names) are the same point of the picture, \(first.x.short), \(first.y.short)"]
            }
            let metres = first.position.distance(to: second.position)
            if metres < 0.01 {
                return ["\(names) are at the same place, \(first.latitude), \(first.longitude)"]
            }
        }
        if pins.count == 3 {
            let picture = Triangle(pins.map { ($0.x, -$0.y) })
            let ground = Triangle(pins.map { $0.metres(from: pins[0]) })
            for (triangle, unit, place) in [(picture, "pixels", "of the picture"), (ground, "m", "on the ground")]
            where !(triangle.height >= Self.minHeight * triangle.longest) {
                return [
                    "its pins are on a line \(place): pin \(triangle.apex + 1) is only \(triangle.height.short) \(unit) beside "
                        + "the line of the others, which are \(triangle.longest.short) \(unit) apart; move one to the side"
                ]
            }
            if (picture.area > 0) != (ground.area > 0) {
                return [
                    "its pins mirror the picture: from pin 1 over 2 to 3 it turns \(picture.turn), and the ground \(ground.turn); "
                        + "are two pins swapped?"
                ]
            }
        }
        guard let georeference = Georeference(pins) else { return ["its pins determine no place"] }
        let (width, height) = (georeference.pixelWidth, georeference.pixelHeight)
        let ratio = max(width, height) / min(width, height)
        guard ratio <= Self.maxScaleRatio else {
            return [
                "a pixel would be \(width.short) m wide and \(height.short) m high, \(ratio.short) times as much; "
                    + "at most \(Int(Self.maxScaleRatio)) times is taken: is a pin wrong?"
            ]
        }
        return []
    }

    /// Returns what is wrong with the plan of a picture of this size, in pixels or in units of an SVG, with figures. Of
    /// pins that determine no place ``pinFaults`` says so.
    package func faults(width: Double, height: Double) -> [String] {
        let size = "\(width.short) × \(height.short)"
        let outside = pins.enumerated().first { $1.x > width || $1.y > height }.map {
            "pin \($0 + 1) is at \($1.x.short), \($1.y.short), outside the picture of \(size)"
        }
        if let outside { return [outside] }
        guard let georeference = Georeference(pins) else { return [] }
        let metres = (georeference.pixelWidth * width, georeference.pixelHeight * height)
        guard max(metres.0, metres.1) <= Self.maxMetres else {
            return [
                "the picture of \(size) would cover \(Int(min(metres.0, 1e9) / 1000)) × \(Int(min(metres.1, 1e9) / 1000)) km; "
                    + "is a latitude or longitude of a pin wrong?"
            ]
        }
        return []
    }

    /// Returns what is wrong with an anchor on the picture, or what stands at a position; nil if it is within the picture.
    package func fault(of anchor: Anchor, at position: GeoPoint?, width: Double, height: Double) -> String? {
        if let x = anchor.x, let y = anchor.y {
            guard x > width || y > height else { return nil }
            return "its anchor \(x.short), \(y.short) is outside the plan '\(id)' of \(width.short) × \(height.short)"
        }
        guard let position else { return "its anchor has neither x and y nor a position beside it" }
        guard let georeference = Georeference(pins) else { return nil }
        let (x, y) = georeference.point(of: position)
        let nearest = georeference.position(x: max(0, min(width, x)), y: max(0, min(height, y)))
        let metres = nearest.distance(to: position)
        guard metres > 1 else { return nil }
        return "it is \(metres.short) m beside the plan '\(id)', of which its anchor names the floor"
    }
}

/// The triangle of three pins, with the second axis upwards.
private struct Triangle {
    /// Twice the area, positive if the points turn to the left.
    let area: Double
    let longest: Double
    /// The distance of the remaining point from the longest side, and which point that is.
    let height: Double
    let apex: Int
    private let angle: Double

    init(_ points: [(Double, Double)]) {
        let (a, b, c) = (points[0], points[1], points[2])
        area = (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
        // Each side by the point that is opposite.
        let sides = [hypot(c.0 - b.0, c.1 - b.1), hypot(c.0 - a.0, c.1 - a.1), hypot(b.0 - a.0, b.1 - a.1)]
        apex = sides.indices.max { sides[$0] < sides[$1] } ?? 0
        longest = sides[apex]
        height = longest > 0 ? abs(area) / longest : 0
        let (first, second) = ((b.0 - a.0, b.1 - a.1), (c.0 - b.0, c.1 - b.1))
        angle = atan2(first.0 * second.1 - first.1 * second.0, first.0 * second.0 + first.1 * second.1) * 180 / .pi
    }

    /// `87° to the left`.
    var turn: String { "\(Int(abs(angle).rounded()))° to the \(angle > 0 ? "left" : "right")" }
}

extension Double {
    /// Three significant digits, without an exponent; whole numbers as they are.
    fileprivate var short: String {
        guard isFinite, abs(self) < 1e15 else { return "\(self)" }
        if self == rounded() || abs(self) >= 100 { return String(Int64(rounded())) }
        let unit = self == 0 ? 1 : pow(10, 2 - floor(log10(abs(self))))
        return DecimalNumber.text((self * unit).rounded() / unit)
    }
}
