package import WayreelCore
package import WayreelLevels

/// Measures audio in the memory of the parent process.
struct MeasureRequest: WorkRequest {
    /// A task whose paths are two memory files: the encoded audio, and an empty one for its output.
    var task: LevelsTask
    /// Max size of the output in bytes.
    var maxBytes: Int

    var maxSeconds: Double { task.maxSeconds }
    var readsStandardInput: Bool { false }

    /// Returns the size of the output in bytes.
    func execute(_ session: WorkSession) throws(MediaError) -> Int {
        let context = TaskContext(seconds: maxSeconds, cancellation: session.cancellation)
        do throws(MediaError) {
            let audio = try LevelsPipeline(task.options).measureAlone(task.input, isNamed: false, task: context)
            let sink = try MemoryFileSink(task.outputs[0], maxBytes: maxBytes)
            try audio.write(0, to: sink)
            return sink.count
        } catch {
            // The file has no name that its sender knows.
            var unnamed = error
            if unnamed.subject == task.input { unnamed.subject = nil }
            throw unnamed
        }
    }
}

/// Writes levels into a memory file of another process.
private final class MemoryFileSink: ByteSink {
    private let file: MemoryFile.Writer
    private let maxBytes: Int
    private(set) var count = 0

    init(_ path: String, maxBytes: Int) throws(MediaError) {
        file = try MemoryFile.Writer(path)
        self.maxBytes = maxBytes
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        guard count + bytes.count <= maxBytes else {
            throw MediaError(
                .limit, code: .tooManyBytes, step: "write", reason: "the levels have more than \(maxBytes) bytes",
                advice: "ask for fewer readings")
        }
        try file.write(bytes)
        count += bytes.count
    }
}

extension IsolatedPipeline where Work == LevelsTask {
    /// Measures encoded audio in a child process with at most `memoryBytes`, and returns the first output of the options.
    /// What a demuxer takes for its index, or a decoder that crashes, ends that process alone.
    ///
    /// Throws a ``MediaError``; a `limit` error if the output has more than `maxBytes` bytes.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    package func measureInChild(
        _ bytes: MediaBytes, _ options: LevelsOptions, maxBytes: Int, memoryBytes: Int, cancellation: Cancellation,
        reserve: (_ bytes: Int) throws(MediaError) -> Void
    ) throws(MediaError) -> [UInt8] {
        defer { withExtendedLifetime(bytes) {} }
        let (source, result) = (try MemoryFile(bytes.buffer), try MemoryFile())
        defer { withExtendedLifetime((source, result)) {} }
        let task = LevelsTask(input: source.path, outputs: [result.path], options: options)
        var supervisor = WorkerSupervisor(processes, memoryBytes: memoryBytes)
        let count = try supervisor.execute(MeasureRequest(task: task, maxBytes: maxBytes), cancellation: cancellation)
        try reserve(count)
        return try result.bytes()
    }
}
