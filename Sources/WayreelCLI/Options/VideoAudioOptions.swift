internal import ArgumentParser
internal import WayreelMedia

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
