internal import WayreelAV
internal import WayreelCore

/// A file that is opened, on a thread of its own, for who will need it soon.
final class PreopenedFile: Sendable {
    private let opened = BoundedQueue<MediaFile>(limit: 1)
    private let thread: WorkThread?

    init(_ source: AudioSource, limits: VideoLimits, watch: TaskWatch) {
        let own = watch.companion()
        thread = try? WorkThread("open") { [opened] in
            if let file = try? MediaFile(source, limits: limits, watch: own) { _ = opened.put(file) }
            opened.finish()
            own.countHelper()
        }
    }

    deinit { thread?.join() }

    /// Waits for the file; nil where it cannot be opened, which whoever opens it again is told the reason of.
    func file() -> MediaFile? { thread == nil ? nil : try? opened.take() }
}
