internal import ArgumentParser
internal import WayreelMedia

/// The audio track of an input, and limits for it.
struct AudioInputOptions: ParsableArguments {
    @Option(help: "Audio track, from 1. (default: the file's default track)")
    var track: Int?

    @Option(
        help: "Format of headerless PCM, as ENCODING:RATE:CHANNELS: s16le:44100:2, f32le:48000:1, mulaw:8000:1, …",
        transform: { (text) throws in try RawAudioFormat(parsing: text) })
    var raw: RawAudioFormat?

    @Option(
        help: ArgumentHelp(
            "Resample to this rate before measuring: 1000 to 768000. (default: none)",
            valueName: "hz"))
    var sampleRate: Int?

    @Option(help: "Max seconds of work per input. (default: 3600)")
    var maxSeconds: Double?

    @Option(help: "Max duration of an input in hours. (default: 168)")
    var maxHours: Double?

    @Option(help: "Max channels. (default: 64)")
    var maxChannels: Int?

    func validate() throws {
        for (name, value) in [("max-seconds", maxSeconds), ("max-hours", maxHours)] {
            if let value, !(value > 0 && value.isFinite) {
                throw ValidationError("--\(name) takes a positive number")
            }
        }
        if let maxChannels, maxChannels < 1 { throw ValidationError("--max-channels takes a positive number") }
        if let track, track < 1 { throw ValidationError("--track counts from 1") }
        if let sampleRate, !LevelsOptions.sampleRates.contains(sampleRate) {
            throw ValidationError("--sample-rate takes 1000 to 768000")
        }
        if raw != nil, track != nil { throw ValidationError("raw audio has no tracks; remove --track") }
    }

    func limits() -> AudioLimits {
        let standard = AudioLimits.standard
        return AudioLimits(
            audioSeconds: maxHours.map { $0 * 3600 } ?? standard.audioSeconds, seconds: maxSeconds ?? standard.seconds,
            channels: maxChannels ?? standard.channels)
    }
}
