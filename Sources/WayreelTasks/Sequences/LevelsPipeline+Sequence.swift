internal import WayreelCore
public import WayreelLevels

extension LevelsPipeline {
    /// The levels of the audio at `path`, or of standard input for `-`, bucket by bucket while it is decoded: those of output
    /// `output` of the options, with its grid, channels and meter.
    ///
    ///     for try await reading in pipeline.levels(of: "radio.mp3") { show(reading.channels[0].peak) }
    ///
    /// The readings equal those that ``measure(_:on:)-(String,_)`` returns at the end. Memory does not depend on the length. Damage that the
    /// tolerance of the options accepts is not reported; too much of it is thrown at the end.
    ///
    /// Throws what ``measure(_:on:)-(String,_)`` throws, and a `parameter` error for a grid of a number of points, whose edges are known only at the
    /// end, and for a levels file.
    public func levels(of path: String, output: Int = 0, bufferLimit: Int = 64) -> MediaSequence<LiveReading> {
        MediaSequence(bufferLimit: bufferLimit) { (cancellation, emit) throws(MediaError) in
            let task = TaskContext(seconds: self.options.limits.seconds, cancellation: cancellation)
            do throws(MediaError) {
                try self.readLevels(path, ofOutput: output, task: task, emit)
            } catch { throw error.naming(path == "-" ? "standard input" : path) }
        }
    }
}
