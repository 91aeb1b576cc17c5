internal import ArgumentParser
internal import WayreelMedia
internal import WayreelCore

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Checks HLS folders against RFC 8216 and Apple's authoring rules, including segment contents.",
        discussion: """
            wayreel validate hls/
            wayreel validate hls/master.m3u8 --json
            wayreel validate hls/ --deep
            wayreel validate hls/ --key 00112233445566778899aabbccddeeff

            Exit status: 0 valid, 1 violations, 2 wrong usage.
            """)

    @Argument(
        help: "The folders, or the master playlists in them. Nothing outside of a folder is opened.",
        completion: .directory)
    var folders: [String]

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Also fail on recommendations.")
    var strict = false

    @Flag(help: "Decode all frames and audio to find damage inside segments. Recommended before publishing.")
    var deep = false

    @Option(help: "Key of encrypted segments if it is not in the folder: 32 hexadecimal digits.")
    var key: SegmentKeyText?

    @Option(help: "Max seconds per folder. (default: 86400)")
    var maxSeconds: Double?

    func validate() throws { try requirePositive("--max-seconds", maxSeconds) }

    func run() throws {
        let validator = HLSValidator(key: key?.bytes, isDeep: deep, threads: WorkPool.availableCores)
        var isBroken = false
        var findings = FileResults<HLSValidation>(asJSON: json)
        for folder in folders {
            findings.add(folder) { () throws(MediaError) in
                let result = try validator.validate(
                    folder, seconds: maxSeconds ?? VideoLimits.standard.seconds, cancellation: Interrupt.cancellation)
                if !result.isValid || strict && !result.violations.isEmpty { isBroken = true }
                return (result, Self.page(result))
            }
        }
        try findings.print()
        if isBroken { throw ExitReason.failed }
    }

    private static func page(_ result: HLSValidation) -> String {
        let errors = result.violations.count { $0.severity == .error }
        let others = result.violations.count - errors
        let verdict =
            (errors == 0 ? "valid" : errors.counted("error"))
            + (others == 0 ? "" : ", " + others.counted("recommendation"))
        let extent =
            "\(result.playlists.counted("playlist")), \(result.segments.counted("segment")), "
            + "\(result.seconds.formatted(3)) s"
        return (result.violations.map(\.description) + ["\(extent): \(verdict)"]).joined(separator: "\n")
    }
}

/// 16 bytes as hexadecimal digits.
struct SegmentKeyText: ExpressibleByArgument {
    let bytes: [UInt8]

    init?(argument: String) {
        guard let bytes = [UInt8](hexadecimal: argument), bytes.count == 16 else { return nil }
        self.bytes = bytes
    }
}
