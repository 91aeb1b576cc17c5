public import WayreelCore

/// All filters.
public enum FilterCatalog {
    /// In the order of the documentation: colour, light, print, blur, detail, style, geometry.
    public static let all: [FilterDescriptor] =
        colorAdjustments + colorEffects + photoEffects + lightEffects + printScreens + blurs + details + styles
        + geometry

    /// Looks up a filter by name, ignoring case: `sepia-tone`, an alias such as `noir`, or `CISepiaTone`.
    public static func descriptor(named name: String) -> FilterDescriptor? {
        byName[plainName(name)]
    }

    /// Looks up a filter by name; throws a `parameter` error with the nearest name for an unknown filter.
    public static func requireDescriptor(named name: String) throws(MediaError) -> FilterDescriptor {
        if let found = descriptor(named: name) { return found }
        let names = all.flatMap { [$0.name] + $0.aliases + [$0.coreImageName].compactMap(\.self) }
        throw MediaError(
            .parameter, step: .filter, reason: "unknown filter '\(name)'",
            advice: nearestName(to: name, in: names).map { "did you mean '\($0)'?" } ?? "see \(.filterCatalog)")
    }

    private static let byName: [String: FilterDescriptor] = {
        var table: [String: FilterDescriptor] = [:]
        for filter in all {
            for name in [filter.name] + filter.aliases { table[plainName(name)] = filter }
            if let name = filter.coreImageName {
                table[plainName(name)] = filter
                table[name.lowercased()] = filter
            }
        }
        return table
    }()

    /// Returns the canonical form of a name: `sepia-tone`, `SepiaTone` and `CISepiaTone` are equal.
    private static func plainName(_ name: String) -> String {
        let letters = name.hasPrefix("CI") ? name.dropFirst(2) : name[...]
        return letters.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// Returns the canonical form of a key: `noise-level`, `noiseLevel` and `inputNoiseLevel` are equal.
    static func plainKey(_ key: String) -> String {
        let letters = key.hasPrefix("input") ? key.dropFirst(5) : key[...]
        return letters.lowercased().filter { $0 != "-" && $0 != "_" }
    }
}

/// A stage of a filter.
enum FilterStage: Sendable {
    /// Operations on each pixel, independent of the image.
    case color([ColorOp])
    /// Operations on each pixel that depend on the image size.
    case sized(@Sendable (PixelSize) -> [ColorOp])
    /// An operation on the whole image.
    case spatial(any SpatialFilter)
}

/// An operation in which a pixel depends on others.
protocol SpatialFilter: Sendable {
    /// Modifies the image in place; checks `task` every few rows.
    func apply(to image: inout Image, task: TaskContext) throws(MediaError)
}

/// A checked list of filters that runs on any number of images.
package struct FilterChain: Sendable {
    private let stages: [FilterStage]

    /// Checks all names and arguments and reads the files that they name.
    ///
    /// Relative paths start at `baseDirectory`, or at the working directory; `task` bounds the wait for a pipe. Throws
    /// a `parameter` error for an unknown or invalid filter or argument, and an `io`, `limit` or `decoding` error for a
    /// file that cannot be used.
    package init(
        _ filters: [Filter], baseDirectory: String? = nil, task: TaskContext = TaskContext()
    ) throws(MediaError) {
        var stages: [FilterStage] = []
        for filter in filters {
            let descriptor = try FilterCatalog.requireDescriptor(named: filter.name)
            let values = try FilterValues(filter.arguments, for: descriptor, baseDirectory: baseDirectory, task: task)
            stages += try descriptor.stages(values)
        }
        self.stages = stages
    }

    /// Runs `prefix` and then the filters; consecutive colour operations run as one pass.
    package func apply(to image: inout Image, after prefix: [ColorOp] = [], task: TaskContext) throws(MediaError) {
        var pending = prefix
        for stage in stages {
            switch stage {
            case .color(let ops):
                pending += ops
            case .sized(let ops):
                pending += ops(image.size)
            case .spatial(let filter):
                try ColorPipeline(pending).apply(to: &image, task: task)
                pending = []
                try filter.apply(to: &image, task: task)
            }
        }
        try ColorPipeline(pending).apply(to: &image, task: task)
    }
}

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

extension MediaError.Step {
    public static let background = MediaError.Step(rawValue: "background")
    public static let color = MediaError.Step(rawValue: "color")
    public static let decodeAndResample = MediaError.Step(rawValue: "decode and resample")
    public static let goggles = MediaError.Step(rawValue: "goggles")
    public static let metadata = MediaError.Step(rawValue: "metadata")
    public static let probe = MediaError.Step(rawValue: "probe")
    public static let resample = MediaError.Step(rawValue: "resample")
    public static let trim = MediaError.Step(rawValue: "trim")
}

extension OptionName {
    public static let enlarges = OptionName(rawValue: "framing.enlarges")
    public static let format = OptionName(rawValue: "encoding.format")
    public static let filterCatalog = OptionName(rawValue: "FilterCatalog")

    /// All of this module.
    package static let ofImage: [OptionName] = [.enlarges, .format, .filterCatalog]
}
