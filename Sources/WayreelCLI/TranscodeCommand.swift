internal import ArgumentParser
internal import Wayreel

struct TranscodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcode",
        abstract: "Makes videos ready for phones and the web: MP4 or HLS, posters, plans.",
        discussion: """
            One video for one screen; what complies already is taken over as it is:
              wayreel transcode in.mov -o out.mp4 --screen iphone-4s
            Many of them, with posters and a report:
              wayreel transcode *.mp4 *.webm -o clips/ --screen iphone-15 --poster --report report.json
            Smaller, slower, evenly loud; as good as asked for; as small as asked for:
              wayreel transcode in.mov -o out.mp4 --crf 21 --preset medium --max-fps 30 --loudness -16
              wayreel transcode in.mov -o out.mp4 --quality high
              wayreel transcode in.mov -o out.mp4 --max-bytes 8MB
            From one moment to another, to the frame:
              wayreel transcode in.mov -o out.mp4 --start 1:30 --end 00:02:10.5
            HLS in several qualities:
              wayreel transcode in.mov -o hls/ --hls --ladder auto
              wayreel validate hls/
            With subtitles, beside those that are in it:
              wayreel transcode in.mov -o hls/ --hls --subtitles film.srt:en --subtitles film-de.srt:de
            With audio in two languages; with all that there is, as HLS:
              wayreel transcode in.mov -o out.mp4 --audio-languages eng,deu
              wayreel transcode in.mov -o hls/ --hls --all-audio
            With a filter, a logo and a text:
              wayreel transcode in.mov -o out.mp4 --filter sepia-tone:intensity=0.6 \\
                --overlay badge.png@south-east+16+16 --text "Day 2"
            What would be done, and why:
              wayreel transcode in.mov --plan --screen iphone-4s
            Through a pipe:
              cat in.mov | wayreel transcode - -o - > out.mp4

            Exit status: 0 all done, 1 some failed, 2 wrong usage.
            """)

    @Argument(help: "The videos: whatever FFmpeg decodes, by content; - for standard input.")
    var inputs: [String]

    @Option(
        name: [.short, .long],
        help: """
            A file, a folder (with / at its end, or for several inputs), or - for standard output; with --hls the folder \
            itself.
            """)
    var output: String?

    @Flag(help: "Make a JPEG beside each video: the picture that stands for it.")
    var poster = false

    @Flag(help: "Tell what would be done to each stream, and why, and do nothing.")
    var plan = false

    @Flag(help: "Print the plan as JSON.")
    var json = false

    @OptionGroup(title: "Part") var part: RangeOptions
    @OptionGroup(title: "Framing") var framing: VideoFramingOptions
    @OptionGroup(title: "Encoding") var encoding: VideoEncodingOptions
    @OptionGroup(title: "Sound") var sound: VideoSoundOptions
    @OptionGroup(title: "Subtitles") var subtitles: SubtitleOptions
    @OptionGroup(title: "HLS") var streaming: StreamingOptions
    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Limits") var limits: VideoLimitOptions
    @OptionGroup(title: "Isolation") var isolation: IsolationOptions

    @Option(help: "What damage fails a video: none, missing (over a quarter of it), warning (any).")
    var failOn: DamageTolerance = .standard

    @Flag(
        inversion: .prefixedNo,
        help: "Keep what is finished of an interrupted video and go on from there. (default: over ten minutes)")
    var resume: Bool?

    @OptionGroup(title: "Running") var running: RunningOptions

    func validate() throws {
        if json, !plan { throw ValidationError("--json prints a plan; add --plan") }
        if plan, running.report != nil { throw ValidationError("--plan does nothing that could be reported") }
        if output == nil, !plan { throw ValidationError("name the output with -o") }
        if !streaming.hls, !isPlaylist, let option = streaming.firstGiven {
            throw ValidationError("\(option) is for HLS; add --hls")
        }
        if streaming.hls || isPlaylist, encoding.rate != nil {
            throw ValidationError(
                "the bit rates of HLS are those of its ladder; leave --crf, --quality and --max-bytes out")
        }
        if output == "-", poster { throw ValidationError("a poster does not go into standard output beside the video") }
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
        try outputs.makeFolders()
        try running.checkReport(outputs)
        let run = await running.run(batch)
        try running.writeReport(run)
        try Outcome.check(run.reports)
    }

    private func options() throws -> TranscodeOptions {
        let recipe = try look.loadRecipe(seconds: limits.maxSeconds)
        let framing = try self.framing.framing(over: recipe)
        let filters = try look.filters(over: recipe)
        let overlays = try look.overlays(over: recipe)
        let picture = encoding.settings(background: self.framing.background, filters: filters, overlays: overlays)
        let limits = limits.limits()
        return TranscodeOptions(
            framing: framing, video: picture, audio: sound.settings, subtitles: subtitles.settings,
            delivery: makesHLS ? .hls(streaming.settings) : .mp4,
            poster: poster
                ? PosterOptions(
                    framing: framing, filters: filters, overlays: overlays, background: picture.background,
                    limits: limits) : nil,
            isResumable: resume, range: part.range, limits: limits, tolerance: failOn)
    }
}

