internal import ArgumentParser
internal import WayreelMedia

struct PosterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poster",
        abstract: "Makes a poster image of a video.",
        discussion: """
            Choose the most representative frame, neither black nor blurred, upright and in sRGB:
              wayreel poster in.mov -o poster.jpg --screen iphone-4s
            Use the frame at a given time:
              wayreel poster in.mov -o poster.webp --at 00:00:05
            Make posters of several videos:
              wayreel poster *.mp4 -o posters/ --screen iphone-15 --format avif

            Exit status: 0 all done, 1 some failed, 2 wrong usage.
            """)

    @Argument(
        help: "Input videos: anything that FFmpeg decodes, detected by content; - for standard input.",
        completion: .file())
    var inputs: [String]

    @Option(
        name: [.short, .long],
        help: "Output file, folder (with a trailing / or for several inputs), or - for standard output.",
        completion: .file())
    var output: String

    @Option(
        parsing: .unconditional,
        help: "Time of the frame: 5, 1:30 or 00:01:30.5. (default: the most representative frame)")
    var at: Moment?

    @OptionGroup(title: "Framing") var framing: VideoFramingOptions
    @OptionGroup(title: "Effects") var effects: EffectOptions
    @OptionGroup(title: "Encoding") var encoding: EncodingOptions
    @OptionGroup(title: "Limits") var limits: VideoLimitOptions
    @OptionGroup(title: "Isolation") var isolation: IsolationOptions
    @OptionGroup(title: "Running") var running: RunningOptions

    func run() async throws {
        let recipe = try effects.loadRecipe(seconds: limits.maxSeconds)
        let format = try encoding.format(recipe: recipe, output: output, inputs: inputs)
        var options = PosterOptions(
            time: at?.seconds, framing: try framing.framing(over: recipe),
            encoding: try encoding.encoding(format, over: recipe), filters: try effects.filters(over: recipe),
            overlays: try effects.overlays(over: recipe), limits: limits.limits())
        if let background = framing.background { options.background = background }
        let plan = try OutputPlan(images: inputs, to: output, as: format)
        let batch = try PosterBatch(
            plan.files.map { PosterTask(input: $0.input, output: $0.outputs[0], options: options) },
            isolation: isolation.isolation(ofVideos: inputs, limits), cancellation: Interrupt.cancellation)
        let others = effects.files(options.overlays, options.filters)
        try await ExitReason.check(running.run(batch, plan, besides: others))
    }
}
