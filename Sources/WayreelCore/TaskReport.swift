/// What a task did and what it cost.
public struct TaskReport: Sendable, Codable {
    public enum Status: String, Sendable, Codable {
        case done
        /// The output was there already and was left as it is (`--if-exists skip`).
        case skipped
        case failed
    }

    /// One step of a pipeline.
    public struct Step: Sendable, Codable {
        public var name: String
        /// Wall time.
        public var milliseconds: Double
        /// Processor time: of the thread that did it and those that helped; of a video's of the whole process meanwhile.
        public var cpuMilliseconds: Double
    }

    /// One end of a task: a file and what is in it.
    public struct Media: Sendable, Codable {
        /// The path, or `-` for a pipe.
        public var path: String
        /// `jpeg`, `png`, `webp`, `heif`, …
        public var format: String?
        /// Of a picture, in pixels.
        public var width: Int?
        public var height: Int?
        /// Of a sound or a video.
        public var seconds: Double?
        /// Of a sound, per second.
        public var sampleRate: Int?
        /// Of a sound.
        public var channels: Int?
        public var bytes: Int?
        /// The quality, 1 to 100, that was found for a limit of bytes.
        public var quality: Int?

        public init(path: String, format: String? = nil, width: Int? = nil, height: Int? = nil, bytes: Int? = nil) {
            self.path = path
            self.format = format
            self.width = width
            self.height = height
            self.bytes = bytes
        }
    }

    /// What has become of one stream of a video, and why.
    public struct Stream: Sendable, Codable {
        public enum Action: String, Sendable, Codable {
            case copy, transcode, drop
        }

        /// The place of the stream in the file, from 0.
        public var index: Int
        public var kind: MediaStream.Kind
        public var action: Action
        public var reasons: [String]
        /// With which the pictures were encoded, where one was.
        public var rateFactor: Double?

        public init(index: Int, kind: MediaStream.Kind, action: Action, reasons: [String], rateFactor: Double? = nil) {
            self.index = index
            self.kind = kind
            self.action = action
            self.reasons = reasons
            self.rateFactor = rateFactor
        }
    }

    public var status: Status
    public var input: Media
    /// The first of the outputs, and the only one of most tasks.
    public var output: Media
    /// Those after the first.
    public var furtherOutputs: [Media]?
    public var steps: [Step]
    public var wallMilliseconds: Double
    /// Of a video.
    public var streams: [Stream]?
    /// Processor time of the threads that did the work; of a video, and of work in a process of its own, of the whole process
    /// meanwhile.
    public var cpuMilliseconds: Double
    /// True where the processor time of a video or a poster, and that of its steps, also counts other tasks that ran in this
    /// process at the same time. Run tasks in processes of their own to tell them apart.
    public var cpuIsShared: Bool?
    /// The largest resident size of the whole process so far, in bytes: tasks that ran side by side in it share it.
    public var peakMemoryBytes: Int
    public var warnings: [MediaWarning]
    /// Of a sound, where it was measured.
    public var loudness: Loudness?
    public var error: MediaError?
    /// What its threads did, where that was asked for.
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
