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
        var container = encoder.singleValueContainer()
        if options.isEmpty { try container.encode(description) } else { try container.encode(parts) }
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
        case .text(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
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

/// An option of the library, or a type to look up, that the advice of a ``MediaError`` names.
///
/// The raw value is its Swift name. Other interfaces, such as the `wayreel` command, use their own names.
public enum OptionName: String, Hashable, Sendable, Codable, CaseIterable {
    case maxInputBytes = "limits.inputBytes"
    case maxPixels = "limits.pixels"
    case maxSeconds = "limits.seconds"
    case maxFrames = "limits.frames"
    case maxChannels = "limits.channels"
    case maxAudioSeconds = "limits.audioSeconds"
    case maxVideoSeconds = "limits.videoSeconds"
    case maxMemory = "Isolation.memoryBytes"
    case heartbeatTimeout = "Isolation.heartbeatTimeout"
    case workers = "a smaller WorkPool"
    case toleranceNone = "tolerance .none"
    case toleranceStandard = "tolerance .standard"
    case ifExistsReplace = "ifExists .replace"
    case recipe = "a Recipe"
    case page
    case enlarges = "framing.enlarges"
    case format = "encoding.format"
    case sampleRate
    case rateGrid = "grid .rate"
    case samplesGrid = "grid .samples"
    case track
    case languages
    case keepsAll
    case rangeStart = "range.start"
    case rangeEnd = "range.end"
    case codec
    case crf = "rate .crf"
    case quality = "rate .quality"
    case maxBytes
    case maxFrameRate
    case ladder = "HLSOptions.ladder"
    case parallelGOPs = "HLSOptions.parallelGOPs"
    case maxBundleBytes
    case maxFileBytes
    case screens
    case filterCatalog = "FilterCatalog"
    case screenNames = "Screen.all"
    case prepare = "PreparePlan"
    case storyIssues = "StoryDocument.issues"
    case position = "pose.position"
    case heading = "pose.heading"
    case pitch = "pose.pitch"
    case roll = "pose.roll"
    case fieldOfView = "pose.fieldOfView"
    case declination = "pose.declination"
    case skipDamaged = "SensorReader.onDamage"
}
