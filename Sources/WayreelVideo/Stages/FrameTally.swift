package import WayreelCore

/// Counts decoded frames by result: each is written, or dropped for a reason.
package struct FrameTally: Equatable {
    package var decoded = 0
    /// The number of frames that are dropped by the plan or because their timestamps do not increase: outside of the
    /// range, above the frame rate limit, or before the chunk with which an interrupted run resumes.
    package var dropped = 0
    /// The number of additional copies of frames that are shown for long.
    package var repeated = 0

    package init() {}

    /// Warns if the encoder of a rendition has written a different number of frames than expected.
    package func check(written: [Int], _ task: TaskContext) {
        let expected = decoded - dropped + repeated
        guard let count = written.first(where: { $0 != expected }) else { return }
        task.warn("encode", "frames that should have been written: \(expected); written: \(count)")
    }
}
