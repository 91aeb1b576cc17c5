/// Factor for the samples of audiowaveform's formats.
public enum AmplitudeScale: Hashable, Sendable {
    /// 0 to 32 768. Results beyond 16 bits are clamped.
    case factor(Double)
    /// Scales the largest magnitude of all channels to 32 767.
    ///
    /// audiowaveform only uses the lowest sample; the results agree if its magnitude is larger than that of the
    /// highest.
    case auto

    static let range = 0.0...32_768.0

    /// Parses `1.5` or `auto`; nil for anything else.
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
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not an amplitude scale")
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
