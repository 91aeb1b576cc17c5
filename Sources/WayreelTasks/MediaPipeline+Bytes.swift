public import WayreelCore
public import WayreelLevels
public import WayreelVideo

// Demuxers seek, so encoded audio and video in memory is first copied to a memory file.

extension LevelsPipeline {
    /// Measures encoded audio in memory, such as an upload, on one of `pool`'s threads. Outputs contain no file name.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding task is cancelled.
    public func measure(_ bytes: [UInt8], on pool: WorkPool = .shared) async throws -> MeasuredAudio {
        try await pool.run { (cancellation) throws(MediaError) in try self.measure(bytes, cancellation: cancellation) }
    }

    /// Measures encoded audio on the calling thread.
    package func measure(_ bytes: [UInt8], cancellation: Cancellation) throws(MediaError) -> MeasuredAudio {
        try MemoryFile.open(bytes) { (path) throws(MediaError) in
            let context = TaskContext(seconds: self.options.limits.seconds, cancellation: cancellation)
            return try self.measure(path, isNamed: false, task: context)
        }
    }
}

extension PosterPipeline {
    /// Makes the poster of an encoded video in memory, on one of `pool`'s threads.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding task is cancelled.
    public func poster(of bytes: [UInt8], on pool: WorkPool = .shared) async throws -> Poster {
        try await pool.run { (cancellation) throws(MediaError) in
            try MemoryFile.open(bytes) { (path) throws(MediaError) in
                try makePoster(path, cancellation: cancellation)
            }
        }
    }
}

extension TranscodePipeline {
    /// Transcodes an encoded video in memory into the file, or for HLS the folder, at `output`, and writes the poster
    /// of the options to `poster`. The report's input has the path `-`.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding Swift task is cancelled, which leaves no output.
    @discardableResult
    public func transcode(
        _ bytes: [UInt8], to output: String, poster: String? = nil, ifExists: ExistingOutput = .replace,
        on pool: WorkPool = .shared
    ) async throws -> TaskReport {
        try await pool.run { (cancellation) throws(MediaError) in
            try MemoryFile.open(bytes) { (path) throws(MediaError) in
                var report = run(
                    TranscodeTask(input: path, output: output, poster: poster, options: options), ifExists: ifExists,
                    threads: pool.workers, cancellation: cancellation)
                report.input.path = "-"
                if let error = report.error { throw error }
                return report
            }
        }
    }
}

extension FileProbe {
    /// Probes an encoded file in memory, on one of `pool`'s threads.
    ///
    /// Throws what ``probe(path:limits:videoLimits:cancellation:)`` throws.
    public static func probe(
        _ bytes: [UInt8], limits: Limits = .standard, videoLimits: VideoLimits = .standard, on pool: WorkPool = .shared
    ) async throws -> FileProbe {
        try await pool.run { (cancellation) throws(MediaError) in
            try MemoryFile.open(bytes) { (path) throws(MediaError) in
                try probe(path: path, limits: limits, videoLimits: videoLimits, cancellation: cancellation)
            }
        }
    }
}

extension MemoryFile {
    /// Calls `body` with the path of a memory file of `bytes`. Errors do not name that path.
    fileprivate static func open<Result>(
        _ bytes: [UInt8], _ body: (String) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let file = try bytes.span.withUnsafeBytes { (bytes) throws(MediaError) in try MemoryFile(bytes) }
        do throws(MediaError) {
            return try withExtendedLifetime(file) { () throws(MediaError) in try body(file.path) }
        } catch {
            var error = error
            if error.subject == file.path { error.subject = nil }
            throw error
        }
    }
}
