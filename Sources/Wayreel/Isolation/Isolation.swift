/// Work in processes of their own, so that a decoder that crashes, hangs or takes all memory fails its task and no other.
public struct Isolation: Hashable, Sendable {
    /// Which tasks run in such a process.
    public enum Scope: Hashable, Sendable {
        case everyTask
        /// Those in which a library does its work in one call that neither a time limit nor a cancellation ends: images other
        /// than JPEG, PNG and WebP, AVIF as output, texts, and what comes through a pipe, which cannot be looked at before.
        case whereNeeded
    }

    /// The `wayreel` command, by its path.
    public var executable: String
    /// What one process may hold in memory, in bytes; nil: as much as there is.
    public var memoryBytes: Int?
    /// Seconds without a sign of life after which a process is ended.
    public var silence: Double
    public var scope: Scope
    /// After so many tasks, one after the other, a process is replaced by a new one; 1: each task has its own.
    public var tasksPerProcess: Int

    public init(
        executable: String, memoryBytes: Int? = nil, silence: Double = 60, scope: Scope = .everyTask,
        tasksPerProcess: Int = 100
    ) {
        self.executable = executable
        self.memoryBytes = memoryBytes
        self.silence = silence
        self.scope = scope
        self.tasksPerProcess = tasksPerProcess
    }
}

/// What of a task has to run in a process of its own, for a time limit to end it.
public enum IsolationNeed: Int, Comparable, Sendable {
    case none
    /// Its work.
    case work
    /// Also the making of its pipeline.
    case pipeline

    public static func < (a: IsolationNeed, b: IsolationNeed) -> Bool { a.rawValue < b.rawValue }
}
