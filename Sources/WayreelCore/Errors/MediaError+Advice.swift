extension MediaError {
    /// The advice of an error or a warning: a text without a full stop, and the options that it names.
    ///
    ///     let advice: MediaError.Advice = "raise it with \(.maxPixels) if you trust the file"
    ///     advice.text { $0 == .maxPixels ? "the setting 'pixels'" : $0.rawValue }
    public struct Advice: Hashable, Sendable {
        fileprivate enum Part: Hashable, Sendable, Codable {
            case text(String)
            case option(OptionName)
        }

        fileprivate var parts: [Part]

        public init(_ text: String) { parts = [.text(text)] }

        /// The options that the advice names, in order.
        public var options: [OptionName] {
            parts.compactMap { if case .option(let option) = $0 { option } else { nil } }
        }

        /// Returns the text with the names that an interface uses for options.
        public func text(naming name: (OptionName) -> String) -> String {
            parts.reduce(into: "") { text, part in
                switch part {
                case .text(let words): text += words
                case .option(let option): text += name(option)
                }
            }
        }
    }
}

extension MediaError.Advice: CustomStringConvertible {
    /// The text with the Swift names of the options.
    public var description: String { text(naming: \.rawValue) }
}

extension MediaError.Advice: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self.init(text) }
    public init(stringInterpolation content: StringInterpolation) { parts = content.parts }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ text: String) { if !text.isEmpty { parts.append(.text(text)) } }
        public mutating func appendInterpolation(_ option: OptionName) { parts.append(.option(option)) }
        public mutating func appendInterpolation(_ advice: MediaError.Advice) { parts += advice.parts }
        public mutating func appendInterpolation(_ value: some Any) { parts.append(.text("\(value)")) }
    }
}

extension MediaError.Advice: Codable {
    /// Encodes a text or, if it names options, a list of texts and `{"option": "limits.pixels"}`.
    public func encode(to encoder: any Encoder) throws {
        if options.isEmpty { try encoder.encode(text: description) } else { try parts.encode(to: encoder) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            parts = [.text(text)]
        } else {
            parts = try container.decode([Part].self)
        }
    }
}

extension MediaError.Advice.Part {
    private enum CodingKeys: CodingKey { case option }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text): try encoder.encode(text: text)
        case .option(let option):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(option, forKey: .option)
        }
    }

    init(from decoder: any Decoder) throws {
        let text = try? decoder.singleValueContainer().decode(String.self)
        let option = { try decoder.container(keyedBy: CodingKeys.self).decode(OptionName.self, forKey: .option) }
        self = try text.map { .text($0) } ?? .option(option())
    }
}

/// An option of the library, or a type to look up, that the advice of a ``MediaError`` names. Each module has its own.
///
/// The raw value is its Swift name. Other interfaces, such as the `wayreel` command, use their own names.
public struct OptionName: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let maxInputBytes = OptionName(rawValue: "limits.inputBytes")
    public static let maxPixels = OptionName(rawValue: "limits.pixels")
    public static let maxSeconds = OptionName(rawValue: "limits.seconds")
    public static let maxFrames = OptionName(rawValue: "limits.frames")
    public static let maxChannels = OptionName(rawValue: "limits.channels")
    public static let maxAudioSeconds = OptionName(rawValue: "limits.audioSeconds")
    public static let maxVideoSeconds = OptionName(rawValue: "limits.videoSeconds")
    public static let toleranceNone = OptionName(rawValue: "tolerance .none")
    public static let toleranceStandard = OptionName(rawValue: "tolerance .standard")
    public static let ifExistsReplace = OptionName(rawValue: "ifExists .replace")
    public static let page = OptionName(rawValue: "page")
    public static let track = OptionName(rawValue: "track")
    public static let codec = OptionName(rawValue: "codec")
    public static let screenNames = OptionName(rawValue: "Screen.all")

    /// All of this module.
    package static let ofCore: [OptionName] = [
        .maxInputBytes, .maxPixels, .maxSeconds, .maxFrames, .maxChannels, .maxAudioSeconds, .maxVideoSeconds,
        .toleranceNone, .toleranceStandard, .ifExistsReplace, .page, .track, .codec, .screenNames,
    ]
}
