/// Sample rate and channels of an audio stream.
public struct AudioFormat: Hashable, Sendable, Codable {
    /// Samples per second and channel.
    public var sampleRate: Int
    public var channels: [AudioChannel]

    public init(sampleRate: Int, channels: [AudioChannel]) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

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

    public func encode(to encoder: any Encoder) throws { try encoder.encode(text: name) }
}

/// Format of headerless PCM with interleaved channels.
public struct RawAudioFormat: Hashable, Sendable, CustomStringConvertible {
    /// FFmpeg's names: signed, unsigned or floating point, bits per sample, byte order.
    public enum Encoding: String, Hashable, Sendable, Codable, CaseIterable {
        case s8, u8, s16le, s16be, s24le, s24be, s32le, s32be, f32le, f32be, f64le, f64be, mulaw, alaw
    }

    public var encoding: Encoding
    /// Samples per second and channel.
    public var sampleRate: Int
    public var channelCount: Int

    public init(_ encoding: Encoding, sampleRate: Int, channelCount: Int) {
        self.encoding = encoding
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Parses `s16le:44100:2`: encoding, sample rate, channel count.
    ///
    /// Throws a `parameter` error that names the invalid term.
    public init(parsing text: String) throws(MediaError) {
        let fault = ErrorSite(.parameter, step: .read, subject: text, advice: "write it as s16le:44100:2")
        let terms = text.split(separator: ":", omittingEmptySubsequences: false)
        guard terms.count == 3 else { throw fault("raw audio needs an encoding, a sample rate and a channel count") }
        guard let encoding = Encoding(rawValue: String(terms[0])) else {
            let all = Encoding.allCases.map(\.rawValue).joined(separator: ", ")
            throw fault("unknown raw encoding '\(terms[0])'", "use one of \(all)")
        }
        guard let rate = Int(terms[1]), Self.sampleRates.contains(rate) else {
            throw fault("'\(terms[1])' is not a sample rate")
        }
        guard let count = Int(terms[2]), Self.channelCounts.contains(count) else {
            throw fault("'\(terms[2])' is not a channel count")
        }
        self.init(encoding, sampleRate: rate, channelCount: count)
    }

    private static let sampleRates = 1...999_999_999
    private static let channelCounts = 1...9999

    /// Throws a `parameter` error if the sample rate or the channel count is out of range.
    package func check() throws(MediaError) {
        guard Self.sampleRates.contains(sampleRate), Self.channelCounts.contains(channelCount) else {
            throw MediaError(
                .parameter, step: .read,
                reason: "raw audio with \(channelCount) channels and \(sampleRate) samples per second",
                advice: "give 1 to 9999 channels and 1 to 999999999 samples per second")
        }
    }

    public var description: String { "\(encoding.rawValue):\(sampleRate):\(channelCount)" }
}

extension RawAudioFormat: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(parsing: decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}
