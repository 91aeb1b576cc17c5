internal import ArgumentParser
internal import WayreelMedia

struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Reports the properties of media files: colour and metadata of images, streams of audio and video.",
        discussion: """
            An image: format, size, orientation, colour, metadata:
              wayreel probe photo.heic
            A video: streams, rotation, HDR, frame rate, length, whether phones can play it without re-encoding, and why not:
              wayreel probe in.mov
            Several files as JSON:
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
        var findings = FileResults<Finding>(asJSON: json)
        let probe = IsolatedProbe(Isolation(executable: Isolation.ownExecutable, scope: .whereNeeded))
        for file in files {
            findings.add(file) { () throws(MediaError) in
                let found = try probe.probe(
                    path: file, limits: limits.limits(), videoLimits: videoLimits,
                    cancellation: Interrupt.cancellation)
                return switch found {
                case .image(let image): (Finding(image: image), image.description)
                case .media(let media): (Finding(media: media), media.description)
                }
            }
        }
        try findings.print()
    }

    private struct Finding: Encodable {
        var image: ImageProbe?
        var media: MediaProbe?
    }
}
