internal import ArgumentParser
internal import Wayreel

/// HLS: a folder of playlists and segments in several qualities.
struct StreamingOptions: ParsableArguments {
    @Flag(help: "Make a folder of HLS: fragmented MP4 in several qualities, I-frame playlists, a preview.")
    var hls = false

    @Option(help: "The qualities: auto, or as in 960x540@2000,640x360@365, in pixels and kb/s. (default: auto)")
    var ladder: Ladder?

    @Option(help: "Seconds of a segment, a multiple of 2. (default: 6)")
    var segmentSeconds: Double?

    @Flag(help: "Encrypt the segments by AES-128, with a new key.")
    var encrypt = false

    @Option(help: "Where players are to ask for the key. (default: the file beside the playlists)")
    var keyAddress: String?

    @Option(help: "Seconds between the small pictures of the preview. (default: 5)")
    var previewEvery: Double?

    @Flag(help: "Make no preview.")
    var noPreview = false

    func validate() throws {
        if keyAddress != nil, !encrypt { throw ValidationError("--key-address has no meaning without --encrypt") }
        if previewEvery != nil, noPreview {
            throw ValidationError("--preview-every and --no-preview exclude one another")
        }
    }

    /// The first option that was given, which has no meaning for one file.
    var firstGiven: String? {
        let given = [
            ("--ladder", ladder != nil), ("--segment-seconds", segmentSeconds != nil), ("--encrypt", encrypt),
            ("--preview-every", previewEvery != nil), ("--no-preview", noPreview),
        ]
        return given.first(where: \.1)?.0
    }

    var settings: HLSOptions {
        var settings = HLSOptions(ladder: ladder?.rungs, isEncrypted: encrypt, keyURI: keyAddress)
        if let segmentSeconds { settings.segmentSeconds = segmentSeconds }
        if let previewEvery { settings.previewInterval = previewEvery }
        if noPreview { settings.previewInterval = nil }
        return settings
    }
}

/// `auto`, or sizes and kilobits per second: `960x540@2000,640x360@365`.
struct Ladder: ExpressibleByArgument {
    /// nil: by the source.
    let rungs: [LadderRung]?

    init?(argument: String) {
        guard argument != "auto" else {
            rungs = nil
            return
        }
        var rungs: [LadderRung] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "@", omittingEmptySubsequences: false)
            guard halves.count == 2, let box = PixelSize(halves[0]), let kilobits = Double(halves[1]),
                (1...1_000_000).contains(kilobits)
            else { return nil }
            rungs.append(LadderRung(box: box, bitRate: Int((kilobits * 1000).rounded())))
        }
        self.rungs = rungs
    }
}
