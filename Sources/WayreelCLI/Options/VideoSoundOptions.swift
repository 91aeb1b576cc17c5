internal import ArgumentParser
internal import Wayreel

/// The sound of a video.
struct VideoSoundOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "Bring the whole to so many LUFS: -16. (default: as it is)")
    var loudness: Double?

    @Option(help: "Bits a second of two channels; one gets half. (default: 128k)")
    var soundRate: BitRate?

    @Option(help: "Which sound track of a file, from 1. (default: the one that the file prefers)")
    var track: Int?

    @Flag(help: "Leave the sound out.")
    var noSound = false

    func validate() throws {
        let given = [
            ("--loudness", loudness != nil), ("--sound-rate", soundRate != nil), ("--track", track != nil),
        ]
        if noSound, let option = given.first(where: \.1)?.0 {
            throw ValidationError("\(option) is for sound, and --no-sound leaves it out")
        }
        if let track, track < 1 { throw ValidationError("--track counts from 1") }
    }

    var settings: SoundSettings {
        var settings = SoundSettings(loudness: loudness, track: track, isDropped: noSound)
        if let soundRate { settings.bitRate = soundRate.value }
        return settings
    }
}
