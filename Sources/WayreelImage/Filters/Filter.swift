/// A filter by name, with its arguments: what a recipe, a command line or a program asks for.
///
///     Filter("sepia-tone", ["intensity": 0.8])
///
/// A value without meaning of its own; ``FilterCatalog`` checks it and gives it one.
public struct Filter: Hashable, Sendable, Codable {
    /// In kebab case (`sepia-tone`) or as Core Image spells it (`CISepiaTone`).
    public var name: String
    /// By key, in kebab case or as Core Image spells it, without `input`.
    public var arguments: [String: FilterArgument]

    public init(_ name: String, _ arguments: [String: FilterArgument] = [:]) {
        self.name = name
        self.arguments = arguments
    }
}

/// A value handed to a filter, before the filter has looked at it.
public enum FilterArgument: Hashable, Sendable {
    case number(Double)
    /// A length with a unit, a colour, a name, a path.
    case text(String)
    /// A vector, a colour or a point.
    case list([Double])
}

extension FilterArgument: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral
{
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(stringLiteral value: String) { self = .text(value) }
    public init(arrayLiteral elements: Double...) { self = .list(elements) }
}
