internal import WayreelCore

extension AudioPlan {
    /// Rates that phones and browsers take in MP4 and HLS alike; other ones are brought to that of their family.
    private static let keptRates: Set<Int> = [32_000, 44_100, 48_000]
    /// What can be taken over: AAC-LC that all decoders know.
    private static let mostBitRate = 320_000
    /// Bits per second of a channel below which AAC-LC is not worth listening to.
    private static let leastBitRate = 16_000
    /// Bits per second that HLS wants of AAC, whatever the channels.
    private static let leastBitRateInHLS = 32_000

    /// What becomes of the sound `stream`, which is the `track`th of its file.
    init(
        _ stream: MediaStream, format: AudioFormat, track: Int, range: TimeRange?, _ options: TranscodeOptions
    ) {
        let settings = options.sound
        let channelCount = format.channels.count == 1 ? 1 : 2
        var reasons: [String] = []
        if stream.codec != "aac" {
            reasons.append("its codec is \(stream.codec), not AAC")
        } else if let profile = stream.profile, profile != "LC" {
            reasons.append("not all phones play AAC of the profile \(profile)")
        }
        if format.channels.count > 2 { reasons.append("its \(format.channels.count) channels are mixed to two") }
        if format.sampleRate > 48_000 { reasons.append("its \(format.sampleRate) Hz are more than 48000") }
        if let bitRate = stream.bitRate, bitRate > Self.mostBitRate * 21 / 20 {
            reasons.append("its \(bitRate.asBitRate) are more than \(Self.mostBitRate.asBitRate)")
        }
        if let loudness = settings.loudness { reasons.append("it is brought to \(loudness.shortDescription) LUFS") }
        if case .hls = options.delivery { reasons.append("HLS needs segments of its own") }
        if case .maxBytes = options.picture.rate, stream.bitRate ?? .max > settings.bitRate {
            reasons.append("it is to leave room for the pictures")
        }
        if range != nil { reasons.append("it is cut to the sample") }
        if options.picture.alwaysEncodes { reasons.append("it is to be encoded in any case") }
        reasons += stream.irregularities
        let action: StreamAction = reasons.isEmpty ? .copy : .transcode
        var bitRate = channelCount == 1 ? settings.bitRate / 2 : settings.bitRate
        // More than AAC of as many channels had is for little; but its average may be that of many pauses.
        if stream.codec == "aac", format.channels.count <= 2, let own = stream.bitRate {
            bitRate = min(bitRate, max(own, bitRate * 3 / 4))
        }
        let least = Self.leastBitRate * channelCount
        bitRate = max(bitRate, options.delivery.hls == nil ? least : max(least, Self.leastBitRateInHLS))
        self.init(
            stream: stream.index, track: track, action: action,
            reasons: reasons.isEmpty ? ["it is AAC-LC that every phone plays"] : reasons,
            sampleRate: action == .copy ? format.sampleRate : Self.rate(for: format.sampleRate),
            channelCount: channelCount, bitRate: action == .copy ? stream.bitRate ?? bitRate : bitRate,
            loudness: settings.loudness, range: range)
    }

    /// 44.1 kHz and its multiples and parts stay in their family.
    private static func rate(for source: Int) -> Int {
        if keptRates.contains(source) { return source }
        return source % 11_025 == 0 ? 44_100 : 48_000
    }
}
