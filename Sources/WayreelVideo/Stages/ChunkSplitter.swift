package import WayreelCore

/// Decides which frames of the output begin a chunk: the first frame of each multiple of a length.
package struct ChunkSplitter {
    /// The length of a chunk in units of the output's time base.
    private let length: Double
    /// The end of the current chunk; nil before its first frame.
    private var end: Int64?

    package init(seconds: Double, timeBase: Rational) { length = seconds / timeBase.value }

    /// Whether the frame at `pts` begins a chunk after the first. Must be called for each frame in order.
    package mutating func startsChunk(at pts: Int64) -> Bool {
        if let end, pts < end { return false }
        defer {
            // The first PTS that is not before the boundary: at 29.97 frames/s, ten seconds contain 300 frames.
            let next = ((Double(pts) / length + 1e-9).rounded(.down) + 1) * length
            end = Int64((next - 1e-6).rounded(.up))
        }
        return end != nil
    }
}
