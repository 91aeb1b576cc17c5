internal import WayreelAV
internal import WayreelCore

/// Opens a file on its own thread, ahead of its use.
final class PreopenedFile: Sendable {
    private let opened = BoundedQueue<Demuxer>(limit: 1)
    private let thread: WorkThread?

    init(_ source: MediaInput, limits: VideoLimits, task: TaskContext) {
        let own = task.child()
        thread = try? WorkThread("open") { [opened] in
            if let file = try? Demuxer(source, limits: limits, task: own) { _ = opened.put(file) }
            opened.finish()
            own.countThread()
        }
    }

    deinit { thread?.join() }

    /// Waits for the file. Returns nil if it cannot be opened: the caller then opens it again, which throws the
    /// reason.
    func file() -> Demuxer? { thread == nil ? nil : try? opened.take() }
}
