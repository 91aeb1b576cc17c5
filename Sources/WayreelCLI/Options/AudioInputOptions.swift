internal import ArgumentParser
internal import WayreelMedia

/// The audio track of an input, and limits for it.
struct AudioInputOptions: ParsableArguments {
    @OptionGroup var selection: AudioTrackOptions

    @Option(
        help: "Format of headerless PCM, as ENCODING:RATE:CHANNELS: s16le:44100:2, f32le:48000:1, mulaw:8000:1, …",
        transform: { (text) throws in try RawAudioFormat(parsing: text) })
    var raw: RawAudioFormat?

    @Option(
        help: ArgumentHelp(
            "Resample to this rate before measuring: 1000 to 768000. (default: none)",
            valueName: "hz"))
    var sampleRate: Int?

    @OptionGroup var durations: DurationLimitOptions

    @Option(help: "Max channels. (default: 64)")
    var maxChannels: Int?

    var track: Int? { selection.track }

    func validate() throws {
        if let maxChannels, maxChannels < 1 { throw ValidationError("--max-channels takes a positive number") }
        if let sampleRate, !LevelsOptions.sampleRates.contains(sampleRate) {
            throw ValidationError("--sample-rate takes 1000 to 768000")
        }
        if raw != nil, track != nil { throw ValidationError("raw audio has no tracks; remove --track") }
    }

    func limits() -> AudioLimits {
        let standard = AudioLimits.standard
        return AudioLimits(
            audioSeconds: durations.maxHours.map { $0 * 3600 } ?? standard.audioSeconds,
            seconds: durations.maxSeconds ?? standard.seconds, channels: maxChannels ?? standard.channels)
    }
}

/// The choice of one audio track.
struct AudioTrackOptions: ParsableArguments {
    @Option(help: "Audio track, from 1. (default: the file's default track)")
    var track: Int?

    func validate() throws {
        if let track, track < 1 { throw ValidationError("--track counts from 1") }
    }
}

/// Limits of the time of work and of the duration of an input.
struct DurationLimitOptions: ParsableArguments {
    @Option(help: "Max seconds of work per input. (default: 3600, for videos 86400)")
    var maxSeconds: Double?

    @Option(help: "Max duration of an input in hours. (default: 168)")
    var maxHours: Double?

    func validate() throws {
        try requirePositive("--max-seconds", maxSeconds)
        try requirePositive("--max-hours", maxHours)
    }
}

/// Audio of a video.
struct VideoAudioOptions: ParsableArguments {
    @Option(
        parsing: .unconditional, help: "Normalise programme loudness to this value in LUFS: -16. (default: unchanged)")
    var loudness: Double?

    @Option(
        name: [.customLong("audio-rate"), .customLong("sound-rate")],
        help: "Audio bit rate for stereo; mono gets half. (default: 128k)")
    var audioRate: BitRate?

    @OptionGroup var selection: AudioTrackOptions

    @Option(
        help: ArgumentHelp(
            "Keep the first audio track in each of these languages, the first one as the default: eng,deu.",
            valueName: "codes"))
    var audioLanguages: String?

    @Flag(help: "Keep all audio tracks, or all in the --audio-languages.")
    var allAudio = false

    @Flag(name: [.customLong("no-audio"), .customLong("no-sound")], help: "Drop the audio.")
    var noAudio = false

    private var track: Int? { selection.track }

    func validate() throws {
        let given = [
            ("--loudness", loudness != nil), ("--audio-rate", audioRate != nil), ("--track", track != nil),
            ("--audio-languages", audioLanguages != nil), ("--all-audio", allAudio),
        ]
        if noAudio, let option = given.first(where: \.1)?.0 {
            throw ValidationError("\(option) has no effect with --no-audio")
        }
        if track != nil, let option = given.dropFirst(3).first(where: \.1)?.0 {
            throw ValidationError("--track selects one audio track, \(option) several")
        }
    }

    private var languages: [String] {
        audioLanguages?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    var settings: AudioSettings {
        var settings = AudioSettings(
            loudness: loudness, track: track, languages: languages, keepsAll: allAudio, isDropped: noAudio)
        if let audioRate { settings.bitRate = audioRate.value }
        return settings
    }
}
