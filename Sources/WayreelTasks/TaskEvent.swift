public import WayreelCore

/// An event of a running task.
public enum TaskEvent: Sendable {
    /// A thread has started the task.
    case started
    /// A few times per second, from pipelines with long tasks.
    case progress(TaskProgress)
    /// Always the last event.
    case finished(TaskReport)
}

extension TaskEvent {
    /// Whether later progress supersedes the event.
    var isProgress: Bool { if case .progress = self { true } else { false } }
}
