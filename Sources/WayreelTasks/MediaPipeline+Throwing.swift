public import WayreelCore
public import WayreelVideo

extension MediaPipeline {
    /// Runs one task on a thread of `pool` and returns its report.
    ///
    /// Throws the ``MediaError`` of a failed task; `cancelled` if the surrounding Swift task is cancelled, which leaves
    /// no output.
    @discardableResult
    public func perform(
        _ task: Work, ifExists: ExistingOutput = .replace, on pool: WorkPool = .shared
    ) async throws -> TaskReport {
        try await pool.run { (cancellation) throws(MediaError) in
            let report = run(task, ifExists: ifExists, threads: pool.workers, cancellation: cancellation)
            if let error = report.error { throw error }
            return report
        }
    }
}

extension TranscodePipeline {
    /// Transcodes the video at `input` into the file, or for HLS the folder, at `output`, and writes the poster of the
    /// options to `poster`.
    ///
    ///     let report = try await pipeline.transcode("in.mov", to: "out.mp4")
    ///
    /// A `plan` from ``plan(_:on:)`` of this input is executed unchanged. If the input has changed since, this throws
    /// an error with the code `planOutdated`.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding Swift task is cancelled, which leaves no output.
    @discardableResult
    public func transcode(
        _ input: String, to output: String, poster: String? = nil, plan: TranscodePlan? = nil,
        ifExists: ExistingOutput = .replace,
        on pool: WorkPool = .shared
    ) async throws -> TaskReport {
        try await perform(
            TranscodeTask(input: input, output: output, poster: poster, plan: plan, options: options),
            ifExists: ifExists, on: pool)
    }
}
