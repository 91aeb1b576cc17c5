package import WayreelCore

/// What has become of the frames of a source that were decoded: each is written, or left out for a reason.
package struct FrameTally: Equatable {
    package var decoded = 0
    /// Frames that the plan, or a timestamp that does not increase, leaves out: outside of the range, above the frame rate limit, in
    /// front of the part that an interrupted run goes on with.
    package var leftOut = 0
    /// Frames that are written once more because they are shown for long.
    package var repeated = 0

    package init() {}

    /// Warns where the encoder of a rendition has written another number of frames than it should.
    package func check(written: [Int], _ watch: TaskWatch) {
        let expected = decoded - leftOut + repeated
        guard let count = written.first(where: { $0 != expected }) else { return }
        watch.warn("encode", "frames that should have been written: \(expected); written: \(count)")
    }
}
