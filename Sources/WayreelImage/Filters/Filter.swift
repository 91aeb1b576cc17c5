/// A filter by name, with its arguments, as given by a recipe, a command line or a program.
///
///     Filter("sepia-tone", ["intensity": 0.8])
///
/// ``FilterCatalog`` defines and checks names and arguments.
public struct Filter: Hashable, Sendable, Codable {
    /// Kebab case (`sepia-tone`) or Core Image's name (`CISepiaTone`).
    public var name: String
    /// Arguments by key, in kebab case or Core Image's spelling, without `input`.
    public var arguments: [String: FilterArgument]

    public init(_ name: String, _ arguments: [String: FilterArgument] = [:]) {
        self.name = name
        self.arguments = arguments
    }
}

/// An unchecked argument of a filter.
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
