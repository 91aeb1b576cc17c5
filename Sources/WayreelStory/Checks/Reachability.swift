/// The events of a story that can be found. Each condition is a tree of nodes that need all or one of their parts.
/// Events that can be found satisfy nodes, which may make further events findable, until nothing changes. A chapter's
/// lockboxes can be opened once one of its events needs nothing else, as in `Playback`. Each node is visited once, so
/// the time is linear in the size of the story.
struct Reachability {
    /// The ids of events that can be found.
    private(set) var events: Set<String> = []
    /// The ids of lockboxes that are asked at some time.
    private(set) var lockboxes: Set<String> = []

    /// A condition, an event with all its requirements, or a chapter that needs one event to be available.
    private struct Node {
        var parent: Int?
        var event: String?
        var chapter: Int?
        /// The number of parts that are not satisfied yet.
        var missing: Int
    }

    private var nodes: [Node] = []
    /// The nodes that need an event, by its id.
    private var waiting: [String: [Int]] = [:]
    /// The nodes that need a lockbox of a chapter, by the chapter's number.
    private var locked: [Int: [Int]] = [:]
    /// The number of the chapter of each lockbox.
    private var chapters: [String: Int] = [:]
    /// Satisfied nodes that are not propagated yet.
    private var holding: [Int] = []

    init(_ story: Story) {
        for (number, chapter) in story.chapters.enumerated() {
            for lockbox in chapter.lockboxes { chapters[lockbox.id] = number }
        }
        for (number, chapter) in story.chapters.enumerated() {
            let available = add(Node(chapter: number, missing: chapter.events.isEmpty ? 0 : 1))
            for (index, event) in chapter.events.enumerated() {
                let isAfter = chapter.order == .sequence && index > 0
                let previous = isAfter ? chapter.events[index - 1].id : nil
                let isNever = event.reasonNeverToBeFound != nil
                add(Node(event: event.id, missing: isNever ? 1 : 0), event.condition, after: previous)
                if !chapter.lockboxes.isEmpty {
                    add(Node(parent: available, missing: 0), event.condition, after: previous, opening: number)
                }
            }
        }
        while let index = holding.popLast() {
            if let event = nodes[index].event {
                events.insert(event)
                for other in waiting[event] ?? [] { partHolds(of: other) }
            } else if let chapter = nodes[index].chapter {
                lockboxes.formUnion(story.chapters[chapter].lockboxes.map(\.id))
                for other in locked[chapter] ?? [] { partHolds(of: other) }
            } else if let parent = nodes[index].parent {
                partHolds(of: parent)
            }
        }
    }

    /// Adds a node that also needs the event before it and a condition. `opening`: the number of a chapter whose
    /// lockboxes count as open.
    private mutating func add(
        _ node: Node, _ condition: Condition?, after previous: String?, opening: Int? = nil
    ) {
        var node = node
        node.missing += (condition == nil ? 0 : 1) + (previous == nil ? 0 : 1)
        let index = add(node)
        if let previous { waiting[previous, default: []].append(index) }
        if let condition { add(condition, isOpposite: false, opening, to: index) }
    }

    private mutating func add(_ condition: Condition, isOpposite: Bool, _ opening: Int?, to parent: Int) {
        switch condition {
        // De Morgan's laws: the negation of `all` is satisfied if any part is not, and vice versa.
        case .all(let parts): add(parts, needsAll: !isOpposite, isOpposite, opening, to: parent)
        case .any(let parts): add(parts, needsAll: isOpposite, isOpposite, opening, to: parent)
        case .not(let part): add(part, isOpposite: !isOpposite, opening, to: parent)
        case .found(let event) where !isOpposite: waiting[event, default: []].append(parent)
        case .opened(let lockbox) where !isOpposite:
            guard let chapter = chapters[lockbox], chapter != opening else { return partHolds(of: parent) }
            locked[chapter, default: []].append(parent)
        case .found, .opened, .during: partHolds(of: parent)
        }
    }

    private mutating func add(
        _ parts: [Condition], needsAll: Bool, _ isOpposite: Bool, _ opening: Int?, to parent: Int
    ) {
        let index = add(Node(parent: parent, missing: needsAll ? parts.count : 1))
        for part in parts { add(part, isOpposite: isOpposite, opening, to: index) }
    }

    @discardableResult
    private mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        if node.missing == 0 { holding.append(nodes.count - 1) }
        return nodes.count - 1
    }

    private mutating func partHolds(of index: Int) {
        nodes[index].missing -= 1
        if nodes[index].missing == 0 { holding.append(index) }
    }
}

/// The walk through a chapter's events.
public struct ChapterWalk: Hashable, Sendable {
    /// The events' ids in the order of the walk.
    public let events: [String]
    /// The length of the straight lines from event to event, beginning at the chapter's location if it has one.
    public let metres: Double

    /// Creates the walk of a chapter. A sequence is walked in its order. Free events are walked in a short order: the
    /// nearest next event, improved by reversing stretches while that shortens the walk (2-opt). Returns nil if a
    /// free chapter has more than 500 events.
    public init?(through chapter: Chapter) {
        guard chapter.order == .sequence || chapter.events.count <= 500 else { return nil }
        var order = Array(chapter.events.indices)
        let points = chapter.events.map(\.position)
        if chapter.order == .free {
            order = Self.nearestNext(points, from: chapter.location)
            Self.shorten(&order, points, from: chapter.location)
        }
        events = order.map { chapter.events[$0].id }
        let path = [chapter.location].compactMap(\.self) + order.map { points[$0] }
        metres = zip(path, path.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }

    private static func nearestNext(_ points: [GeoPoint], from start: GeoPoint?) -> [Int] {
        var rest = Set(points.indices)
        var order: [Int] = []
        var here = start
        while !rest.isEmpty {
            let next = rest.min { a, b in
                guard let here else { return a < b }
                return (here.distance(to: points[a]), a) < (here.distance(to: points[b]), b)
            }
            guard let next else { break }
            rest.remove(next)
            order.append(next)
            here = points[next]
        }
        return order
    }

    private static func shorten(_ order: inout [Int], _ points: [GeoPoint], from start: GeoPoint?) {
        let count = points.count
        // The distances are precomputed because each is needed many times. The last row is for the start.
        var distances: [Double] = []
        for from in points.map(Optional.some) + [start] {
            distances += points.map { point in from.map { $0.distance(to: point) } ?? 0 }
        }
        func length(_ a: Int?, _ b: Int?) -> Double { b.map { distances[(a ?? count) * count + $0] } ?? 0 }
        var isShorter = true
        // The number of passes is limited, because each takes time quadratic in the number of events.
        for _ in 0..<50 where isShorter {
            isShorter = false
            for i in order.indices {
                for j in order.indices where j > i {
                    let before = i > 0 ? order[i - 1] : nil
                    let after = j + 1 < order.count ? order[j + 1] : nil
                    let gain =
                        length(before, order[i]) + length(order[j], after) - length(before, order[j])
                        - length(order[i], after)
                    guard gain > 1e-6 else { continue }
                    order[i...j].reverse()
                    isShorter = true
                }
            }
        }
    }
}
