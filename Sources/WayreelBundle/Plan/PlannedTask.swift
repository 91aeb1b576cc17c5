public import WayreelCore
public import WayreelFace
public import WayreelGround
public import WayreelImage
public import WayreelLevels
public import WayreelVideo

/// One task of a plan: its input and outputs, their uses in the bundle, and its expected cost.
public struct PlannedTask: Hashable, Sendable, Codable {
    /// The SHA-256 of everything that the outputs depend on: the content of the inputs, the parameters, and the
    /// versions of Wayreel and of the libraries.
    public var key: String
    public var kind: Kind
    /// The work to run. It writes its outputs to a folder of its own; they then move to the addresses of their content.
    public var work: BundleWork
    public var outputs: [Output]
    /// The uses of its outputs in the bundle.
    public var uses: [Use]
    public var predicted: Prediction
    /// The amount of work, from which the cost is predicted.
    var cost: CostModel.Work
    /// Whether the bundle already holds the outputs.
    public var isReused: Bool
    /// The finished task in the bundle, if it is reused. It is not encoded with the plan.
    var finished: FinishedTask?

    private enum CodingKeys: String, CodingKey {
        case key, kind, work, outputs, uses, predicted, cost, isReused
    }

    /// Returns the task marked as reused.
    func reusing(_ finished: FinishedTask) -> PlannedTask {
        var task = self
        task.isReused = true
        task.finished = finished
        task.predicted = Prediction(seconds: 0, bytes: finished.bytes, memoryBytes: 0)
        return task
    }

    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case image, preview, audio, levels, video, stream, poster, captions, copy, font, icons, share, map
        case drawing
    }

    public struct Output: Hashable, Sendable, Codable {
        public var role: MediaRole
        /// The name of the file within the task's folder; for HLS, of the folder.
        public var name: String
        /// The IANA media type.
        public var type: String
        /// If the output is a folder, the file in it to open first; a folder of tiles has none.
        public var entry: String?

        /// Whether it is a folder whose files have addresses of their own, so that an update has only those that changed.
        var isSet: Bool { role == .tile }
    }

    /// One use of a task's outputs in the bundle.
    public struct Use: Hashable, Sendable, Codable {
        /// The path of the source in the story's folder; empty for what is drawn of the story's texts alone.
        public var source: String
        /// The screen's name; nil if the file serves all screens.
        public var screen: String?
        /// The camera event whose treatment the preview or file belongs to.
        public var event: String?
        /// The languages of the story that need it; nil for all.
        public var languages: [String]?
        /// The chapter whose own base map it belongs to.
        public var chapter: String?
    }

    /// Adds a use. A use that is there already is then for the languages of both.
    mutating func add(_ use: Use) {
        let same = uses.firstIndex {
            ($0.source, $0.screen, $0.event, $0.chapter) == (use.source, use.screen, use.event, use.chapter)
        }
        guard let same else { return uses.append(use) }
        guard let known = uses[same].languages, let further = use.languages else {
            uses[same].languages = nil
            return
        }
        uses[same].languages = known + further.filter { !known.contains($0) }
    }

    /// The expected cost of a task.
    public struct Prediction: Hashable, Sendable, Codable {
        /// The processor time.
        public var seconds: Double
        /// The size of all outputs.
        public var bytes: Int
        /// The peak memory.
        public var memoryBytes: Int
    }
}

/// A task of any kind that creates files of a bundle.
public enum BundleWork: Hashable, Sendable, Codable {
    case capture(CaptureTask)
    case levels(LevelsTask)
    case transcode(TranscodeTask)
    case poster(PosterTask)
    case captions(CaptionsTask)
    case copy(CopyTask)
    case font(FontTask)
    case icons(IconsTask)
    case share(ShareImageTask)
    case map(GroundTask)
    case drawing(DrawingTask)

