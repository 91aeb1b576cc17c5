internal import CLinux
internal import Glibc
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

/// A file in memory that processes of the same user can open by path while this object lives.
final class MemoryFile {
    private let descriptor: Int32

    var path: String { "/proc/\(getpid())/fd/\(descriptor)" }

    /// Throws a `limit` error if memory is exhausted.
    init(_ bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)) throws(MediaError) {
        descriptor = wr_memory_file()
        guard descriptor >= 0 else { throw Self.fault(.limit) }
        do { try writeAll(bytes, to: descriptor) } catch { throw Self.fault(.limit, error.code) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the current content.
    func bytes() throws(MediaError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.fault(.io) }
        do { return try readBytes(Int(status.st_size), from: descriptor) } catch { throw Self.fault(.io, error.code) }
    }

    /// Writes `bytes` into a memory file of another process.
    static func write(_ bytes: [UInt8], to path: String) throws(MediaError) {
        try bytes.withBytes { (bytes) throws(MediaError) in try Writer(path).write(bytes) }
    }

    /// An open memory file of another process.
    final class Writer {
        private let descriptor: Int32

        init(_ path: String) throws(MediaError) {
            descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw MemoryFile.fault(.io) }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
            do { try writeAll(bytes, to: descriptor) } catch { throw MemoryFile.fault(.io, error.code) }
        }
    }

    fileprivate static func fault(_ kind: MediaError.Kind, _ code: Int32 = errno) -> MediaError {
        MediaError(
            kind, code: MediaError.Code(disk: code), step: .start,
            reason: "cannot pass bytes to another process: \(systemReason(code))",
            advice: "run fewer tasks at once, or without isolation")
    }
}
