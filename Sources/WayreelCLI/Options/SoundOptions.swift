internal import ArgumentParser
internal import Wayreel

/// What of an input is heard, and how long it may be.
struct SoundOptions: ParsableArguments {
    @Option(help: "Which sound track of a file, from 1. (default: the one that the file prefers)")
    var track: Int?

    @Option(
        help: "Samples without a header, as ENCODING:RATE:CHANNELS: s16le:44100:2, f32le:48000:1, mulaw:8000:1, …",
        transform: { (text) throws in try RawAudioFormat(parsing: text) })
    var raw: RawAudioFormat?

    @Option(
        help: ArgumentHelp(
            "Resample the audio before its levels are read, to so many samples a second: 1000 to 768000. (default: none)",
            valueName: "hz"))
    var sampleRate: Int?

    @Option(help: "Seconds of work on one sound, at most. (default: 3600)")
    var maxSeconds: Double?

    @Option(help: "Hours that a sound may last, at most. (default: 168)")
    var maxHours: Double?

    @Option(help: "Channels, at most. (default: 64)")
    var maxChannels: Int?

    func validate() throws {
        for (name, value) in [("max-seconds", maxSeconds), ("max-hours", maxHours)] {
            if let value, !(value > 0 && value.isFinite) {
                throw ValidationError("--\(name) takes a number above 0")
            }
        }
        if let maxChannels, maxChannels < 1 { throw ValidationError("--max-channels takes a number above 0") }
        if let track, track < 1 { throw ValidationError("--track counts from 1") }
        if let sampleRate, !LevelsOptions.sampleRates.contains(sampleRate) {
            throw ValidationError("--sample-rate takes 1000 to 768000")
        }
        if raw != nil, track != nil { throw ValidationError("raw samples have no tracks; leave --track out") }
    }

    func limits() -> AudioLimits {
        let standard = AudioLimits.standard
        return AudioLimits(
            soundSeconds: maxHours.map { $0 * 3600 } ?? standard.soundSeconds, seconds: maxSeconds ?? standard.seconds,
            channels: maxChannels ?? standard.channels)
    }
}
