internal import ArgumentParser
package import WayreelMedia

struct CaptureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Prepares camera captures for a screen: size, filters, overlays, format.",
        discussion: """
            Prepare a capture for a screen:
              wayreel capture photo.jpg -o out.jpg --screen iphone-4s
            Make a square thumbnail cropped to the salient region, for a 2× display:
              wayreel capture photo.jpg -o thumb.webp --screen 160x160 --dpr 2 --gravity attention
            Pad to a white canvas and trim the scanner's border:
              wayreel capture scan.tif -o out.jpg --screen 1200x800 --fit pad --background white --trim
            Add a filter, text and a logo:
              wayreel capture photo.jpg -o out.jpg --screen 960x640 \\
                --filter sepia-tone:intensity=0.8 --text "The Mission Bell" \\
                --overlay badge.png@north-east+16+16
            Prepare several with a recipe and a report:
              wayreel capture *.jpg *.heic -o prepared/ --screen iphone-15 \\
                --recipe old-postcard --format webp --report report.json
            Treat a player's capture as an event of a story says:
              wayreel capture photo.heic -o out.jpg --story story.xml --event bell-tower --screen iphone-15
            Through a pipe:
              cat a.jpg | wayreel capture - -o - --screen 640x960 --format png > b.png

            Exit status: 0 all done, 1 some failed, 2 wrong usage.
            """)

    @Argument(
        help: """
            Input images: JPEG, PNG, WebP, HEIC, AVIF, TIFF or any still image that FFmpeg decodes; - for standard \
            input.
            """,
        completion: .file())
    var inputs: [String]

    @Option(
        name: [.short, .long],
        help: "Output file, folder (with a trailing / or for several inputs), or - for standard output.",
        completion: .file())
    var output: String

    @OptionGroup(title: "Framing") var framing: FramingOptions
    @OptionGroup(title: "Effects") var effects: EffectOptions
    @OptionGroup(title: "Story") var storyEvent: StoryEventOptions
    @OptionGroup(title: "Encoding") var encoding: EncodingOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @Option(
        help: """
            Which page of a TIFF, frame of an animation (GIF, WebP, APNG, JPEG XL, AVIF), image of an icon or HEIF file, from 1 \
            on. (default: what the file shows by itself)
            """)
    var page: Int?

    @OptionGroup(title: "Isolation") var isolation: IsolationOptions
    @Option(help: "Damage that fails a capture: none, missing (over a quarter of the image), warning (any).")
    var failOn: DamageTolerance = .standard

    @OptionGroup(title: "Running") var running: RunningOptions

    func validate() throws {
        if let page, page < 1 { throw ValidationError("--page takes a positive number") }
        if storyEvent.event != nil, effects.recipe != nil {
            throw ValidationError("--event brings a recipe of its own; remove --recipe")
        }
    }

    func run() async throws {
        let recipe = try storyEvent.loadRecipe() ?? effects.loadRecipe(seconds: limits.maxSeconds)
        let format = try encoding.format(recipe: recipe, output: output, inputs: inputs)
        let options = try CaptureOptions(
            framing: framing.framing(over: recipe), background: framing.background ?? recipe.output.background,
            filters: effects.filters(over: recipe),
            overlays: effects.overlays(over: recipe), encoding: encoding.encoding(format, over: recipe),
            limits: limits.limits(), tolerance: failOn, page: page)
        try await running.capture(
            inputs, to: output, as: format, options, isolation.isolation(),
            besides: effects.files(options.overlays, options.filters) + [storyEvent.story])
    }
}

extension RunningOptions {
    /// Prepares captures as images of `format`. Throws unless all are done.
    package func capture(
        _ inputs: [String], to output: String, as format: Encoding.Format, _ options: CaptureOptions,
        _ isolation: Isolation?, besides others: [String?]
    ) async throws {
        let plan = try OutputPlan(images: inputs, to: output, as: format)
        let batch = try CaptureBatch(
            plan.files.map { CaptureTask(input: $0.input, output: $0.outputs[0], options: options) },
            isolation: isolation, cancellation: Interrupt.cancellation)
        try await ExitReason.check(run(batch, plan, besides: others))
    }
}
