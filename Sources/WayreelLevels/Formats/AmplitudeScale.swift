/// What the samples of audiowaveform's formats are multiplied by before they are written.
public enum AmplitudeScale: Hashable, Sendable {
    /// 0 to 32 768. What goes beyond 16 bits is clamped.
    case factor(Double)
    /// The factor that brings the largest magnitude of all channels to 32 767.
    ///
    /// audiowaveform looks at the lowest sample alone, so that the two agree where that is farther from zero than the highest.
    case auto

    static let range = 0.0...32_768.0

    /// Parses `1.5` or `auto`; nil for all else.
    public init?(_ text: String) {
        if text.lowercased() == "auto" {
            self = .auto
        } else if let factor = Double(text), Self.range.contains(factor) {
            self = .factor(factor)
        } else {
            return nil
        }
    }
}

extension AmplitudeScale: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let factor = try? container.decode(Double.self) {
            self = .factor(factor)
            return
        }
        let text = try container.decode(String.self)
        guard let scale = AmplitudeScale(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no amplitude scale")
        }
        self = scale
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .factor(let factor): try container.encode(factor)
        case .auto: try container.encode("auto")
        }
    }
}
