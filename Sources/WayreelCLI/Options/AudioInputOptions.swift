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
