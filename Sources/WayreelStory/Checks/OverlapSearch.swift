internal import Glibc

/// Finds circles on the Earth that overlap, without comparing each with each: in a grid of cubes for each class of
/// radii, a circle looks only at the cubes around its centre. So a hundred thousand places in a row, or a region around
/// a town, take no longer than others.
struct OverlapSearch {
    private struct Cell: Hashable {
        var x: Int32
        var y: Int32
        var z: Int32
    }

    /// The circles with radii up to half of the size of a cube, and more than a quarter of it.
    private struct Grid {
        var size: Double
        var cells: [Cell: [Int]] = [:]
    }

    private struct Circle {
        var position: GeoPoint
        var radius: Double
        /// On a sphere, in metres.
        var point: (x: Double, y: Double, z: Double)
    }

    private let circles: [Circle]
    /// By the class of their radii: the power of two that is not less.
    private var grids: [Int: Grid] = [:]

    private static let smallest = 1.0

    init(_ events: [Event]) {
        circles = events.map {
            Circle(position: $0.position, radius: $0.activation.radius, point: $0.position.spherePoint)
        }
        for (index, circle) in circles.enumerated() {
            let name = Self.class(of: circle)
            let size = 2 * scalbn(1.0, Int32(name))
            // In place: a copy of the grid for each circle would take quadratic time.
            grids[name, default: Grid(size: size)].cells[Self.cell(of: circle, size), default: []].append(index)
        }
    }

    private static func `class`(of circle: Circle) -> Int {
        Int(log2(min(max(circle.radius, smallest), 1e9)).rounded(.up))
    }

    private static func cell(of circle: Circle, _ size: Double) -> Cell {
        Cell(
            x: Int32((circle.point.x / size).rounded(.down)), y: Int32((circle.point.y / size).rounded(.down)),
            z: Int32((circle.point.z / size).rounded(.down)))
    }

    /// Calls `body` with each pair that overlaps, the event that comes first in the list first, and its distance in
    /// metres, until that returns false.
    func forEach(_ body: (_ one: Int, _ other: Int, _ metres: Double) -> Bool) {
        let names = grids.keys.sorted()
        for (index, circle) in circles.enumerated() {
            let own = Self.class(of: circle)
            // With those of its class, and with all larger ones: these are no smaller than the distance at which both
            // overlap.
            for name in names where name >= own {
                guard let grid = grids[name] else { continue }
                let here = Self.cell(of: circle, grid.size)
                for cell in Self.around(here) {
                    for other in grid.cells[cell] ?? [] where name > own || other > index {
                        let distance = circle.position.distance(to: circles[other].position)
                        guard distance < circle.radius + circles[other].radius else { continue }
                        guard body(min(index, other), max(index, other), distance) else { return }
                    }
                }
            }
        }
    }

    private static func around(_ cell: Cell) -> [Cell] {
        (-1...1).flatMap { x in
            (-1...1).flatMap { y in
                (-1...1).map { z in Cell(x: cell.x + x, y: cell.y + y, z: cell.z + z) }
            }
        }
    }
}

/// Tells whether any two of many windows are certainly never open at the same time, as ``TimeWindow/isApart(from:)`` tells of
/// two. Each window is looked at once: two windows of a zone are apart if one closes before the latest opening, if one
/// ends before the latest first date, or if they have no day in common.
struct WindowOverlap {
    /// What is needed of the windows of one time zone.
    private struct Zone {
        var earliestClosing = Int.max
        var latestOpening = Int.min
        var earliestLastDate: String?
        var latestFirstDate: String?
        /// The different sets of days, at most 127.
        var days: Set<Set<TimeWindow.Day>> = []

        mutating func add(_ window: TimeWindow, _ minutes: Range<Int>) {
            earliestClosing = min(earliestClosing, minutes.upperBound)
            latestOpening = max(latestOpening, minutes.lowerBound)
            if let last = window.lastDate { earliestLastDate = min(earliestLastDate ?? last, last) }
            if let first = window.firstDate { latestFirstDate = max(latestFirstDate ?? first, first) }
            if !window.days.isEmpty { days.insert(Set(window.days)) }
        }

        var hasApart: Bool {
            if earliestClosing <= latestOpening { return true }
            if let earliestLastDate, let latestFirstDate, earliestLastDate < latestFirstDate { return true }
            return days.contains { some in days.contains { some.isDisjoint(with: $0) } }
        }
    }

    private var zones: [String: Zone] = [:]

    init(_ windows: [TimeWindow]) {
        for window in windows {
            guard let minutes = window.minutes else { continue }
            zones[window.zone, default: Zone()].add(window, minutes)
        }
    }

    /// Whether any two windows are certainly never open at the same time.
    var hasApart: Bool { zones.values.contains { $0.hasApart } }
}
