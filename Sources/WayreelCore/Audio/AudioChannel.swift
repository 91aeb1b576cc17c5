/// The loudspeaker that an audio channel is for: `left`, `right`, `center`, `lfe`, …, `mono`, or `channel-7` if the
/// file does not specify it.
public struct AudioChannel: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    package init(_ name: String) { self.name = name }

    public static let mono = AudioChannel("mono")
    public static let left = AudioChannel("left")
    public static let right = AudioChannel("right")
    public static let center = AudioChannel("center")
    public static let lowFrequency = AudioChannel("lfe")
    public static let backLeft = AudioChannel("back-left")
    public static let backRight = AudioChannel("back-right")
    public static let leftOfCenter = AudioChannel("left-of-center")
    public static let rightOfCenter = AudioChannel("right-of-center")
    public static let backCenter = AudioChannel("back-center")
    public static let sideLeft = AudioChannel("side-left")
    public static let sideRight = AudioChannel("side-right")

    /// Returns a channel of unknown role; `number` counts from 1.
    public static func numbered(_ number: Int) -> AudioChannel { AudioChannel("channel-\(number)") }

    /// The channels of a speaker mask, from its lowest bit. WAVEFORMATEXTENSIBLE and FFmpeg use this order.
    public static let maskOrder: [AudioChannel] = [
        .left, .right, .center, .lowFrequency, .backLeft, .backRight, .leftOfCenter, .rightOfCenter, .backCenter,
        .sideLeft, .sideRight, AudioChannel("top-center"), AudioChannel("top-front-left"),
        AudioChannel("top-front-center"), AudioChannel("top-front-right"), AudioChannel("top-back-left"),
        AudioChannel("top-back-center"), AudioChannel("top-back-right"),
    ]

    /// Returns the default layout for a channel count without a mask: mono, left and right, or numbered.
    public static func unnamed(count: Int) -> [AudioChannel] {
        switch count {
        case 1: [.mono]
        case 2: [.left, .right]
        default: (1...max(count, 1)).map(numbered)
        }
    }

    public var description: String { name }
}

extension AudioChannel: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
