public import WayreelCore

/// What is told of a task while it is worked on.
public enum TaskEvent: Sendable {
    /// A thread has taken it up.
    case started
    /// A few times a second, by pipelines whose work takes long.
    case progress(TaskProgress)
    /// The last.
    case finished(TaskReport)
}
