internal import Synchronization
internal import WayreelAV
package import WayreelCore

/// Makes an HLS package: a folder with playlists and segments.
struct HLSDelivery: VideoDelivery {
    let options: HLSOptions
    /// Receives the files instead of a folder.
    let emit: (@Sendable (HLSFile) throws(MediaError) -> Void)?

    func deliver(
        _ plan: TranscodePlan, _ job: TranscodeJob, progress: (Double) -> Void
    ) throws(MediaError) -> TranscodedVideo {
        let package = try package(of: plan, job)
        let sheets = plan.video == nil ? nil : try package.preview()
        let ending = try EndAlignment(of: plan, job.source, limits: job.options.limits, task: job.task)
        let chunks = try job.encodeChunks(of: plan, heldUntil: ending.heldUntil, progress)
        var session = job.session(plan)
        session.ending = ending
        session.encoded = chunks
        session.thumbnails = sheets?.request
        let (outcome, report) = try job.keeping(chunks) { () throws(MediaError) in
            let outcome = try session.run(into: package, task: job.task, progress: progress)
            try DamageCheck(plan: plan, tolerance: job.options.tolerance).run(
                seconds: outcome.seconds - outcome.heldSeconds, task: job.task)
            return (outcome, try package.finish(with: job.poster))
        }
        job.clear(chunks)
        for warning in report.warnings { job.task.warn(warning.step, warning.message) }
        return TranscodedVideo(
            plan: plan.completed(by: outcome), seconds: report.seconds, frames: outcome.frames, bytes: report.bytes)
    }

    private func package(of plan: TranscodePlan, _ job: TranscodeJob) throws(MediaError) -> HLSPackage {
        guard let emit else {
            return try HLSPackage(
                job.output, plan: plan, options: options, texts: job.texts, ifExists: job.ifExists)
        }
        return try HLSPackage(plan: plan, options: options, texts: job.texts) { EmittedPackage(emit) }
    }
}

extension TranscodePipeline {
    /// Transcodes the video at `path` to HLS, and passes the files of the package to `emit`, from several threads.
    package func readHLSFiles(
        of path: String, threads: Int, cancellation: Cancellation,
        _ emit: @escaping @Sendable (HLSFile) throws(MediaError) -> Void
    ) throws(MediaError) {
        try require(options.delivery.hls != nil, "the options do not ask for HLS", "use delivery .hls")
        var options = options
        options.poster = nil
        options.isResumable = false
        let task = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        _ = try TranscodePipeline(options, emit: emit).run(path, to: "-", threads: threads, task: task) { _ in }
    }
}

/// A file of an HLS package.
public struct HLSFile: Sendable {
    /// The path in the package: `master.m3u8`, `1-640x360/segment-00001.m4s`.
    public let name: String
    public let bytes: [UInt8]
    /// The start of an audio or video segment in seconds on the package's timeline; nil for other files.
    public let start: Double?
    /// The length of an audio or video segment in seconds; nil for other files.
    public let seconds: Double?

    init(_ name: String, _ bytes: [UInt8], start: Double? = nil, seconds: Double? = nil) {
        self.name = name
        self.bytes = bytes
        self.start = start
        self.seconds = seconds
    }
}

/// The destination of a package's files. Several threads may write to it.
protocol PackageOutput: AnyObject, Sendable {
    /// The path of the folder in messages.
    var path: String { get }
    /// The names and sizes of the files so far.
    var files: [(name: String, bytes: Int)] { get }

    /// Writes a file. `mode`: its permissions on the disk.
    func write(_ file: HLSFile, mode: UInt32) throws(MediaError)
    /// Returns the name in the package of a file at `path`; nil for a path outside the package.
    func name(of path: String) -> String?
    /// Completes the package after its last file, and publishes it together with `others`.
    func finish(with others: [any UnpublishedOutput]) throws(MediaError)
}

extension PackageOutput {
    func write(_ bytes: [UInt8], to name: String, mode: UInt32 = 0o666) throws(MediaError) {
        try write(HLSFile(name, bytes), mode: mode)
    }
}

extension AtomicFolder: PackageOutput {
    func write(_ file: HLSFile, mode: UInt32) throws(MediaError) { try write(file.bytes, to: file.name, mode: mode) }

    func finish(with others: [any UnpublishedOutput]) throws(MediaError) { try OutputGroup.publish([self] + others) }
}

/// Passes the files to a function when they are complete. The function may block.
final class EmittedPackage: PackageOutput {
    private let emit: @Sendable (HLSFile) throws(MediaError) -> Void
    private let written = Mutex<[(name: String, bytes: Int)]>([])

    init(_ emit: @escaping @Sendable (HLSFile) throws(MediaError) -> Void) { self.emit = emit }

    var path: String { "-" }
    var files: [(name: String, bytes: Int)] { written.withLock(\.self) }

    func write(_ file: HLSFile, mode: UInt32) throws(MediaError) {
        written.withLock { $0.append((file.name, file.bytes.count)) }
        try emit(file)
    }

    func name(of path: String) -> String? { nil }

    /// The receiver has the files already.
    func finish(with others: [any UnpublishedOutput]) throws(MediaError) { try OutputGroup.publish(others) }
}
