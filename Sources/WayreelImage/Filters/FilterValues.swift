internal import WayreelCore

/// Checked arguments of a filter: every parameter has a value of its kind and range.
struct FilterValues: Sendable {
    private let filter: String
    private var values: [String: FilterValue] = [:]
    /// Base of relative paths; nil for the working directory.
    let baseDirectory: String?
    /// Bounds the reading of files.
    let task: TaskContext

    /// Throws a `parameter` error for an unknown, missing or invalid argument.
    init(
        _ arguments: [String: FilterArgument], for descriptor: FilterDescriptor, baseDirectory: String?,
        task: TaskContext
    ) throws(MediaError) {
        filter = descriptor.name
        self.baseDirectory = baseDirectory
        self.task = task
        // Sorted, so that the same error is always reported first.
        for (key, argument) in arguments.sorted(by: { $0.key < $1.key }) {
            let wanted = FilterCatalog.plainKey(key)
            guard let parameter = descriptor.parameters.first(where: { FilterCatalog.plainKey($0.key) == wanted })
            else {
                throw Self.unknown(key, descriptor)
            }
            guard values[parameter.key] == nil else {
                throw Self.fault("\(filter): \(parameter.key) is given twice")
            }
            values[parameter.key] = try parameter.value(of: argument, in: filter)
        }
        for parameter in descriptor.parameters where values[parameter.key] == nil {
            guard let argument = parameter.defaultValue else {
                throw Self.fault("\(filter): \(parameter.key) is missing", "it takes \(parameter.expectation)")
            }
            values[parameter.key] = try parameter.value(of: argument, in: filter)
        }
    }

    static let fault = ErrorSite(.parameter, step: .filter)

    private static func unknown(_ key: String, _ descriptor: FilterDescriptor) -> MediaError {
        let keys = descriptor.parameters.map(\.key)
        let advice: MediaError.Advice =
            nearestName(to: key, in: keys).map { "did you mean '\($0)'?" }
            ?? (keys.isEmpty ? "it takes none" : "it takes \(keys.joined(separator: ", "))")
        return fault("\(descriptor.name) has no parameter '\(key)'", advice)
    }

    /// Returns the value of a declared parameter.
    private func value(_ key: String) -> FilterValue {
        guard let value = values[key] else { preconditionFailure("\(filter) declares no \(key)") }
        return value
    }

    /// Returns a number, an integer, or an angle in degrees.
    func number(_ key: String) -> Double {
        guard case .number(let number) = value(key) else { preconditionFailure("\(key) is not a number") }
        return number
    }

    func length(_ key: String) -> Length {
        guard case .length(let length) = value(key) else { preconditionFailure("\(key) is not a length") }
        return length
    }

    func vector(_ key: String) -> [Double] {
        guard case .vector(let numbers) = value(key) else { preconditionFailure("\(key) is not a vector") }
        return numbers
    }

    /// Red, green and blue, sRGB-encoded.
    func color(_ key: String) -> SIMD3<Double> {
        let components = vector(key)
        return SIMD3(components[0], components[1], components[2])
    }

    func point(_ key: String) -> ImagePoint {
        guard case .point(let point) = value(key) else { preconditionFailure("\(key) is not a point") }
        return point
    }

    func file(_ key: String) -> String {
        guard case .file(let path) = value(key) else { preconditionFailure("\(key) is not a file") }
        return path
    }
}

/// A checked argument.
private enum FilterValue: Sendable {
    case number(Double)
    case length(Length)
    case vector([Double])
    case point(ImagePoint)
    case file(String)
}

/// A position in an image; each coordinate is in pixels from the left or top, or in percent of width or height.
struct ImagePoint: Hashable, Sendable {
    var x: Length
    var y: Length

    /// In pixels; the centre of the first pixel is at 0.5.
    func inPixels(on size: PixelSize) -> SIMD2<Double> {
        SIMD2(
            x.inPixels(on: PixelSize(width: size.width, height: size.width)),
            y.inPixels(on: PixelSize(width: size.height, height: size.height)))
    }
}

extension FilterParameter {
    /// A description for messages: `a number, 0 to 1`.
    package var expectation: String {
        let bounds = range.map { "\($0.lowerBound.shortDescription) to \($0.upperBound.shortDescription)" } ?? ""
        let suffix = unit.isEmpty ? "" : " \(unit)"
        return switch kind {
        case .number: "a number, \(bounds)\(suffix)"
        case .integer: "a whole number, \(bounds)\(suffix)"
        case .angle: "an angle, \(bounds) degrees (30, 30deg, 0.5rad, 0.25turn)"
        case .length: "a length, \(bounds) px or a percentage of the shorter side (12, 12px, 4%)"
        case .color: "a colour (#rrggbb, a name, or red,green,blue from 0 to 1)"
        case .vector: "\(count) numbers, each \(bounds)\(suffix)"
        case .point: "a point in pixels or percent of width and height (480,320 or 50%,50%)"
        case .file: "the path of a file"
        }
    }

