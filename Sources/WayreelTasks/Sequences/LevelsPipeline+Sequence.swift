internal import WayreelCore
public import WayreelLevels

extension LevelsPipeline {
    /// Returns the levels of the audio at `path`, or of standard input for `-`, bucket by bucket while it is decoded.
    /// They have the grid, channels and meter of output number `output` of the options.
    ///
    ///     for try await reading in pipeline.levels(of: "radio.mp3") { show(reading.channels[0].peak) }
    ///
    /// The readings equal those that ``measure(_:on:)-(String,_)`` returns at the end. Memory does not depend on the
    /// length. Damage within the tolerance of the options is not reported; damage beyond it is thrown as an error at
    /// the end.
    ///
    /// Throws what ``measure(_:on:)-(String,_)`` throws, and a `parameter` error for a levels file or for a grid with a
    /// number of points, whose edges are known only at the end.
    public func levels(of path: String, output: Int = 0, bufferLimit: Int = 64) -> MediaSequence<LiveReading> {
        MediaSequence(bufferLimit: bufferLimit) { (cancellation, emit) throws(MediaError) in
            let task = TaskContext(seconds: self.options.limits.seconds, cancellation: cancellation)
            do throws(MediaError) {
                try self.readLevels(path, ofOutput: output, task: task, emit)
            } catch { throw error.naming(path == "-" ? "standard input" : path) }
        }
    }
}
