public import WayreelCore

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
    /// The command's argument with which it runs tasks: `wayreel` has those of this module, and others hand it to
    /// `wayreel-full`.
    package var argument = "worker"

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

extension OptionName {
    public static let maxMemory = OptionName(rawValue: "Isolation.memoryBytes")
    public static let heartbeatTimeout = OptionName(rawValue: "Isolation.heartbeatTimeout")
    public static let workers = OptionName(rawValue: "a smaller WorkPool")

    /// All of this module.
    package static let ofTasks: [OptionName] = [.maxMemory, .heartbeatTimeout, .workers]
}
