internal import WayreelCore

/// The name, parameters and source of a filter of sensor samples.
public struct SensorFilterDescriptor: Sendable {
    public let name: String
    /// The summary in one line, without a full stop.
    public let summary: String
    /// The parameters; the first one has the name of the filter.
    public let parameters: [SensorFilterParameter]
    /// The source of the formula.
    public let source: String
    /// An example of its effect on sample values, in command-line syntax.
    public let example: String
    let step: @Sendable (SensorFilter.Target, SensorFilterValues) throws(MediaError) -> any SensorFilterStep
}

/// A parameter of a filter of sensor samples.
public struct SensorFilterParameter: Sendable {
    public enum Kind: String, Sendable, Codable {
        case number
        /// A whole number.
        case integer
        /// Seconds: `0.5s`, `500ms`, `0.5`.
        case duration
        /// Two numbers with two points between them: `-10..40`.
        case interval
        /// `stream.component`.
        case component
    }

    public let key: String
    public let kind: Kind
    /// The unit; empty for a value without unit.
    public let unit: String
    /// The accepted values, in the unit.
    public let range: ClosedRange<Double>?
    /// The default value as text; nil for a required parameter.
    public let defaultValue: String?
    /// The summary in one line, without a full stop.
    public let summary: String

    init(
        _ key: String, _ kind: Kind, unit: String = "", range: ClosedRange<Double>? = nil,
        default defaultValue: String? = nil, _ summary: String
    ) {
        self.key = key
        self.kind = kind
        self.unit = unit
        self.range = range
        self.defaultValue = defaultValue
        self.summary = summary
    }

    /// A description of the expected value for messages: `a duration, 0.001 to 3600 s`.
    public var expectation: String {
        let bounds = range.map { ", \($0.lowerBound.shortDescription) to \($0.upperBound.shortDescription)" } ?? ""
        let suffix = bounds + (unit.isEmpty ? "" : " \(unit)")
        return switch kind {
        case .number: "a number\(suffix)"
        case .integer: "a whole number\(suffix)"
        case .duration: "a duration\(suffix) (0.5s, 500ms)"
        case .interval: "two numbers, the lower first, as in -10..40\(suffix)"
        case .component: "a component of a stream, as in rotation.z"
        }
    }
}

/// The validated arguments of a filter.
struct SensorFilterValues: Sendable {
    private enum Value: Sendable {
        case number(Double)
        case interval(ClosedRange<Double>)
        case component(String, String)

        func isIn(_ range: ClosedRange<Double>) -> Bool {
            switch self {
            case .number(let number): range.contains(number)
            case .interval(let ends): range.contains(ends.lowerBound) && range.contains(ends.upperBound)
            case .component: true
            }
        }
    }

    /// The name of the filter.
    let filter: String
    private var values: [String: Value] = [:]

    /// Throws a `parameter` error for an unknown, missing or invalid argument.
    init(_ filter: SensorFilter, _ descriptor: SensorFilterDescriptor) throws(MediaError) {
        self.filter = descriptor.name
        let keys = descriptor.parameters.map(\.key)
        for key in filter.arguments.keys.sorted() where !keys.contains(key) {
            throw Self.fault(
                "\(descriptor.name) has no parameter '\(key)'",
                nearestName(to: key, in: keys).map { "did you mean '\($0)'?" }
                    ?? "it takes \(keys.joined(separator: ", ")); a further filter needs its own target")
        }
        for parameter in descriptor.parameters {
            let name = parameter.key == descriptor.name ? descriptor.name : "\(descriptor.name): \(parameter.key)"
            guard let text = filter.arguments[parameter.key] ?? parameter.defaultValue else {
                throw Self.fault("\(name) is missing", "it takes \(parameter.expectation)")
            }
            guard let value = Self.value(of: text, parameter.kind) else {
                throw Self.fault("\(name) cannot be '\(text)'", "it takes \(parameter.expectation)")
            }
            if let range = parameter.range, !value.isIn(range) {
                throw Self.fault("\(name) is '\(text)', out of range", "it takes \(parameter.expectation)")
            }
            values[parameter.key] = value
        }
    }

    private static let fault = ErrorSite(.parameter, step: .filter)

    private static func value(of text: String, _ kind: SensorFilterParameter.Kind) -> Value? {
        switch kind {
        case .number: return DecimalNumber.value(text).map(Value.number)
        case .integer: return Int(text).map { .number(Double($0)) }
        case .duration:
            for (unit, factor) in [("ms", 0.001), ("s", 1), ("", 1)] where text.hasSuffix(unit) {
                return DecimalNumber.value(text.dropLast(unit.count)).map { .number($0 * factor) }
            }
            return nil
        case .interval:
            guard let dots = text.firstRange(of: ".."), let low = DecimalNumber.value(text[..<dots.lowerBound]),
                let high = DecimalNumber.value(text[dots.upperBound...]), low <= high
            else { return nil }
            return .interval(low...high)
        case .component:
            return SensorChannel(named: text).map { .component($0.stream, $0.component) }
        }
    }

    /// Returns a number, an integer, or a duration in seconds.
    func number(_ key: String) -> Double {
        guard case .number(let number) = values[key] else { preconditionFailure("\(filter) declares no number \(key)") }
        return number
    }

    func interval(_ key: String) -> ClosedRange<Double> {
        guard case .interval(let range) = values[key] else { preconditionFailure("\(filter) has no interval \(key)") }
        return range
    }

    func component(_ key: String) -> (stream: String, component: String) {
        guard case .component(let stream, let component) = values[key] else {
            preconditionFailure("\(filter) declares no component \(key)")
        }
        return (stream, component)
    }
}
