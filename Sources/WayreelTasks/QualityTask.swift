internal import FoundationEssentials
internal import WayreelAV
public import WayreelCore
public import WayreelImage
public import WayreelVideo

/// Measures the size and similarity of smaller encodings of one output. The task's output is a ``QualityLadder`` in
/// JSON.
public struct QualityTask: MediaTask {
    /// The task whose output is measured.
    public enum Options: Hashable, Sendable, Codable {
        case image(CaptureOptions)
        case poster(PosterOptions)
        /// A transcode to MP4 or HLS.
        case transcode(TranscodeOptions)

        public init(from decoder: any Decoder) throws {
            let options = try CaseDecoder(decoder)
            self =
                switch options.name {
                case "image": .image(try options.value())
                case "poster": .poster(try options.value())
                case "transcode": .transcode(try options.value())
                default: throw options.unknownName
                }
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .image(let options): try encoder.encode(case: "image", options)
            case .poster(let options): try encoder.encode(case: "poster", options)
            case .transcode(let options): try encoder.encode(case: "transcode", options)
            }
        }
    }

    /// A path.
    public var input: String
    public var output: String
    public var options: Options

    public init(input: String, output: String, options: Options) {
        self.input = input
        self.output = output
        self.options = options
    }

    public var outputs: [String] { [output] }

    public var maxSeconds: Double {
        switch options {
        case .image(let options): options.limits.seconds * Double(QualityLadder.imageQualities.count)
        case .poster(let options): options.limits.seconds
        case .transcode(let options): options.limits.seconds
        }
    }

    private var images: (filters: [Filter], overlays: [Overlay], encoding: Encoding?) {
        switch options {
        case .image(let options): (options.filters, options.overlays, options.encoding)
        case .poster(let options): (options.filters, options.overlays, options.encoding)
        case .transcode(let options): (options.video.filters, options.video.overlays, nil)
        }
    }

    public var namedFiles: [String] { images.overlays.imagePaths + images.filters.flatMap(\.files) }

    public var isolationNeed: IsolationNeed {
        max(IsolationNeed(of: images.overlays), images.encoding.map { IsolationNeed(of: $0) } ?? .none)
    }

    public var inputNeedsIsolation: Bool {
        guard case .image(let options) = options else { return true }
        return FileHead.isUninterruptibleImage(input, choosesPage: options.page != nil)
    }

    public func makePipeline() throws(MediaError) -> QualityPipeline { try QualityPipeline(options) }
}

/// Runs measurements of one kind of output.
public struct QualityPipeline: MediaPipeline {
    private enum Kind {
        case image(CapturePipeline)
        case poster(PosterPipeline)
        case transcode(TranscodeOptions)
    }

    private let options: QualityTask.Options
    private let kind: Kind

    /// Checks the options in the same way as the pipeline that makes the output.
    init(_ options: QualityTask.Options) throws(MediaError) {
        self.options = options
        switch options {
        case .image(let options): kind = .image(try CapturePipeline(options))
        case .poster(let options): kind = .poster(try PosterPipeline(options))
        case .transcode(let options): kind = .transcode(options)
        }
    }

    public func run(
        _ task: QualityTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: task.maxSeconds, threads: threads, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context) { (report) throws(MediaError) in
            let ladder = try measure(task.input, threads: threads, context)
            let json: Data
            do { json = try JSONEncoder().encode(ladder) } catch {
                throw MediaError(.encoding, step: .quality, reason: "\(error)")
            }
            try OutputFile.write([UInt8](json), to: task.output, ifExists: ifExists)
            report.output.bytes = json.count
        }
    }

    private func measure(_ input: String, threads: Int, _ context: TaskContext) throws(MediaError) -> QualityLadder {
        switch kind {
        case .image(let pipeline):
            let encoding = pipeline.options.encoding
            let bytes = try MediaBytes.read(path: input, limit: pipeline.options.limits.inputBytes, task: context)
            return QualityLadder(try pipeline.measure(bytes, qualities: qualities(below: encoding), task: context))
        case .poster(let pipeline):
            let encoding = pipeline.options.encoding
            return QualityLadder(
                try pipeline.measure(
                    MediaInput(input, raw: nil), qualities: qualities(below: encoding), threads: threads, task: context)
            )
        case .transcode(let options):
            let found = try TranscodeQualities.measured(
                of: MediaInput(input, raw: nil), options, threads: threads, task: context)
            return found.map { QualityLadder($0) } ?? QualityLadder(isExact: false, steps: [])
        }
    }

    private func qualities(below encoding: Encoding) -> [Int] {
        QualityLadder.imageQualities.filter { $0 <= encoding.quality - 4 }
    }
}

