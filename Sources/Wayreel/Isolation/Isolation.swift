/// Work in a process of its own for each task, so that a decoder that crashes, hangs or takes all memory fails that task and
/// no other, and so that what a task cost is known exactly.
public struct Isolation: Hashable, Sendable {
    /// The `wayreel` command, by its path.
    public var executable: String
    /// What one process may hold in memory, in bytes; nil: as much as there is.
    public var memoryBytes: Int?
    /// Seconds without a sign of life after which a process is ended.
    public var silence: Double

    public init(executable: String, memoryBytes: Int? = nil, silence: Double = 60) {
        self.executable = executable
        self.memoryBytes = memoryBytes
        self.silence = silence
    }
}
