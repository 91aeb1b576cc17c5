internal import FoundationEssentials
internal import WayreelCore

/// What a process that works for another is told to do: one JSON document.
struct WorkOrder<Work: MediaTask>: Codable {
    var kind: String
    var task: Work
    var ifExists: ExistingOutput
    var threads: Int
    /// The process that the work is for.
    var parent: Int32
    /// Of private memory.
    var memoryBytes: Int?
    /// Whether its report is to have a trace.
    var isTraced: Bool

    init(_ task: Work, ifExists: ExistingOutput, threads: Int, parent: Int32, memoryBytes: Int?) {
        kind = WorkKinds.name(of: Work.self)
        self.task = task
        self.ifExists = ifExists
        self.threads = threads
        self.parent = parent
        self.memoryBytes = memoryBytes
        isTraced = TraceRecorder.isWanted
    }
}

/// What it says meanwhile: a line of JSON for each.
enum WorkMessage: Codable {
    /// The work has lately looked whether it is to stop.
    case isAlive
    case progress(TaskProgress)
    /// The last.
    case report(TaskReport)
}

/// The kinds of tasks that a process knows by name.
enum WorkKinds {
    private static let all: [any MediaTask.Type] = [
        CaptureTask.self, LevelsTask.self, TranscodeTask.self, PosterTask.self,
    ]

    static func name(of kind: any MediaTask.Type) -> String { "\(kind)" }

    static func named(_ name: String) -> (any MediaTask.Type)? { all.first { self.name(of: $0) == name } }
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
