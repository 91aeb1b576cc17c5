internal import WayreelCore

extension AudioPlan {
    /// Sample rates that phones and browsers play in MP4 and HLS; others are resampled within their family.
    private static let keptRates: Set<Int> = [32_000, 44_100, 48_000]
    /// The maximum bit rate of AAC-LC that is copied.
    private static let maxCopiedBitRate = 320_000
    /// The minimum bit rate of AAC-LC per channel.
    private static let minChannelBitRate = 16_000
    /// The minimum bit rate of AAC in HLS, for any number of channels.
    private static let minHLSBitRate = 32_000

    init(_ choice: AudioChoice.Track, range: TimeRange?, _ options: TranscodeOptions) {
        let (stream, format, settings) = (choice.streams[0], choice.format, options.audio)
        let channelCount = format.channels.count == 1 ? 1 : 2
        var reasons: [String] = []
        if stream.codec != "aac" {
            reasons.append("its codec is \(stream.codec), not AAC")
        } else if let profile = stream.profile, profile != "LC" {
            reasons.append("not all phones play AAC of the profile \(profile)")
        }
        if choice.streams.count > 1 {
            let names = choice.streams.compactMap(\.soleChannel?.name).joined(separator: ", ")
            reasons.append("its channels (\(names)) are in tracks of their own")
        }
        if format.channels.count > 2 { reasons.append("its \(format.channels.count) channels are mixed to two") }
        if format.sampleRate > 48_000 { reasons.append("its \(format.sampleRate) Hz are more than 48000") }
        if let bitRate = stream.bitRate, bitRate > Self.maxCopiedBitRate * 21 / 20 {
            reasons.append("its \(bitRate.asBitRate) are more than \(Self.maxCopiedBitRate.asBitRate)")
        }
        if let loudness = settings.loudness { reasons.append("it is brought to \(loudness.shortDescription) LUFS") }
        if case .hls = options.delivery { reasons.append("HLS needs segments of its own") }
        if case .maxBytes = options.video.rate, stream.bitRate ?? .max > settings.bitRate {
            reasons.append("it has to leave room for the video")
        }
        if range != nil { reasons.append("it is cut to the sample") }
        if options.video.alwaysEncodes { reasons.append("it is to be encoded in any case") }
        reasons += stream.irregularities
        let action: StreamAction = reasons.isEmpty ? .copy : .transcode
        var bitRate = channelCount == 1 ? settings.bitRate / 2 : settings.bitRate
        // A higher bit rate than the source's improves little, but the source's average may be lowered by pauses.
        if stream.codec == "aac", format.channels.count <= 2, let own = stream.bitRate {
            bitRate = min(bitRate, max(own, bitRate * 3 / 4))
        }
        let minimum = Self.minChannelBitRate * channelCount
        bitRate = max(bitRate, options.delivery.hls == nil ? minimum : max(minimum, Self.minHLSBitRate))
        self.init(
            stream: stream.index, track: choice.numbers[0],
            joinedTracks: choice.numbers.count > 1 ? Array(choice.numbers.dropFirst()) : nil, action: action,
            reasons: reasons.isEmpty ? ["every phone plays its AAC-LC"] : reasons,
            sampleRate: action == .copy ? format.sampleRate : Self.rate(for: format.sampleRate),
            channelCount: channelCount, bitRate: action == .copy ? stream.bitRate ?? bitRate : bitRate,
            loudness: settings.loudness, range: range)
    }

    /// The minimum bit rate in MP4.
    var minBitRate: Int { Self.minChannelBitRate * channelCount }

    /// Returns the plan to encode the track at a share of its bit rate.
    func lowered(to share: Double) -> AudioPlan {
        var lowered = self
        lowered.bitRate = max(minBitRate, Int(Double(bitRate) * share))
        if action == .copy { (lowered.action, lowered.reasons) = (.transcode, ["a copy of it is too large"]) }
        return lowered
    }

    /// Multiples and divisors of 44.1 kHz become 44.1 kHz; other rates become 48 kHz.
    private static func rate(for source: Int) -> Int {
        if keptRates.contains(source) { return source }
        return source % 11_025 == 0 ? 44_100 : 48_000
    }
}
