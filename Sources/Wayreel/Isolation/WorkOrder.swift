internal import FoundationEssentials
internal import WayreelCore

/// Something that a worker process is asked to do, and answers.
protocol WorkOrder: Codable, SendableMetatype {
    associatedtype Answer: Codable & SendableMetatype

    /// Wall time that it may take.
    var secondsAtMost: Double { get }
    /// The files that it makes, of which nothing unfinished may stay when its process is ended.
    var outputs: [String] { get }
    /// Whether it reads this process's standard input.
    var readsStandardInput: Bool { get }

    /// Does the work, in the worker.
    func carryOut(_ session: WorkSession) throws(MediaError) -> Answer
}

extension WorkOrder {
    var outputs: [String] { [] }
    /// A worker has the standard streams of the process that started it for one order only.
    var needsStreams: Bool { readsStandardInput || outputs.contains("-") }
}

/// What an order has to do with in the worker.
struct WorkSession {
    let cancellation: Cancellation
    let progress: @Sendable (TaskProgress) -> Void
    let pipelines: KeptPipeline
}

/// One order as it is sent: a line of JSON.
struct WorkLetter<Order: WorkOrder>: Codable {
    var kind: String
    var order: Order
    /// Private memory that the process may take, in bytes.
    var memoryBytes: Int?
    /// Whether its report is to have a trace.
    var isTraced: Bool

    init(_ order: Order, memoryBytes: Int?) {
        kind = WorkKinds.name(of: Order.self)
        self.order = order
        self.memoryBytes = memoryBytes
        isTraced = TraceRecorder.isWanted
    }
}

/// What a worker says: a line of JSON for each.
enum WorkMessage<Answer: Codable & SendableMetatype>: Codable {
    /// The work has lately looked whether it is to stop.
    case isAlive
    case progress(TaskProgress)
    /// The last of an order. The processor time is that of the whole process since its last answer.
    case answer(Answer, cpuMilliseconds: Double)
    /// Instead of an answer.
    case failure(MediaError, cpuMilliseconds: Double)
}

/// The kinds of orders that a worker knows by name.
enum WorkKinds {
    private static let all: [any WorkOrder.Type] = [
        TaskOrder<CaptureTask>.self, TaskOrder<LevelsTask>.self, TaskOrder<TranscodeTask>.self,
        TaskOrder<PosterTask>.self, OptionsOrder<CaptureTask>.self, OptionsOrder<LevelsTask>.self,
        OptionsOrder<TranscodeTask>.self, OptionsOrder<PosterTask>.self, PrepareOrder.self, ProbeOrder.self,
    ]

    static func name(of kind: any WorkOrder.Type) -> String { "\(kind)" }

    static func named(_ name: String) -> (any WorkOrder.Type)? { all.first { self.name(of: $0) == name } }
}

/// The JSON between two processes of the same version.
enum WorkJSON {
    private static let special = (plus: "+inf", minus: "-inf", none: "nan")

    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: special.plus, negativeInfinity: special.minus, nan: special.none)
        return try [UInt8](encoder.encode(value))
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: special.plus, negativeInfinity: special.minus, nan: special.none)
        return try decoder.decode(type, from: Data(bytes))
    }
}
