internal import WayreelAV
public import WayreelCore

extension TranscodePlan {
    /// Plans the transcode of the file at `path`, or of standard input for `-`, without encoding.
    ///
    /// Throws the errors of opening the file and of planning.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public static func plan(
        path: String, _ options: TranscodeOptions = TranscodeOptions(), cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> TranscodePlan {
        let task = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return try RereadableInput(path, task: task).read { (source) throws(MediaError) in
            try TranscodePlan(of: MediaScan.info(of: source, limits: options.limits, task: task), options)
        }
    }
}
