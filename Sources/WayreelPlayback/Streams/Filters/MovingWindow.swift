/// The last `count` values, in no particular order.
struct MovingWindow: Sendable {
    private let count: Int
    private(set) var values: [Double] = []
    private var oldest = 0

    init(_ count: Int) { self.count = count }

    mutating func add(_ value: Double) {
        if values.count < count {
            values.append(value)
        } else {
            values[oldest] = value
            oldest = (oldest + 1) % count
        }
    }
}

struct MovingMean: ComponentFilter {
    private var window: MovingWindow
    private let cycle: Cycle?

    init(_ count: Int, _ cycle: Cycle?) {
        window = MovingWindow(count)
        self.cycle = cycle
    }

    mutating func next(_ value: Double, at time: SensorTime) -> Double? {
        window.add(value)
        guard let cycle else { return window.values.reduce(0) { $0 + $1 / Double(window.values.count) } }
        return cycle.mean(window.values, otherwise: value)
    }
}

struct MovingMedian: ComponentFilter {
    private var window: MovingWindow
    private let cycle: Cycle?

    init(_ count: Int, _ cycle: Cycle?) {
        window = MovingWindow(count)
        self.cycle = cycle
    }

    mutating func next(_ value: Double, at time: SensorTime) -> Double? {
        window.add(value)
        guard let cycle else { return Self.median(window.values) }
        let mean = cycle.mean(window.values, otherwise: value)
        return cycle.wrapped(mean + Self.median(window.values.map { cycle.turn(from: mean, to: $0) }))
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let (middle, isOdd) = sorted.count.quotientAndRemainder(dividingBy: 2)
        return isOdd == 1 ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2
    }
}
