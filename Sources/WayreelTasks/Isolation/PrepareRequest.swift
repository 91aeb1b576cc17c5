internal import WayreelCore
internal import WayreelImage

/// Prepares an image in the memory of the parent process.
struct PrepareRequest: WorkRequest {
    /// A task whose paths are two memory files: the encoded image, and an empty one for the output.
    var task: CaptureTask

    /// The properties of a ``PreparedCapture`` other than its bytes.
    struct Answer: Codable {
        var format: Encoding.Format
        var foundQuality: Int?
        var size: PixelSize
        var sourceFormat: String
        var sourceSize: PixelSize
        var steps: [TaskReport.Step]
        var warnings: [MediaWarning]

        init(_ capture: PreparedCapture) {
            (format, foundQuality, size) = (capture.format, capture.foundQuality, capture.size)
            (sourceFormat, sourceSize) = (capture.sourceFormat, capture.sourceSize)
            (steps, warnings) = (capture.steps, capture.warnings)
        }

        func capture(_ bytes: [UInt8]) -> PreparedCapture {
            PreparedCapture(
                bytes: bytes, format: format, foundQuality: foundQuality, size: size, sourceFormat: sourceFormat,
                sourceSize: sourceSize, steps: steps, warnings: warnings)
        }
    }

    var maxSeconds: Double { task.maxSeconds }
    var readsStandardInput: Bool { false }

    func execute(_ session: WorkSession) throws(MediaError) -> Answer {
        let context = TaskContext(seconds: maxSeconds, cancellation: session.cancellation)
        let pipeline = try session.pipelines.pipeline(for: task)
        let bytes: MediaBytes
        do throws(MediaError) { bytes = try MediaBytes.read(path: task.input, limit: .max, task: context) } catch {
            var unnamed = error
            unnamed.subject = nil
            throw unnamed
        }
        let prepared = try pipeline.prepare(bytes, task: context)
        try MemoryFile.write(prepared.bytes, to: task.output)
        return Answer(prepared)
    }
}
