internal import WayreelCore

/// Name, parameters, description and source of a filter.
public struct FilterDescriptor: Sendable {
    /// The encoding that a filter's formula works on.
    public enum Space: String, Sendable, Codable {
        /// sRGB-encoded values, as in CSS and most image editors.
        case encoded
        /// Linear light.
        case linear
    }

    /// In kebab case.
    public let name: String
    /// Further accepted names.
    public let aliases: [String]
    /// The corresponding Core Image filter, if any.
    public let coreImageName: String?
    /// One line, without a full stop.
    public let summary: String
    public let parameters: [FilterParameter]
    public let space: Space
    /// Source of the formula.
    public let source: String
    let stages: @Sendable (FilterValues) throws(MediaError) -> [FilterStage]

    init(
        _ name: String, aliases: [String] = [], coreImage coreImageName: String? = nil, _ summary: String,
        parameters: [FilterParameter] = [], space: Space = .encoded, source: String,
        stages: @escaping @Sendable (FilterValues) throws(MediaError) -> [FilterStage]
    ) {
        self.name = name
        self.aliases = aliases
        self.coreImageName = coreImageName
        self.summary = summary
        self.parameters = parameters
        self.space = space
        self.source = source
        self.stages = stages
    }
}

/// A parameter of a filter.
public struct FilterParameter: Sendable {
    public enum Kind: String, Sendable, Codable {
        case number
        case integer
        /// Degrees (`30`, `30deg`), radians (`0.5rad`) or turns (`0.25turn`); clockwise.
        case angle
        /// Pixels (`12`, `12px`) or a percentage of the image's shorter side (`4%`).
        case length
        /// `#rrggbb`, a name, or three components 0 to 1; sRGB-encoded.
        case color
        /// A fixed number of components: `1,0,0`.
        case vector
        /// Pixels from the left and the top, or percentages of width and height: `480,320` or `50%,50%`.
        case point
        /// The path of a file.
        case file
    }

    /// Kebab case. Core Image's spelling (`inputNoiseLevel`, `noiseLevel`) is accepted too.
    public let key: String
    public let kind: Kind
    /// Empty for a value without unit.
    public let unit: String
    /// The range of accepted values: of a number in its unit, of a length in pixels, of a vector or a colour per
    /// component.
    public let range: ClosedRange<Double>?
    /// Number of components of a vector; otherwise 1.
    public let count: Int
    /// nil for a required argument.
    public let defaultValue: FilterArgument?
    /// One line, without a full stop.
    public let summary: String

    private init(
        _ key: String, _ kind: Kind, unit: String = "", range: ClosedRange<Double>? = nil, count: Int = 1,
        default value: FilterArgument?, _ summary: String
    ) {
        self.key = key
        self.kind = kind
        self.unit = unit
        self.range = range
        self.count = count
        self.defaultValue = value
        self.summary = summary
    }

    static func number(
        _ key: String, _ value: Double, _ range: ClosedRange<Double>, unit: String = "", _ summary: String
    ) -> FilterParameter {
        FilterParameter(key, .number, unit: unit, range: range, default: .number(value), summary)
    }

    static func integer(_ key: String, _ value: Int, _ range: ClosedRange<Double>, _ summary: String) -> FilterParameter
    {
        FilterParameter(key, .integer, range: range, default: .number(Double(value)), summary)
    }

    static func angle(
        _ key: String, _ value: Double, _ range: ClosedRange<Double>, _ summary: String
    ) -> FilterParameter {
        FilterParameter(key, .angle, unit: "degrees", range: range, default: .number(value), summary)
    }

    static func length(
        _ key: String, _ value: FilterArgument, _ range: ClosedRange<Double>, _ summary: String
    ) -> FilterParameter {
        FilterParameter(
            key, .length, unit: "px, or % of the shorter side", range: range, default: value, summary)
    }

    static func color(_ key: String, _ value: FilterArgument, _ summary: String) -> FilterParameter {
        FilterParameter(key, .color, range: 0...1, default: value, summary)
    }

    static func vector(
        _ key: String, _ value: [Double], _ range: ClosedRange<Double>, unit: String = "", _ summary: String
    ) -> FilterParameter {
        FilterParameter(key, .vector, unit: unit, range: range, count: value.count, default: .list(value), summary)
    }

    static func point(_ key: String, _ value: FilterArgument, _ summary: String) -> FilterParameter {
        FilterParameter(
            key, .point, unit: "px, or % of width and height", range: -100_000...100_000, default: value, summary)
    }

    static func file(_ key: String, _ summary: String) -> FilterParameter {
        FilterParameter(key, .file, default: nil, summary)
    }
}
