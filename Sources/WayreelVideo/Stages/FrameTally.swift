package import WayreelCore

/// Counts what becomes of decoded frames: each is written, or dropped for a reason.
package struct FrameTally: Equatable {
    package var decoded = 0
    /// Frames that are dropped by the plan or because their timestamps do not increase: outside of the range, above the frame rate
    /// limit, in front of the chunk that an interrupted run resumes with.
    package var dropped = 0
    /// Additional copies of frames that are shown for long.
    package var repeated = 0

    package init() {}

    /// Warns where the encoder of a rendition has written another number of frames than expected.
    package func check(written: [Int], _ task: TaskContext) {
        let expected = decoded - dropped + repeated
        guard let count = written.first(where: { $0 != expected }) else { return }
        task.warn("encode", "frames that should have been written: \(expected); written: \(count)")
    }
}
