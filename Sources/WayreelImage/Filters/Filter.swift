public import WayreelCore

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

    // Shorthands for common filters, so that a call reads `[.sepiaTone(intensity: 0.8), .gaussianBlur(radius:
    // .percent(1))]`. `FilterCatalog` documents them and contains the rest.
    public static func sepiaTone(intensity: Double = 1) -> Filter {
        Filter("sepia-tone", ["intensity": .number(intensity)])
    }

    public static let chrome = Filter("photo-effect-chrome")
    public static let fade = Filter("photo-effect-fade")
    public static let instant = Filter("photo-effect-instant")
    public static let mono = Filter("photo-effect-mono")
    public static let noir = Filter("photo-effect-noir")
    public static let process = Filter("photo-effect-process")
    public static let tonal = Filter("photo-effect-tonal")
    public static let transfer = Filter("photo-effect-transfer")

    public static func colorControls(saturation: Double = 1, brightness: Double = 0, contrast: Double = 1) -> Filter {
        Filter(
            "color-controls",
            ["saturation": .number(saturation), "brightness": .number(brightness), "contrast": .number(contrast)])
    }

    /// Adjusts the exposure; `ev` is in stops.
    public static func exposure(_ ev: Double) -> Filter {
        Filter("exposure-adjust", ["ev": .number(ev)])
    }

    public static func gamma(_ power: Double) -> Filter {
        Filter("gamma-adjust", ["power": .number(power)])
    }

    public static func vibrance(_ amount: Double) -> Filter {
        Filter("vibrance", ["amount": .number(amount)])
    }

    /// Rotates the hue by an angle in degrees.
    public static func hueRotation(_ degrees: Double) -> Filter {
        Filter("hue-adjust", ["angle": .number(degrees)])
    }

    /// Adapts colours to another colour temperature; temperatures are in kelvins.
    public static func temperature(from neutral: Double = 6500, to target: Double) -> Filter {
        Filter("temperature-and-tint", ["neutral": [neutral, 0], "target-neutral": [target, 0]])
    }

    public static func highlightsAndShadows(
        highlights: Double = 1, shadows: Double = 0, radius: Length = .pixels(0)
    ) -> Filter {
        Filter(
            "highlight-shadow-adjust",
            [
                "highlight-amount": .number(highlights), "shadow-amount": .number(shadows),
                "radius": .text(radius.description),
            ])
    }

    public static func monochrome(_ color: RGBColor, intensity: Double = 1) -> Filter {
        Filter("color-monochrome", ["color": .text(color.description), "intensity": .number(intensity)])
    }

    public static func duotone(dark: RGBColor, light: RGBColor) -> Filter {
        Filter("false-color", ["color0": .text(dark.description), "color1": .text(light.description)])
    }

    /// Applies a .cube file.
    public static func lookUpTable(path: String, intensity: Double = 1) -> Filter {
        Filter("color-cube", ["file": .text(path), "intensity": .number(intensity)])
    }

    public static func vignette(intensity: Double = 0.6, radius: Double = 1) -> Filter {
        Filter("vignette", ["intensity": .number(intensity), "radius": .number(radius)])
    }

    public static func filmGrain(intensity: Double = 0.12, size: Length = .percent(0.2)) -> Filter {
        Filter("film-grain", ["intensity": .number(intensity), "size": .text(size.description)])
    }

    /// Blurs with a Gaussian; `radius` is its standard deviation.
    public static func gaussianBlur(radius: Length = .percent(1.5)) -> Filter {
        Filter("gaussian-blur", ["radius": .text(radius.description)])
    }

    public static func sharpenLuminance(_ sharpness: Double = 0.4, radius: Length = .percent(0.26)) -> Filter {
        Filter("sharpen-luminance", ["sharpness": .number(sharpness), "radius": .text(radius.description)])
    }

    public static func unsharpMask(radius: Length = .percent(0.4), intensity: Double = 0.5) -> Filter {
        Filter("unsharp-mask", ["radius": .text(radius.description), "intensity": .number(intensity)])
    }

    public static func bloom(radius: Length = .percent(1.5), intensity: Double = 0.5) -> Filter {
        Filter("bloom", ["radius": .text(radius.description), "intensity": .number(intensity)])
    }

    public static func pixellate(scale: Length = .percent(1.25)) -> Filter {
        Filter("pixellate", ["scale": .text(scale.description)])
    }

    /// Straightens the image by an angle in degrees, clockwise.
    public static func straighten(_ degrees: Double) -> Filter {
        Filter("straighten", ["angle": .number(degrees)])
    }

    /// Paths of the files that its arguments name.
    package var files: [String] {
        fileArguments.compactMap { _, value in if case .text(let path) = value { path } else { nil } }
    }

    /// Returns the filter with each path of a file replaced.
    package func renamingFiles(_ rename: (String) -> String) -> Filter {
        var filter = self
        for (key, value) in fileArguments {
            if case .text(let path) = value { filter.arguments[key] = .text(rename(path)) }
        }
        return filter
    }

    /// The arguments that name files, in the order of their keys.
    private var fileArguments: [(key: String, value: FilterArgument)] {
        let parameters = FilterCatalog.descriptor(named: name)?.parameters.filter { $0.kind == .file } ?? []
        let keys = Set(parameters.map { FilterCatalog.plainKey($0.key) })
        return arguments.sorted { $0.key < $1.key }.filter { keys.contains(FilterCatalog.plainKey($0.key)) }
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

/// Encoded as a number, a string or a list of numbers.
extension FilterArgument: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let list = try? container.decode([Double].self) {
            self = .list(list)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        }
    }
}

extension Overlay {
    /// Returns the overlay with the path of its image replaced.
    package func renamingFile(_ rename: (String) -> String) -> Overlay {
        guard case .image(var image) = self else { return self }
        image.path = rename(image.path)
        return .image(image)
    }
}

extension [Overlay] {
    /// The paths of its images.
    package var imagePaths: [String] {
        compactMap { if case .image(let image) = $0 { image.path } else { nil } }
    }
}
