internal import ArgumentParser
internal import Wayreel

struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Tells what Wayreel sees in a file: of a picture its colours and metadata, of a video its streams.",
        discussion: """
            A picture: format, size, orientation, colour, metadata:
              wayreel probe photo.heic
            A video: streams, rotation, HDR, frame rate, length, whether phones play it as it is, and why not:
              wayreel probe in.mov
            Many, for a program:
              wayreel probe --json *.jpg *.mp4
            """)

    @Argument(help: "The files; - for standard input.", completion: .file())
    var files: [String]

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() throws {
        var videoLimits = VideoLimits.standard
        if let pixels = limits.maxPixels { videoLimits.pixels = pixels.value }
        if let seconds = limits.maxSeconds { videoLimits.seconds = seconds }
        var findings = FileFindings<Finding>(asJSON: json)
        let probe = IsolatedProbe(Isolation(executable: Isolation.ownExecutable, scope: .whereNeeded))
        for file in files {
            findings.add(file) { () throws(MediaError) in
                let found = try probe.probe(
                    path: file, limits: limits.limits(), videoLimits: videoLimits,
                    cancellation: Interrupt.cancellation)
                return switch found {
                case .picture(let picture): (Finding(picture: picture), picture.description)
                case .media(let media): (Finding(media: media), media.description)
                }
            }
        }
        try findings.print()
    }

    private struct Finding: Encodable {
        var picture: PictureProbe?
        var media: MediaProbe?
    }
}