// MARK: Where the outputs go

extension TranscodeCommand {
    /// The master playlist is named by where its folder is.
    private static let masterPlaylist = "master.m3u8"
    private static let fileExtensions: Set = ["mp4", "m4v"]

    private var isPlaylist: Bool { output.flatMap { Encoding.Format.ending(of: $0) } == "m3u8" }
    private var makesHLS: Bool { streaming.hls || isPlaylist }

    private static func isFileName(_ name: String) -> Bool {
        Encoding.Format.ending(of: name).map { fileExtensions.contains($0) || $0 == "m3u8" } ?? false
    }

    /// The video and, where it is asked for, its poster.
    private func targets() throws(MediaError) -> [OutputPlan.Target] {
        let place = try place()
        let takesMany = OutputPlan.takesFolder(place, inputs: inputs)
        if makesHLS {
            let folder = OutputPlan.Target(place: place, kind: .folder)
            return poster ? [folder, OutputPlan.Target(place: place, kind: .fileInFolder("poster.jpg"))] : [folder]
        }
        let film = OutputPlan.Target(place: place, kind: .file(extension: "mp4"))
        guard poster else { return [film] }
        return [
            film,
            OutputPlan.Target(place: takesMany ? place : place.replacingEnding("jpg"), kind: .file(extension: "jpg")),
        ]
    }

    /// Throws a `parameter` error for a name that says it is something else.
    private func place() throws(MediaError) -> String {
        guard let output else { return "-" }
        let fault = { (reason: String, advice: String) in
            MediaError(.parameter, step: "plan", subject: output, reason: reason, advice: advice)
        }
        if makesHLS {
            guard output != "-" else {
                throw fault("HLS is a folder of files, which do not go into standard output", "name a folder with -o")
            }
            guard isPlaylist else { return output }
            guard inputs.count == 1, output.hasSuffix("/\(Self.masterPlaylist)") else {
                throw fault(
                    "HLS is a folder, whose first playlist is \(Self.masterPlaylist)", "name the folder with -o")
            }
            return String(output.dropLast(Self.masterPlaylist.count))
        }
        guard output != "-", !OutputPlan.takesFolder(output, inputs: inputs) else { return output }
        guard let ending = Encoding.Format.ending(of: output), Self.fileExtensions.contains(ending) else {
            throw fault("videos become .mp4 files", "end the name with .mp4, or add --hls for a folder of HLS")
        }
        return output
    }
}

extension String {
    /// The path with another extension, or with one where it had none.
    func replacingEnding(_ ending: String) -> String {
        let start = lastIndex(of: "/").map { index(after: $0) } ?? startIndex
        guard let dot = self[start...].lastIndex(of: "."), dot != start else { return "\(self).\(ending)" }
        return "\(self[..<dot]).\(ending)"
    }
}
