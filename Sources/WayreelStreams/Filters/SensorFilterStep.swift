internal import WayreelCore

/// A running filter.
protocol SensorFilterStep: Sendable {
    /// The components that the filter may add to those of the recording.
    var addedComponents: [String] { get }

    /// Filters a sample. Appends further samples, which precede this one, to `others`.
    ///
    /// Throws a `parameter` error if the filter does not fit the rate of the samples.
    mutating func apply(
        _ sample: inout SensorSample, _ others: inout [SensorSample]
    ) throws(MediaError) -> SensorFilterOutcome

    /// Ends the input: appends what is held back to `others`. Throws as ``apply(_:_:)``.
    mutating func finish(_ others: inout [SensorSample]) throws(MediaError)
}

extension SensorFilterStep {
    var addedComponents: [String] { [] }
    mutating func finish(_ others: inout [SensorSample]) {}
}

/// What becomes of a sample that a filter was given.
enum SensorFilterOutcome: Sendable {
    /// The sample, with the values that the filter gave it, goes on.
    case pass
    case drop
    /// The filter keeps the sample, or makes others of it.
    case hold
}

/// A filter for the values of one component of one stream.
protocol ComponentFilter: Sendable {
    /// Returns the filtered value, or nil to drop the sample.
    mutating func next(_ value: Double, at time: SensorTime) -> Double?
}

/// Runs a separate filter for each component.
struct EachComponent<Filter: ComponentFilter>: SensorFilterStep {
    private var filters: ComponentStates<Filter>
    /// Creates the filter of a component, given its name.
    private let make: @Sendable (String) -> Filter

    init(_ target: SensorFilter.Target, _ make: @escaping @Sendable (String) -> Filter) {
        filters = ComponentStates(target)
        self.make = make
    }

    mutating func apply(_ sample: inout SensorSample, _ others: inout [SensorSample]) -> SensorFilterOutcome {
        for place in filters.places(in: sample, make) {
            guard let next = filters[place.state].next(sample.values[place.value], at: sample.time) else {
                return .drop
            }
            sample.values[place.value] = next
        }
        return .pass
    }
}

/// A state for each component of each stream that a target includes.
///
/// Most samples have the stream and the components of an earlier one. For these, the states are found by comparing
/// names, without hashing.
struct ComponentStates<State: Sendable>: Sendable {
    /// Where a component is in ``SensorSample/Values/names``, and where its state is.
    struct Place: Sendable {
        let value: Int
        let state: Int
    }

    private struct Layout {
        let stream: String
        let names: [String]
        let places: [Place]
    }

    private struct Key: Hashable {
        let stream: String
        let component: String
    }

    private let target: SensorFilter.Target
    private var states: [State] = []
    private var indices: [Key: Int] = [:]
    private var layouts: [Layout] = []
    private var latest = 0
    /// The most layouts that are remembered: a recording may have samples with any subset of its components.
    private static var mostLayouts: Int { 64 }

    init(_ target: SensorFilter.Target) { self.target = target }

    subscript(index: Int) -> State {
        get { states[index] }
        _modify { yield &states[index] }
    }

    /// The names of streams and components of all states, in the order of their indices.
    var keys: [(stream: String, component: String)] {
        indices.sorted { $0.value < $1.value }.map { ($0.key.stream, $0.key.component) }
    }

    /// Returns the places of the components of a sample that the target includes, and creates their missing states.
    mutating func places<Fault>(
        in sample: SensorSample, _ make: (String) throws(Fault) -> State
    ) throws(Fault) -> [Place] {
        if let known = known(sample) { return known }
        var places: [Place] = []
        for (index, name) in sample.values.names.enumerated() where target.includes(name, of: sample.stream) {
            let key = Key(stream: sample.stream, component: name)
            if let state = indices[key] {
                places.append(Place(value: index, state: state))
            } else {
                states.append(try make(name))
                indices[key] = states.count - 1
                places.append(Place(value: index, state: states.count - 1))
            }
        }
        if layouts.count >= Self.mostLayouts { layouts.removeAll() }
        latest = layouts.count
        layouts.append(Layout(stream: sample.stream, names: sample.values.names, places: places))
        return places
    }

    /// Returns the places of the components of a sample that is like an earlier one.
    mutating func known(_ sample: SensorSample) -> [Place]? {
        func isLike(_ layout: Layout) -> Bool {
            layout.stream == sample.stream && layout.names == sample.values.names
        }
        if latest < layouts.count, isLike(layouts[latest]) { return layouts[latest].places }
        guard let index = layouts.firstIndex(where: isLike) else { return nil }
        latest = index
        return layouts[index].places
    }
}
