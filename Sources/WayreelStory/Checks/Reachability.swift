/// The events of a story that can be found. Each condition is a tree of nodes that need all or one of their parts.
/// Events that can be found satisfy nodes, which may make further events findable, until nothing changes. Each node
/// is visited once, so the time is linear in the size of the story.
struct Reachability {
    /// The ids of events that can be found.
    private(set) var events: Set<String> = []

    /// A condition, or an event with all its requirements.
    private struct Node {
        var parent: Int?
        var event: String?
        /// The number of parts that are not satisfied yet.
        var missing: Int
    }

    private var nodes: [Node] = []
    /// The nodes that need an event, by its id.
    private var waiting: [String: [Int]] = [:]
    /// Satisfied nodes that are not propagated yet.
    private var holding: [Int] = []

    init(_ story: Story) {
        for chapter in story.chapters {
            for (index, event) in chapter.events.enumerated() {
                let isAfter = chapter.order == .sequence && index > 0
                add(event, after: isAfter ? chapter.events[index - 1].id : nil)
            }
        }
        while let index = holding.popLast() {
            if let event = nodes[index].event {
                events.insert(event)
                for other in waiting[event] ?? [] { partHolds(of: other) }
            } else if let parent = nodes[index].parent {
                partHolds(of: parent)
            }
        }
    }

    private mutating func add(_ event: Event, after previous: String?) {
        let needs = [event.condition != nil, previous != nil, event.reasonNeverToBeFound != nil]
        let index = add(Node(event: event.id, missing: needs.count { $0 }))
        if let previous { waiting[previous, default: []].append(index) }
        if let condition = event.condition { add(condition, isOpposite: false, to: index) }
    }

    private mutating func add(_ condition: Condition, isOpposite: Bool, to parent: Int) {
        switch condition {
        // De Morgan's laws: the negation of `all` is satisfied if any part is not, and vice versa.
        case .all(let parts): add(parts, needsAll: !isOpposite, isOpposite, to: parent)
        case .any(let parts): add(parts, needsAll: isOpposite, isOpposite, to: parent)
        case .not(let part): add(part, isOpposite: !isOpposite, to: parent)
        case .found(let event) where !isOpposite: waiting[event, default: []].append(parent)
        case .found, .opened, .during: partHolds(of: parent)
        }
    }

    private mutating func add(_ parts: [Condition], needsAll: Bool, _ isOpposite: Bool, to parent: Int) {
        let index = add(Node(parent: parent, missing: needsAll ? parts.count : 1))
        for part in parts { add(part, isOpposite: isOpposite, to: index) }
    }

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
