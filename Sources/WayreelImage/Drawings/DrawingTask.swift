public import WayreelCore
internal import WayreelDrawing

/// How large an SVG drawing is drawn.
public struct DrawingOptions: Hashable, Sendable, Codable {
    /// The size in pixels, of the drawing's own shape: what it leaves is transparent.
    public var size: PixelSize
    /// What identifies the library that draws, so that another version draws anew.
    public var library: String
    public var limits: Limits

    public init(size: PixelSize, library: String, limits: Limits = .standard) {
        self.size = size
        self.library = library
        self.limits = limits
    }

    /// The longest side of a drawing in pixels.
    package static let longest = 8192
}

/// Draws an SVG document to a PNG.
public struct DrawingTask: MediaTask {
    public var input: String
    public var output: String
    public var options: DrawingOptions

    public init(input: String, output: String, options: DrawingOptions) {
        self.input = input
        self.output = output
        self.options = options
    }

    public var outputs: [String] { [output] }
    public var maxSeconds: Double { options.limits.seconds }
    /// librsvg draws in one call.
    public var isolationNeed: IsolationNeed { .work }

    public func check() throws(MediaError) {
        guard options.size.longerSide <= DrawingOptions.longest else {
            throw MediaError(
                .limit, step: .draw, reason: "a drawing of \(options.size) is too large",
                advice: "its longer side may have \(DrawingOptions.longest) pixels")
        }
        try options.limits.check(size: options.size)
    }

    public func makePipeline() throws(MediaError) -> DrawingPipeline { DrawingPipeline(options) }
}

/// Runs tasks of drawings.
public struct DrawingPipeline: MediaPipeline {
    let options: DrawingOptions

    init(_ options: DrawingOptions) { self.options = options }

    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: DrawingTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context) { (report) throws(MediaError) in
            try task.check()
            let document = try context.step(.read) { () throws(MediaError) in
                try SVGDocument(path: task.input, task: context)
            }
            report.input.bytes = (try? FileStatus(task.input))?.byteCount
            let surface = try context.step(.draw) { () throws(MediaError) in
                try document.draw(size: options.size)
            }
            try context.check()
            try context.step(.write) { () throws(MediaError) in
                let sink = try AtomicOutput(task.output, ifExists: ifExists)
                try surface.writePNG(to: sink)
                try sink.finish()
            }
            report.output.format = "png"
            (report.output.width, report.output.height) = (options.size.width, options.size.height)
            report.output.bytes = (try? FileStatus(task.output))?.byteCount
        }
    }
}
