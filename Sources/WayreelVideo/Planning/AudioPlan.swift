internal import WayreelAV
public import WayreelCore

/// The plan for an audio stream.
public struct AudioPlan: Hashable, Sendable, Codable {
    /// The index of the stream in the file.
    public var stream: Int
    /// The number among the audio tracks of the file, from 1.
    public var track: Int
    /// The numbers of tracks that hold one more channel each of the same recording; nil if there are none.
    public var joinedTracks: [Int]?
    public var action: StreamAction
    public var reasons: [String]
    /// The sample rate of the output.
    public var sampleRate: Int
    public var channelCount: Int
    public var bitRate: Int
    /// The integrated loudness of the output, in LUFS; nil: it is not changed.
    public var loudness: Double?
    /// The part of the track that is delivered, on the file's timeline; nil: all of it.
    public var range: TimeRange?

    public init(
        stream: Int, track: Int, joinedTracks: [Int]? = nil, action: StreamAction, reasons: [String],
        sampleRate: Int, channelCount: Int, bitRate: Int, loudness: Double? = nil, range: TimeRange? = nil
    ) {
        self.stream = stream
        self.track = track
        self.joinedTracks = joinedTracks
        self.action = action
        self.reasons = reasons
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitRate = bitRate
        self.loudness = loudness
        self.range = range
    }
}

extension AudioPlan {
    /// Sample rates that phones and browsers play in MP4 and HLS; others are resampled within their family.
    private static let keptRates: Set<Int> = [32_000, 44_100, 48_000]
    /// The maximum bit rate of AAC-LC that is copied.
    private static let maxCopiedBitRate = 320_000
    /// The minimum bit rate of AAC-LC per channel.
    private static let minChannelBitRate = 16_000
    /// The minimum bit rate of AAC in HLS, for any number of channels.
    private static let minHLSBitRate = 32_000

    init(
        _ choice: AudioChoice.Track, range: TimeRange?, _ options: TranscodeOptions, _ constraints: PlanConstraints
    ) {
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
        if let damage = constraints.damagedAudio[stream.index] { reasons.append(damage) }
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

/// The audio tracks of a file to deliver, the default one first.
struct AudioChoice {
    /// An audio track of a file, or several that hold one channel each of a recording.
    struct Track {
        /// One stream, or those of the channels.
        var streams: [MediaStream]
        var format: AudioFormat
        /// The numbers of the streams among the audio tracks of the file, from 1.
        var numbers: [Int]

        /// `all`: the audio streams of the file. Returns nil for a stream whose format is not known.
        init?(_ streams: [MediaStream], of all: [MediaStream]) {
            guard var format = streams.first?.format else { return nil }
            if streams.count > 1 { format.channels = streams.compactMap(\.soleChannel) }
            (self.streams, self.format) = (streams, format)
            numbers = streams.compactMap { stream in all.firstIndex { $0.index == stream.index }.map { $0 + 1 } }
        }
    }

    let tracks: [Track]
    let warnings: [String]

    private static let maxTracks = 24

    /// Throws a `parameter` error if the file has no such track, an `unsupported` error if a track is encrypted.
    init(_ info: MediaInfo, _ settings: AudioSettings) throws(MediaError) {
        guard !settings.isDropped else {
            (tracks, warnings) = ([], [])
            return
        }
        let all = info.streams.filter { $0.kind == .audio }
        let (chosen, missing) = try Self.choose(info, all, settings)
        for stream in chosen { try stream.checkIsClear(step: .plan) }
        let undecodable = chosen.compactMap { stream in stream.undecodable.map { "\($0); the audio is left out" } }
        let isSingle = settings.track != nil
        tracks = chosen.filter { $0.undecodable == nil }.compactMap { stream in
            Track(isSingle ? [stream] : info.recording(of: stream), of: all)
        }
        warnings = missing.map { "there is no audio track in \($0)" } + undecodable
        try require(
            tracks.count <= Self.maxTracks,
            "\(tracks.count) audio tracks are selected; at most \(Self.maxTracks) can be kept",
            "choose among them with \(.languages)")
    }

    /// Chooses tracks, and returns the requested languages that no track has as well.
    private static func choose(
        _ info: MediaInfo, _ all: [MediaStream], _ settings: AudioSettings
    ) throws(MediaError) -> (chosen: [MediaStream], missing: [String]) {
        if let number = settings.track { return ([try track(number, of: all)], []) }
        var chosen: [MediaStream] = []
        /// Adds a stream, unless the recording that it is a channel of was added.
        func add(_ stream: MediaStream) {
            let first = info.recording(of: stream)[0]
            if !chosen.contains(first) { chosen.append(first) }
        }
        guard !settings.languages.isEmpty else {
            guard let preferred = info.audio else { return ([], []) }
            for stream in [preferred] + (settings.keepsAll ? all : []) { add(stream) }
            return (chosen, [])
        }
        var missing: [String] = []
        for language in settings.languages {
            let matching = all.filter { $0.isInLanguage(language) }
            if matching.isEmpty { missing.append(language) }
            let kept = settings.keepsAll ? matching : [MediaInfo.preferred(among: matching)].compactMap(\.self)
            for stream in kept { add(stream) }
        }
        guard !chosen.isEmpty || all.isEmpty else {
            let known = all.map { $0.language ?? "no language" }.joined(separator: ", ")
            throw MediaError(
                .parameter, step: .plan,
                reason:
                    "has no audio track in \(settings.languages.joined(separator: " or ")); its tracks are in \(known)",
                advice: "name one of these, or use \(.keepsAll)")
        }
        return (chosen, missing)
    }

    private static func track(_ number: Int, of all: [MediaStream]) throws(MediaError) -> MediaStream {
        try require(
            all.indices.contains(number &- 1), "has no audio track \(number); it has \(all.count)",
            all.count < 2 ? "leave \(.track) out" : "use \(.track) 1 to \(all.count)")
        return all[number - 1]
    }
}

extension MediaStream {
    /// Whether the stream is in a language; a code without a region matches all regions.
    fileprivate func isInLanguage(_ text: String) -> Bool {
        guard let own = language.flatMap({ LanguageCode($0) }), let wanted = LanguageCode(text) else { return false }
        return own == wanted || own.tag.hasPrefix("\(wanted.tag)-")
    }
}
