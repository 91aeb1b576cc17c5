/// Result and cost of a task.
public struct TaskReport: Sendable, Codable {
    public enum Status: String, Sendable, Codable {
        case done
        /// The output existed and was kept (`--if-exists skip`).
        case skipped
        case failed
    }

    /// One step of a pipeline.
    public struct Step: Sendable, Codable {
        public var name: String
        /// Wall time.
        public var milliseconds: Double
        /// CPU time of the thread and its helpers; for video, of the whole process meanwhile.
        public var cpuMilliseconds: Double
    }

    /// An input or output of a task and its properties.
    public struct Media: Sendable, Codable {
        /// The path, or `-` for a pipe.
        public var path: String
        /// `jpeg`, `png`, `webp`, `heif`, …
        public var format: String?
        /// Width of an image or a video in pixels.
        public var width: Int?
        public var height: Int?
        /// Duration of audio or video.
        public var seconds: Double?
        /// Sample rate of audio in hertz.
        public var sampleRate: Int?
        /// Number of audio channels.
        public var channels: Int?
        /// The numbers of the audio tracks that hold one channel each, if they were read as one recording.
        public var joinedTracks: [Int]?
        public var bytes: Int?
        /// The quality, 1 to 100, that met a byte limit.
        public var quality: Int?

        public init(path: String, format: String? = nil, width: Int? = nil, height: Int? = nil, bytes: Int? = nil) {
            self.path = path
            self.format = format
            self.width = width
            self.height = height
            self.bytes = bytes
        }
    }

    /// The treatment of a video's stream, and the reason.
    public struct Stream: Sendable, Codable {
        public enum Action: String, Sendable, Codable {
            case copy, transcode, drop
        }

        /// Index of the stream in the file, from 0.
        public var index: Int
        public var kind: MediaStream.Kind
        public var action: Action
        public var reasons: [String]
        /// CRF of the encoded video; nil otherwise.
        public var crf: Double?

        public init(index: Int, kind: MediaStream.Kind, action: Action, reasons: [String], crf: Double? = nil) {
            self.index = index
            self.kind = kind
            self.action = action
            self.reasons = reasons
            self.crf = crf
        }
    }

    public var status: Status
    public var input: Media
    /// The first output; most tasks have only one.
    public var output: Media
    /// The outputs after the first.
    public var furtherOutputs: [Media]?
    public var steps: [Step]
    public var wallMilliseconds: Double
    /// The streams of a video.
    public var streams: [Stream]?
    /// CPU time of the threads that did the work; for video, and for work in a child process, of the whole process
    /// meanwhile.
    public var cpuMilliseconds: Double
    /// True if the CPU time of a video or a poster, and of its steps, includes other tasks that ran in this process at
    /// the same time. To tell them apart, run tasks in separate processes.
    public var cpuIsShared: Bool?
    /// The largest resident size of the whole process so far, in bytes; concurrent tasks in the process share it.
    public var peakMemoryBytes: Int
    public var warnings: [MediaWarning]
    /// The loudness of audio, if measured.
    public var loudness: Loudness?
    public var error: MediaError?
    /// Activity of the task's threads, if tracing was requested.
    public var trace: TaskTrace?

    public init(input: Media, output: Media, furtherOutputs: [Media]? = nil) {
        status = .done
        self.input = input
        self.output = output
        self.furtherOutputs = furtherOutputs
        steps = []
        wallMilliseconds = 0
        cpuMilliseconds = 0
        peakMemoryBytes = 0
        warnings = []
        error = nil
    }
}

/// Progress of a running task.
public struct TaskProgress: Hashable, Sendable, Codable {
    /// Seconds of output produced.
    public var seconds: Double
    /// 0 to 1; nil if the duration of the input is unknown.
    public var fraction: Double?
    /// Seconds of output produced per second of wall time.
    public var speed: Double
    /// Estimated wall time left in seconds; nil if ``fraction`` is nil.
    public var secondsLeft: Double?

    public init(seconds: Double, fraction: Double? = nil, speed: Double, secondsLeft: Double? = nil) {
        self.seconds = seconds
        self.fraction = fraction
        self.speed = speed
        self.secondsLeft = secondsLeft
    }
}

/// The activity of a task's threads.
public struct TaskTrace: Hashable, Sendable, Codable {
    /// Process ID.
    public var process: Int
    /// The spans in the order in which they ended.
    public var spans: [TraceSpan]
    /// Number of spans dropped over the limit.
    public var lost: Int

    public init(process: Int, spans: [TraceSpan], lost: Int = 0) {
        self.process = process
        self.spans = spans
        self.lost = lost
    }
}

/// A period of activity of a thread, such as a step of a task.
public struct TraceSpan: Hashable, Sendable, Codable {
    public var name: String
    /// Category for filtering in a viewer: `step`, `wait`.
    public var category: String
    /// Thread ID. Spans of one thread are nested or disjoint.
    public var thread: Int
    public var threadName: String
    /// Start on the monotonic clock.
    public var startMilliseconds: Double
    /// Wall time.
    public var milliseconds: Double
    /// CPU time of the thread; nil if not measured.
    public var cpuMilliseconds: Double?
    /// Further properties by name, such as the file and the size.
    public var details: [String: String]

    public init(
        name: String, category: String = "step", thread: Int, threadName: String, startMilliseconds: Double,
        milliseconds: Double, cpuMilliseconds: Double? = nil, details: [String: String] = [:]
    ) {
        self.name = name
        self.category = category
        self.thread = thread
        self.threadName = threadName
        self.startMilliseconds = startMilliseconds
        self.milliseconds = milliseconds
        self.cpuMilliseconds = cpuMilliseconds
        self.details = details
    }
}