    /// Returns the task with its paths replaced.
    func moved(input: String, outputs: [String]) -> BundleWork {
        func moved<Task: MediaTask>(_ task: Task, _ output: WritableKeyPath<Task, String>) -> Task {
            var task = task
            (task.input, task[keyPath: output]) = (input, outputs[0])
            return task
        }
        switch self {
        case .capture(let task): return .capture(moved(task, \.output))
        case .levels(let task): return .levels(LevelsTask(input: input, outputs: outputs, options: task.options))
        case .transcode(let task): return .transcode(moved(task, \.output))
        case .poster(let task): return .poster(moved(task, \.output))
        case .captions(let task): return .captions(moved(task, \.output))
        case .copy(let task): return .copy(moved(task, \.output))
        case .font(let task): return .font(moved(task, \.output))
        case .icons(var task):
            (task.input, task.outputs) = (input, outputs)
            return .icons(task)
        case .share(let task): return .share(moved(task, \.output))
        case .map(let task): return .map(moved(task, \.output))
        case .drawing(let task): return .drawing(moved(task, \.output))
        }
    }

    public var task: any MediaTask {
        switch self {
        case .capture(let task): task
        case .levels(let task): task
        case .transcode(let task): task
        case .poster(let task): task
        case .captions(let task): task
        case .copy(let task): task
        case .font(let task): task
        case .icons(let task): task
        case .share(let task): task
        case .map(let task): task
        case .drawing(let task): task
        }
    }

    /// Reads `{"type": "capture", "input": …, "output": …, "options": …}`.
    public init(from decoder: any Decoder) throws {
        let work = try CaseDecoder(decoder)
        self =
            switch work.name {
            case "capture": .capture(try work.value())
            case "levels": .levels(try work.value())
            case "transcode": .transcode(try work.value())
            case "poster": .poster(try work.value())
            case "captions": .captions(try work.value())
            case "copy": .copy(try work.value())
            case "font": .font(try work.value())
            case "icons": .icons(try work.value())
            case "share": .share(try work.value())
            case "map": .map(try work.value())
            case "drawing": .drawing(try work.value())
            default: throw work.unknownName
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .capture(let task): try encoder.encode(case: "capture", task)
        case .levels(let task): try encoder.encode(case: "levels", task)
        case .transcode(let task): try encoder.encode(case: "transcode", task)
        case .poster(let task): try encoder.encode(case: "poster", task)
        case .captions(let task): try encoder.encode(case: "captions", task)
        case .copy(let task): try encoder.encode(case: "copy", task)
        case .font(let task): try encoder.encode(case: "font", task)
        case .icons(let task): try encoder.encode(case: "icons", task)
        case .share(let task): try encoder.encode(case: "share", task)
        case .map(let task): try encoder.encode(case: "map", task)
        case .drawing(let task): try encoder.encode(case: "drawing", task)
        }
    }
}

/// A task that copies a file unchanged.
public struct CopyTask: MediaTask {
    public struct Options: Hashable, Sendable, Codable {
        public var limits: Limits

        public init(limits: Limits = .standard) { self.limits = limits }
    }

    public var input: String
    public var output: String
    public var options: Options

    public init(input: String, output: String, options: Options = Options()) {
        self.input = input
        self.output = output
        self.options = options
    }

    public var outputs: [String] { [output] }
    public var maxSeconds: Double { options.limits.seconds }

    public func makePipeline() throws(MediaError) -> CopyPipeline { CopyPipeline(options) }
}

/// Runs copy tasks.
public struct CopyPipeline: MediaPipeline {
    let options: CopyTask.Options

    init(_ options: CopyTask.Options) { self.options = options }

    public func run(
        _ task: CopyTask, ifExists: ExistingOutput, threads: Int, cancellation: Cancellation
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context) { (report) throws(MediaError) in
            let bytes = try MediaBytes.read(path: task.input, limit: options.limits.inputBytes, task: context)
            let sink = try AtomicOutput(task.output, ifExists: ifExists)
            try sink.write(bytes.buffer)
            try sink.finish()
            report.input.bytes = bytes.count
            report.output.bytes = bytes.count
        }
    }
}
