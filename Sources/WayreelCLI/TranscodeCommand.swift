internal import ArgumentParser
internal import WayreelCore
internal import WayreelMedia

struct TranscodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcode",
        abstract: "Transcodes videos for phones and the web: MP4 or HLS, with posters and plans.",
        discussion: """
            Transcode for a screen; compliant streams are copied without re-encoding:
              wayreel transcode in.mov -o out.mp4 --screen iphone-4s
            Transcode several videos, with posters and a report:
              wayreel transcode *.mp4 *.webm -o clips/ --screen iphone-15 --poster --report report.json
            Choose CRF, preset and loudness; a quality; or a file size:
              wayreel transcode in.mov -o out.mp4 --crf 21 --preset medium --max-fps 30 --loudness -16
              wayreel transcode in.mov -o out.mp4 --quality high
              wayreel transcode in.mov -o out.mp4 --max-bytes 8MB
            Cut a section, exact to the frame:
              wayreel transcode in.mov -o out.mp4 --start 1:30 --end 00:02:10.5
            Write HLS in several renditions:
              wayreel transcode in.mov -o hls/ --hls --ladder auto
              wayreel validate hls/
            Add subtitles to the video's own:
              wayreel transcode in.mov -o hls/ --hls --subtitles video.srt:en --subtitles video-de.srt:de
            Keep audio in two languages; keep all audio tracks in HLS:
              wayreel transcode in.mov -o out.mp4 --audio-languages eng,deu
              wayreel transcode in.mov -o hls/ --hls --all-audio
            Add a filter, a logo and text:
              wayreel transcode in.mov -o out.mp4 --filter sepia-tone:intensity=0.6 \\
                --overlay badge.png@south-east+16+16 --text "Day 2"
            Show the plan without transcoding:
              wayreel transcode in.mov --plan --screen iphone-4s
            Use pipes:
              cat in.mov | wayreel transcode - -o - > out.mp4

            Exit status: 0 all done, 1 some failed, 2 wrong usage.
            """)

    @Argument(
        help: "Input videos: anything that FFmpeg decodes, detected by content; - for standard input.",
        completion: .file())
    var inputs: [String]

    @Option(
        name: [.short, .long],
        help: """
            Output file, folder (with a trailing / or for several inputs), or - for standard output; with --hls the folder \
            itself.
            """, completion: .file())
    var output: String?

    @Flag(help: "Also write a poster as JPEG beside each video.")
    var poster = false

    @Flag(help: "Print what would be done to each stream, and why, without transcoding.")
    var plan = false

    @Flag(help: "Print the plan as JSON.")
    var json = false

    @OptionGroup(title: "Section") var part: RangeOptions
    @OptionGroup(title: "Framing") var framing: VideoFramingOptions
    @OptionGroup(title: "Encoding") var encoding: VideoEncodingOptions
    @OptionGroup(title: "Audio") var audio: VideoAudioOptions
    @OptionGroup(title: "Subtitles") var subtitles: SubtitleOptions
    @OptionGroup(title: "HLS") var streaming: StreamingOptions
    @OptionGroup(title: "Effects") var effects: EffectOptions
    @OptionGroup(title: "Limits") var limits: VideoLimitOptions
    @OptionGroup(title: "Isolation") var isolation: IsolationOptions

    @Option(help: "Damage that fails a video: none, missing (over a quarter of it), warning (any).")
    var failOn: DamageTolerance = .standard

    @Flag(
        inversion: .prefixedNo,
        help:
            "Keep finished chunks of an interrupted video and resume from them. (default: for videos over ten minutes)")
    var resume: Bool?

    @OptionGroup(title: "Running") var running: RunningOptions

    func validate() throws {
        if json, !plan { throw ValidationError("--json requires --plan") }
        if plan, running.report != nil { throw ValidationError("--plan cannot be combined with --report") }
        if output == nil, !plan { throw ValidationError("an output is required: -o") }
        if !streaming.hls, !isPlaylist, let option = streaming.firstGiven {
            throw ValidationError("\(option) requires --hls")
        }
        if streaming.hls || isPlaylist, encoding.rate != nil {
            throw ValidationError(
                "the ladder determines the bit rates of HLS; remove --crf, --quality and --max-bytes")
        }
        if output == "-", poster { throw ValidationError("a poster cannot share standard output with the video") }
    }

    func run() async throws {
        let options = try options()
        guard !plan else { return try printPlans(options) }
        let outputs = try OutputPlan(inputs: inputs, targets: targets(), isFileName: Self.isFileName)
        let batch = try TranscodeBatch(
            outputs.files.map {
                TranscodeTask(
                    input: $0.input, output: $0.outputs[0], poster: $0.outputs.dropFirst().first, options: options)
            }, isolation: isolation.isolation(ofVideos: inputs, limits), cancellation: Interrupt.cancellation)
        let others =
            effects.files(options.video.overlays, options.video.filters) + subtitles.subtitles.map(\.file.path)
        try await ExitReason.check(running.run(batch, outputs, besides: others))
    }

    private func options() throws -> TranscodeOptions {
        let recipe = try effects.loadRecipe(seconds: limits.maxSeconds)
        let framing = try self.framing.framing(over: recipe)
        let filters = try effects.filters(over: recipe)
        let overlays = try effects.overlays(over: recipe)
        let video = encoding.settings(background: self.framing.background, filters: filters, overlays: overlays)
        let limits = limits.limits()
        return TranscodeOptions(
            framing: framing, video: video, audio: audio.settings, subtitles: subtitles.settings,
            delivery: makesHLS ? .hls(streaming.settings) : .mp4,
            poster: poster
                ? PosterOptions(
                    framing: framing, filters: filters, overlays: overlays, background: video.background,
                    limits: limits) : nil,
            isResumable: resume, range: part.range, limits: limits, tolerance: failOn)
    }

    // MARK: Output paths

    /// Name of the master playlist in an HLS folder.
    private static let masterPlaylist = "master.m3u8"
    private static let fileExtensions: Set = ["mp4", "m4v", "m4a"]

    private var isPlaylist: Bool { output?.fileExtension?.lowercased() == "m3u8" }
    private var makesHLS: Bool { streaming.hls || isPlaylist }

    private static func isFileName(_ name: String) -> Bool {
        name.fileExtension.map { fileExtensions.union(["m3u8"]).contains($0.lowercased()) } ?? false
    }

    /// Returns the video and, if requested, its poster.
    private func targets() throws(MediaError) -> [OutputPlan.Target] {
        let path = try path()
        let video = OutputPlan.Target(path: path, kind: makesHLS ? .folder : .file(extension: "mp4"))
        guard poster else { return [video] }
        let image =
            makesHLS || OutputPlan.takesFolder(path, inputs: inputs) ? path : path.replacingExtension(with: "jpg")
        return [
            video,
            OutputPlan.Target(
                path: image, kind: makesHLS ? .fileInFolder("poster.jpg") : .file(extension: "jpg")),
        ]
    }

    /// Returns the output path. Throws a `parameter` error if its extension contradicts the output type.
    private func path() throws(MediaError) -> String {
        guard let output else { return "-" }
        if makesHLS {
            guard output != "-" else {
                throw ErrorSite.usage(
                    of: output, "HLS is a folder and cannot be written to standard output", "choose a folder with -o")
            }
            guard isPlaylist else {
                if let type = output.fileExtension?.lowercased(), Self.fileExtensions.contains(type),
                    !OutputPlan.takesFolder(output, inputs: inputs)
                {
                    throw ErrorSite.usage(
                        of: output, "HLS is a folder, and this is the name of a file",
                        "choose a folder with -o, such as hls/")
                }
                return output
            }
            guard inputs.count == 1, output.hasSuffix("/\(Self.masterPlaylist)") else {
                throw ErrorSite.usage(
                    of: output, "HLS is a folder whose master playlist is named \(Self.masterPlaylist)",
                    "choose the folder with -o")
            }
            return String(output.dropLast(Self.masterPlaylist.count))
        }
        guard output != "-", !OutputPlan.takesFolder(output, inputs: inputs) else { return output }
        guard let ending = output.fileExtension?.lowercased(), Self.fileExtensions.contains(ending) else {
            throw ErrorSite.usage(
                of: output, "video outputs are .mp4 files, and audio alone .m4a",
                "use the extension .mp4, or add --hls for an HLS folder")
        }
        return output
    }

    // MARK: Plans

    /// Prints the plan of each input. Throws `ExitReason.failed` if any has none.
    private func printPlans(_ options: TranscodeOptions) throws {
        // The pipeline also checks the files that filters and overlays name.
        let task = TranscodeTask(
            input: inputs.first ?? "-", output: "-", poster: options.poster.map { _ in "poster.jpg" }, options: options)
        _ = try TranscodeBatch([task], isolation: isolation.isolation(), cancellation: Interrupt.cancellation)
        let planner = isolation.isolation(ofVideos: inputs, limits).map { IsolatedPlanner($0) }
        var findings = FileResults<Finding>(asJSON: json)
        for input in inputs {
            findings.add(input) { () throws(MediaError) in
                let plan =
                    if let planner {
                        try planner.plan(path: input, options, cancellation: Interrupt.cancellation)
                    } else {
                        try TranscodePlan.plan(path: input, options, cancellation: Interrupt.cancellation)
                    }
                return (Finding(plan: plan), plan.description)
            }
        }
        try findings.print()
    }

    private struct Finding: Encodable {
        var plan: TranscodePlan
    }
}
