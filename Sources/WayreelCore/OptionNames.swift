internal import Synchronization

/// The names of options in messages: messages are written with the command's flags, which only the command shows. Everywhere else
/// they name the library's options.
package enum OptionNames {
    private static let areFlags = Atomic<Bool>(false)

    /// Has messages of this process name flags. To be called by the command when it starts.
    package static func useFlags() { areFlags.store(true, ordering: .relaxed) }

    /// A message as this process shows it.
    package static func localized(_ message: String) -> String {
        guard !areFlags.load(ordering: .relaxed) else { return message }
        return options.reduce(message) { $0.replacing($1.flag, with: $1.option) }
    }

    /// A flag that begins with another one is before it.
    private static let options: [(flag: String, option: String)] = [
        ("--fail-on none", "tolerance .none"),
        ("--fail-on missing", "tolerance .standard"),
        ("--if-exists replace", "ifExists .replace"),
        ("--max-input-bytes", "limits.inputBytes"),
        ("--max-pixels", "limits.pixels"),
        ("--max-seconds", "limits.seconds"),
        ("--max-frames", "limits.frames"),
        ("--max-channels", "limits.channels"),
        ("--max-hours", "the limit of the length"),
        ("--max-memory", "Isolation.memoryBytes"),
        ("--max-silence", "Isolation.silence"),
        ("--max-bytes", "maxBytes"),
        ("--max-fps", "maxFrameRate"),
        ("--jobs", "a smaller WorkPool"),
        ("--page", "page"),
        ("--recipe", "a Recipe"),
        ("--format", "encoding.format"),
        ("--enlarge", "framing.enlarges"),
        ("--sample-rate", "sampleRate"),
        ("--rate", "rate"),
        ("--zoom", "zoom"),
        ("--track", "track"),
        ("--audio-languages", "languages"),
        ("--all-audio", "keepsAll"),
        ("--crf", "rate .factor"),
        ("--quality", "rate .quality"),
        ("--ladder", "HLSOptions.ladder"),
        ("--codec", "codec"),
        ("--start", "range.start"),
        ("--end", "range.end"),
        ("'wayreel filters'", "FilterCatalog"),
    ]
}