    fileprivate func value(of argument: FilterArgument, in filter: String) throws(MediaError) -> FilterValue {
        let name = "\(filter): \(key)"
        guard let value = read(argument) else {
            throw FilterValues.fault("\(name) cannot be \(argument.quoted)", "it takes \(expectation)")
        }
        let checked: [Double] =
            switch value {
            case .number(let number): [number]
            case .length(.pixels(let pixels)): [pixels]
            case .vector(let numbers): numbers
            default: []
            }
        if let range, checked.contains(where: { !range.contains($0) }) {
            throw FilterValues.fault("\(name) is \(argument.quoted), out of range", "it takes \(expectation)")
        }
        if case .length(.percent(let percent)) = value, !(0...100).contains(percent) {
            throw FilterValues.fault("\(name) is \(argument.quoted), out of range", "it takes 0% to 100%")
        }
        return value
    }

    private func read(_ argument: FilterArgument) -> FilterValue? {
        switch kind {
        case .number: argument.numbers(1).map { .number($0[0]) }
        case .integer: argument.numbers(1).flatMap { $0[0] == $0[0].rounded() ? .number($0[0]) : nil }
        case .angle: argument.degrees.map { .number($0) }
        case .length: argument.length.map { .length($0) }
        case .vector: argument.numbers(count).map { .vector($0) }
        case .color: argument.color.map { .vector($0) }
        case .point: argument.point.map { .point($0) }
        case .file: argument.path.map { .file($0) }
        }
    }
}

extension FilterArgument {
    fileprivate var quoted: String {
        switch self {
        case .number(let number): number.shortDescription
        case .text(let text): "'\(text)'"
        case .list(let numbers): "[\(numbers.map(\.shortDescription).joined(separator: ", "))]"
        }
    }

    /// Splits a text at commas or white space.
    private static func parts(_ text: String) -> [Substring] {
        text.split { $0 == "," || $0 == " " }
    }

    fileprivate func numbers(_ count: Int) -> [Double]? {
        let numbers: [Double?] =
            switch self {
            case .number(let number): [number]
            case .list(let list): list
            case .text(let text): Self.parts(text).map { Double($0) }
            }
        let finite = numbers.compactMap { $0 }.filter(\.isFinite)
        return finite.count == count && numbers.count == count ? finite : nil
    }

    fileprivate var degrees: Double? {
        guard case .text(let text) = self else { return numbers(1)?[0] }
        for (suffix, factor) in [("deg", 1), ("°", 1), ("rad", 180 / Double.pi), ("turn", 360)]
        where text.hasSuffix(suffix) {
            return FilterArgument.text(String(text.dropLast(suffix.count))).numbers(1).map { $0[0] * factor }
        }
        return numbers(1)?[0]
    }

    fileprivate var length: Length? {
        switch self {
        case .number(let number): number.isFinite ? .pixels(number) : nil
        case .text(let text): Length(text)
        case .list: nil
        }
    }

    fileprivate var color: [Double]? {
        switch self {
        case .number: nil
        case .text(let text): RGBColor(text).flatMap { $0.alpha == 1 ? [$0.red, $0.green, $0.blue] : nil }
        case .list(let list): list.count == 3 && list.allSatisfy(\.isFinite) ? list : nil
        }
    }

    fileprivate var point: ImagePoint? {
        switch self {
        case .number: return nil
        case .list(let list):
            guard list.count == 2, list.allSatisfy({ $0.magnitude <= 1e6 }) else { return nil }
            return ImagePoint(x: .pixels(list[0]), y: .pixels(list[1]))
        case .text(let text):
            let lengths = Self.parts(text).compactMap { Length($0) }
            let areInRange = lengths.allSatisfy { $0.inPixels(on: PixelSize(width: 100, height: 100)).magnitude <= 1e6 }
            return lengths.count == 2 && areInRange ? ImagePoint(x: lengths[0], y: lengths[1]) : nil
        }
    }

    fileprivate var path: String? {
        guard case .text(let text) = self, !text.isEmpty else { return nil }
        return text
    }
}
