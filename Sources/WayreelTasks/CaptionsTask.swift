public import WayreelCore
internal import WayreelVideo

/// What captions are made from.
public struct CaptionsOptions: Hashable, Sendable, Codable {
    /// The language of the subtitles to take from a video, as ISO 639 or BCP 47; nil for those without a language.
    public var language: String?
    public var limits: VideoLimits

    public init(language: String? = nil, limits: VideoLimits = .standard) {
        self.language = language
        self.limits = limits
    }
}

/// Writes captions as WebVTT, from a SubRip or WebVTT file or from the text subtitles of a video.
public struct CaptionsTask: MediaTask {
    public var input: String
    public var output: String
    public var options: CaptionsOptions

    public init(input: String, output: String, options: CaptionsOptions = CaptionsOptions()) {
        self.input = input
        self.output = output
        self.options = options
    }

    public var outputs: [String] { [output] }
    public var maxSeconds: Double { options.limits.seconds }

    public func makePipeline() throws(MediaError) -> CaptionsPipeline { CaptionsPipeline(options) }
}

/// Runs captions tasks.
public struct CaptionsPipeline: MediaPipeline {
    let options: CaptionsOptions

    init(_ options: CaptionsOptions) { self.options = options }

    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: CaptionsTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context) { (report) throws(MediaError) in
            let cues = try context.step(.read) { () throws(MediaError) in
                try CaptionCues.read(task.input, language: options.language, limits: options.limits, task: context)
            }
            try context.step(.write) { () throws(MediaError) in
                let text = Array(WebVTT.text(cues).utf8)
                let sink = try OutputSink.opening(task.output, ifExists: ifExists)
                try sink.write(text)
                try sink.finish()
                report.output.bytes = text.count
            }
        }
    }
}
