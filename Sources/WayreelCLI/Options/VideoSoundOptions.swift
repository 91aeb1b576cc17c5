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

    @Option(
        help: ArgumentHelp(
            "Keep the first audio track in each of these languages, the first one as the default: eng,deu.",
            valueName: "codes"))
    var audioLanguages: String?

    @Flag(help: "Keep all audio tracks, or all in the --audio-languages.")
    var allAudio = false

    @Flag(help: "Leave the sound out.")
    var noSound = false

    func validate() throws {
        let given = [
            ("--loudness", loudness != nil), ("--sound-rate", soundRate != nil), ("--track", track != nil),
            ("--audio-languages", audioLanguages != nil), ("--all-audio", allAudio),
        ]
        if noSound, let option = given.first(where: \.1)?.0 {
            throw ValidationError("\(option) is for sound, and --no-sound leaves it out")
        }
        if track != nil, let option = given.dropFirst(3).first(where: \.1)?.0 {
            throw ValidationError("--track keeps one audio track, and \(option) several")
        }
        if let track, track < 1 { throw ValidationError("--track counts from 1") }
    }

    private var languages: [String] {
        audioLanguages?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    var settings: AudioSettings {
        var settings = AudioSettings(
            loudness: loudness, track: track, languages: languages, keepsAll: allAudio, isDropped: noSound)
        if let soundRate { settings.bitRate = soundRate.value }
        return settings
    }
}
