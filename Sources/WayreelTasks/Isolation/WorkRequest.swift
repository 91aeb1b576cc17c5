internal import FoundationEssentials
internal import Synchronization
internal import WayreelCore
internal import WayreelFace
internal import WayreelImage
internal import WayreelLevels
internal import WayreelVideo

/// A request to a worker process, with an answer.
protocol WorkRequest: Codable, SendableMetatype {
    associatedtype Answer: Codable & SendableMetatype

    /// Max wall time.
    var maxSeconds: Double { get }
    /// The output files, whose unfinished versions are removed if the process is ended.
    var outputs: [String] { get }
    /// Whether the request reads this process's standard input.
    var readsStandardInput: Bool { get }

    /// Runs in the worker.
    func execute(_ session: WorkSession) throws(MediaError) -> Answer
}

extension WorkRequest {
    var outputs: [String] { [] }
    var readsStandardInput: Bool { false }
    /// A worker inherits the standard streams for one request only.
    var needsStreams: Bool { readsStandardInput || outputs.contains("-") }
}

/// The worker's state for a request.
struct WorkSession {
    let cancellation: Cancellation
    let progress: @Sendable (TaskProgress) -> Void
    let pipelines: KeptPipeline
}

/// A request as sent: one line of JSON.
struct WorkEnvelope<Request: WorkRequest>: Codable {
    var kind: String
    var request: Request
    /// Max private memory of the process in bytes.
    var memoryBytes: Int?
    /// Whether its report includes a trace.
    var isTraced: Bool

    init(_ request: Request, memoryBytes: Int?) {
        kind = WorkKinds.name(of: Request.self)
        self.request = request
        self.memoryBytes = memoryBytes
        isTraced = TraceRecorder.isWanted
    }
}

/// A message from a worker: one line of JSON.
enum WorkMessage<Answer: Codable & SendableMetatype>: Codable {
    /// Heartbeat: the work has recently checked for cancellation.
    case isAlive
    case progress(TaskProgress)
    /// Ends a request. The CPU time is that of the whole process since its previous answer.
    case answer(Answer, cpuMilliseconds: Double)
    /// Ends a failed request.
    case failure(MediaError, cpuMilliseconds: Double)
}

/// The requests by the name under which they are sent.
enum WorkKinds {
    private static let all: [any WorkRequest.Type] = [
        TaskRequest<CaptureTask>.self, TaskRequest<LevelsTask>.self, TaskRequest<TranscodeTask>.self,
        TaskRequest<PosterTask>.self, TaskRequest<CaptionsTask>.self, TaskRequest<QualityTask>.self,
        TaskRequest<FontTask>.self, TaskRequest<IconsTask>.self, TaskRequest<ShareImageTask>.self,
        OptionsRequest<CaptureTask>.self, OptionsRequest<LevelsTask>.self, OptionsRequest<TranscodeTask>.self,
        OptionsRequest<PosterTask>.self, OptionsRequest<CaptionsTask>.self, OptionsRequest<QualityTask>.self,
        OptionsRequest<FontTask>.self, OptionsRequest<IconsTask>.self, OptionsRequest<ShareImageTask>.self,
        TaskRequest<DrawingTask>.self, OptionsRequest<DrawingTask>.self,
        PrepareRequest.self, MeasureRequest.self, ProbeRequest.self, PlanRequest.self, VersionRequest.self,
    ]

    static func name(of kind: any WorkRequest.Type) -> String { "\(kind)" }

    /// `others`: tasks of modules that not every worker has.
    static func named(_ name: String, others: [any MediaTask.Type]) -> (any WorkRequest.Type)? {
        (all + others.flatMap { requests(of: $0) }).first { self.name(of: $0) == name }
    }

    private static func requests<Work: MediaTask>(of task: Work.Type) -> [any WorkRequest.Type] {
        [TaskRequest<Work>.self, OptionsRequest<Work>.self]
    }
}

/// JSON of work, in which a number may be infinite or no number: between two processes, and of stored jobs.
package enum WorkJSON {
    private static let special = (plus: "+inf", minus: "-inf", none: "nan")

    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: special.plus, negativeInfinity: special.minus, nan: special.none)
        return try [UInt8](encoder.encode(value))
    }

    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: special.plus, negativeInfinity: special.minus, nan: special.none)
        return try decoder.decode(type, from: Data(bytes))
    }
}

/// Runs a task.
struct TaskRequest<Work: MediaTask>: WorkRequest {
    var task: Work
    var ifExists: ExistingOutput
    var threads: Int

    var maxSeconds: Double { task.maxSeconds }
    var outputs: [String] { task.outputs }
    var readsStandardInput: Bool { task.input == "-" }

    func execute(_ session: WorkSession) throws(MediaError) -> TaskReport {
        do {
            return try session.pipelines.pipeline(for: task).run(
                task, ifExists: ifExists, threads: threads, cancellation: session.cancellation,
                progress: session.progress)
        } catch {
            return TaskReport(failed: task, error)
        }
    }
}

/// Creates the pipeline of a task and keeps it for the following tasks, so that errors in its options are found before
/// any work starts.
struct OptionsRequest<Work: MediaTask>: WorkRequest {
    struct Answer: Codable {}

    var task: Work

    var maxSeconds: Double { task.maxSeconds }

    func execute(_ session: WorkSession) throws(MediaError) -> Answer {
        _ = try session.pipelines.pipeline(for: task)
        return Answer()
    }
}

/// The pipeline that a worker used last. Tasks of a batch usually share their options.
final class KeptPipeline: Sendable {
    private let kept = Mutex<(key: Key, pipeline: any Sendable)?>(nil)

    private struct Key: Hashable, @unchecked Sendable {
        /// The options of a task, which are `Sendable`.
        var options: AnyHashable
        /// A stamp for each file that the options name; a changed file is read again.
        var files: [FileStamp?]
    }

    func pipeline<Work: MediaTask>(for task: Work) throws(MediaError) -> Work.Pipeline {
        let key = Key(options: AnyHashable(task.options), files: task.namedFiles.map { FileStamp(of: $0) })
        if let known = kept.withLock({ $0?.key == key ? $0?.pipeline as? Work.Pipeline : nil }) { return known }
        // Made outside the lock, because it may read files: two threads may make the same, but none waits.
        let made = try task.makePipeline()
        kept.withLock { $0 = (key, made) }
        return made
    }
}