/// The possible encodings of an output: the first as its task specifies, each further one smaller.
public struct QualityLadder: Hashable, Sendable, Codable {
    public enum Setting: Hashable, Sendable, Codable {
        /// The settings of the task.
        case asPlanned
        /// The quality of JPEG, WebP or AVIF, 1 to 100.
        case quality(Int)
        case crf(Double)
        /// Bits per second for two channels.
        case audioBitRate(Int)
        /// The renditions of HLS.
        case ladder([LadderRung])

        public init(from decoder: any Decoder) throws {
            let setting = try CaseDecoder(decoder)
            self =
                switch setting.name {
                case "asPlanned": .asPlanned
                case "quality": .quality(try setting.member("quality"))
                case "crf": .crf(try setting.member("crf"))
                case "audioBitRate": .audioBitRate(try setting.member("audioBitRate"))
                case "ladder": .ladder(try setting.member("ladder"))
                default: throw setting.unknownName
                }
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .asPlanned: _ = try encoder.container(ofCase: "asPlanned")
            case .quality(let quality): try encoder.encode(case: "quality", "quality", quality)
            case .crf(let crf): try encoder.encode(case: "crf", "crf", crf)
            case .audioBitRate(let rate): try encoder.encode(case: "audioBitRate", "audioBitRate", rate)
            case .ladder(let rungs): try encoder.encode(case: "ladder", "ladder", rungs)
            }
        }
    }

    public struct Step: Hashable, Sendable, Codable {
        public var setting: Setting
        /// The size of the file, or of all files of HLS.
        public var bytes: Int
        /// The SSIM of the luma, for HLS the mean of its renditions; for audio the noise-to-mask ratio on the same
        /// scale from 0 to 1, which is no loss.
        public var similarity: Double
    }

    /// The size of the output, for HLS of its largest rendition; nil for audio.
    public var size: PixelSize?
    /// The duration of audio and video.
    public var seconds: Double?
    /// Whether ``Step/bytes`` are the exact sizes that the task will write; otherwise they are estimated from excerpts.
    public var isExact: Bool
    public var steps: [Step]

    /// The image qualities to try, below the requested one.
    static let imageQualities = [76, 70, 64, 58, 52, 46, 40, 34, 28, 24, 20]

    init(size: PixelSize? = nil, seconds: Double? = nil, isExact: Bool, steps: [Step]) {
        self.size = size
        self.seconds = seconds
        self.isExact = isExact
        self.steps = Array(steps.prefix(1))
        // A step must be smaller than the one before it.
        for step in steps.dropFirst() where step.bytes < self.steps[self.steps.count - 1].bytes {
            self.steps.append(step)
        }
    }

    init(_ image: ImageQualities) {
        let steps = image.readings.enumerated().map { index, reading in
            Step(
                setting: index == 0 ? .asPlanned : reading.quality.map { .quality($0) } ?? .asPlanned,
                bytes: reading.bytes, similarity: reading.similarity)
        }
        self.init(size: image.size, isExact: true, steps: steps)
    }

    init(_ file: TranscodeQualities) {
        let steps = file.readings.map { reading in
            let setting: Setting =
                switch reading.rate {
                case .asPlanned: .asPlanned
                case .crf(let crf): .crf(crf)
                case .audio(let bitRate): .audioBitRate(bitRate)
                case .ladder(let rungs): .ladder(rungs)
                }
            return Step(setting: setting, bytes: reading.bytes, similarity: reading.similarity)
        }
        self.init(size: file.size, seconds: file.seconds, isExact: false, steps: steps)
    }
}
