public import WayreelCore

/// Measures the levels of one audio file and writes one or more outputs.
public struct LevelsTask: MediaTask {
    /// A path, or `-` for standard input.
    public var input: String
    /// One path per output of the options, or `-` for standard output.
    public var outputs: [String]
    public var options: LevelsOptions

    public init(input: String, outputs: [String], options: LevelsOptions = LevelsOptions()) {
        self.input = input
        self.outputs = outputs
        self.options = options
    }

    public var maxSeconds: Double { options.limits.seconds }

    /// Throws a `parameter` error if the number of paths differs from the number of outputs.
    public func check() throws(MediaError) {
        guard outputs.count != options.outputs.count else { return }
        throw MediaError(
            .parameter, step: .plan, subject: input,
            reason: "there are \(outputs.count) paths for \(options.outputs.count) outputs",
            advice: "name one path for each output")
    }

    public func makePipeline() throws(MediaError) -> LevelsPipeline {
        try check()
        return try LevelsPipeline(options)
    }
}

extension LevelsPipeline: MediaPipeline {
    /// Measures the audio at `path` on one of `pool`'s threads.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding task is cancelled.
    public func measure(_ path: String, on pool: WorkPool) async throws -> MeasuredAudio {
        try await pool.run { (cancellation) throws(MediaError) in
            try self.measure(path, cancellation: cancellation)
        }
    }

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

    /// Measures the task's input and writes each output atomically. `task.options` must equal the pipeline's options.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: LevelsTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context) { (report) throws(MediaError) in
            let audio = try measureAlone(task.input, threads: threads, task: context)
            report.input = TaskReport.Media(path: task.input, audio)
            let sizes = try context.step(.write) { () throws(MediaError) in
                try write(audio, to: task.outputs, ifExists: ifExists)
            }
            addToAll(audio)
            report.loudness = audio.loudness
            let written = zip(task.outputs, zip(options.outputs, sizes)).map { path, output in
                TaskReport.Media(path: path, format: output.0.formatName, bytes: output.1)
            }
            if let first = written.first { report.output = first }
            if written.count > 1 { report.furtherOutputs = Array(written.dropFirst()) }
        }
    }

    /// Writes the outputs and returns the size of each in bytes.
    private func write(
        _ audio: MeasuredAudio, to paths: [String], ifExists: ExistingOutput
    ) throws(MediaError) -> [Int] {
        let sinks = try paths.map { (path) throws(MediaError) in try AtomicOutput(path, ifExists: ifExists) }
        // Streams are written last, since they cannot be taken back if a file cannot be written.
        for wantsStreams in [false, true] {
            for (index, sink) in sinks.enumerated() where sink.isStream == wantsStreams {
                try audio.write(index, to: sink)
            }
        }
        try OutputGroup.publish(sinks)
        return sinks.map(\.byteCount)
    }
}

extension TaskReport.Media {
    init(path: String, _ audio: MeasuredAudio) {
        self.init(path: path, format: audio.codec)
        seconds = audio.duration
        sampleRate = audio.format.sampleRate
        channels = audio.format.channels.count
        joinedTracks = audio.tracks.count > 1 ? audio.tracks : nil
    }
}
