public import WayreelCore
internal import WayreelImage

/// Runs tasks in child processes, so that a decoder that crashes, hangs or exhausts memory fails only its own task.
public struct Isolation: Hashable, Sendable {
    /// The tasks that run in a child process.
    public enum Scope: Hashable, Sendable {
        case everyTask
        /// Tasks with a library call that no deadline or cancellation can interrupt: input images other than JPEG, PNG,
        /// GIF, WebP and HEIF of small tiles, AVIF output, text, and input from a pipe, whose format is unknown.
        case whereNeeded
    }

    /// Path of the running program, for use if that is the `wayreel` command. It remains valid if the file has been
    /// replaced meanwhile.
    package static let ownExecutable = "/proc/self/exe"

    /// The min memory limit in bytes. With less memory than a process needs to start, every task would fail.
    package static let minMemoryBytes = 50_000_000

    /// Path of the `wayreel` command.
    public var executable: String
    /// Max resident memory of a process in bytes; nil for no limit.
    public var memoryBytes: Int?
    /// Max seconds without a heartbeat before a process is ended.
    public var heartbeatTimeout: Double
    public var scope: Scope
    /// Number of tasks after which a process is replaced; 1 runs each task in a new process.
    public var tasksPerProcess: Int

    public init(
        executable: String, memoryBytes: Int? = nil, heartbeatTimeout: Double = 60, scope: Scope = .everyTask,
        tasksPerProcess: Int = 100
    ) {
        self.executable = executable
        self.memoryBytes = memoryBytes
        self.heartbeatTimeout = heartbeatTimeout
        self.scope = scope
        self.tasksPerProcess = tasksPerProcess
    }
}

/// The part of a task that must run in a child process for a time limit to end it.
public enum IsolationNeed: Int, Comparable, Sendable {
    case none
    /// Running the task needs a child process.
    case work
    /// Creating the task's pipeline needs a child process too.
    case pipeline

    public static func < (a: IsolationNeed, b: IsolationNeed) -> Bool { a.rawValue < b.rawValue }
}

extension IsolationNeed {
    /// Text layout is one call of Pango, which also checks the font when the pipeline is created. Decoding an overlay
    /// image may be one call too.
    init(of overlays: [Overlay]) {
        let isUninterruptible =
            overlays.contains(where: \.isText) || overlays.imagePaths.contains(where: FileHead.isUninterruptibleImage)
        self = isUninterruptible ? .pipeline : .none
    }

    /// AVIF encoding is one call.
    init(of encoding: Encoding) { self = encoding.format == .avif ? .work : .none }
}

extension Overlay {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}

extension FileHead {
    /// Returns whether the image at `path` is decoded by calls that cannot be interrupted. False for pipes and missing
    /// files. `choosesPage` is true if the task selects a page other than the primary one.
    static func isUninterruptibleImage(_ path: String, choosesPage: Bool) -> Bool {
        withFirstBytes(of: path) { ImageProbe.isUninterruptible(beginningWith: $0, choosesPage: choosesPage) }
            ?? isPipe(path)
    }

    /// Returns whether the primary image at `path` is decoded by calls that cannot be interrupted.
    static func isUninterruptibleImage(_ path: String) -> Bool {
        isUninterruptibleImage(path, choosesPage: false)
    }
}

extension MediaError.Step {
    public static let iterate = MediaError.Step(rawValue: "iterate")
}

extension OptionName {
    public static let maxMemory = OptionName(rawValue: "Isolation.memoryBytes")
    public static let heartbeatTimeout = OptionName(rawValue: "Isolation.heartbeatTimeout")
    public static let workers = OptionName(rawValue: "a smaller WorkPool")

    /// All of this module.
    package static let ofTasks: [OptionName] = [.maxMemory, .heartbeatTimeout, .workers]
}
