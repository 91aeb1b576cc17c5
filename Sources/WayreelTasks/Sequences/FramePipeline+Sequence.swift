internal import WayreelCore
public import WayreelVideo

extension FramePipeline {
    /// Returns the frames of the video at `path`, or of standard input for `-`, in display order while they are
    /// decoded.
    ///
    ///     for try await frame in try FramePipeline().frames(of: "in.mp4") {
    ///         draw(frame.pixels, frame.width, frame.height)
    ///     }
    ///
    /// A frame of 1920 × 1080 takes 8 MB, and at most `bufferLimit` frames are held. `threads` is the number of decoder
    /// threads.
    ///
    /// Throws what opening the file throws, an `unsupported` error if it has no video, a `decoding` error if no frame
    /// can be decoded, and a `parameter` error if no frame begins in the range of the options.
    public func frames(of path: String, bufferLimit: Int = 4, threads: Int = 1) -> MediaSequence<VideoFrame> {
        MediaSequence(bufferLimit: bufferLimit) { (cancellation, emit) throws(MediaError) in
            let task = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
            try RereadableInput(path, task: task).read { (source) throws(MediaError) in
                try readFrames(of: source, threads: threads, task: task, emit)
            }
        }
    }
}
