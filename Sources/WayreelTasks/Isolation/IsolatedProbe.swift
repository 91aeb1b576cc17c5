public import WayreelCore
internal import WayreelImage
public import WayreelVideo

/// Probes files like ``FileProbe``, in child processes, so that no file crashes this process or exceeds its time limit.
/// A process is reused for the next file as long as this value or a copy of it exists.
public struct IsolatedProbe: Sendable {
    private let processes: WorkerProcessPool

    public init(_ isolation: Isolation) { processes = WorkerProcessPool(isolation) }

    /// Probes the file at `path`, or standard input for `-`. Blocks the calling thread.
    ///
    /// Throws what ``FileProbe/probe(path:limits:videoLimits:cancellation:)`` throws, and `limit` and `decoding` errors
    /// if the process exceeded its time or memory, or crashed.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func probe(
        path: String, limits: Limits = .standard, videoLimits: VideoLimits = .standard,
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> FileProbe {
        guard processes.isolation.scope == .everyTask || FileHead.isUninterruptibleImage(path) else {
            return try FileProbe.probe(
                path: path, limits: limits, videoLimits: videoLimits, cancellation: cancellation)
        }
        let isImage = FileHead.withFirstBytes(of: path) { ImageProbe.isImage(beginningWith: $0) } ?? false
        return try processes.execute(on: path, cancellation) { sent in
            ProbeRequest(
                path: sent, limits: limits, videoLimits: videoLimits,
                maxSeconds: isImage ? limits.seconds : videoLimits.seconds)
        }
    }
}

/// Plans transcodes like `TranscodePlan.plan(path:)`, in child processes, so that no file
/// crashes this process or exceeds its time and memory limits. A process is reused for the next file as long as this
/// value or a copy of it exists.
public struct IsolatedPlanner: Sendable {
    private let processes: WorkerProcessPool

    public init(_ isolation: Isolation) { processes = WorkerProcessPool(isolation) }

    /// Plans the video at `path`, or standard input for `-`. Blocks the calling thread. With the scope `whereNeeded` it
    /// plans in this process: the libraries that read video can be interrupted.
    ///
    /// Throws what planning throws, and `limit` and `decoding` errors if the process exceeded its time or memory, or
    /// crashed.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func plan(
        path: String, _ options: TranscodeOptions = TranscodeOptions(), cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> TranscodePlan {
        guard processes.isolation.scope == .everyTask else {
            return try TranscodePlan.plan(path: path, options, cancellation: cancellation)
        }
        return try processes.execute(on: path, cancellation) { PlanRequest(path: $0, options: options) }
    }
}

extension WorkerProcessPool {
    /// Runs a request about the file at `path`. `request` takes the path by which the worker opens it.
    fileprivate func execute<Request: WorkRequest>(
        on path: String, _ cancellation: Cancellation, _ request: (_ sent: String) -> Request
    ) throws(MediaError) -> Request.Answer {
        let sent = DescriptorPath.forChildren(path)
        var supervisor = WorkerSupervisor(self)
        do throws(MediaError) { return try supervisor.execute(request(sent), cancellation: cancellation) } catch {
            throw error.forgetting(sent).naming(path == "-" ? "standard input" : path)
        }
    }
}

extension Isolation {
    /// Starts a process and returns whether it runs tasks as this version of Wayreel does. Blocks the calling thread, for ten
    /// seconds at most.
    package func isOfThisVersion() -> Bool {
        var supervisor = WorkerSupervisor(WorkerProcessPool(self))
        let answer = try? supervisor.execute(VersionRequest(), cancellation: Cancellation())
        return answer == VersionRequest.version
    }
}

/// Tells the version of the worker's program.
struct VersionRequest: WorkRequest {
    var maxSeconds: Double { 10 }

    static let version = [WayreelVersion.text, "\(WayreelVersion.generation)"]

    func execute(_ session: WorkSession) throws(MediaError) -> [String] { Self.version }
}

/// Plans the transcode of a file.
struct PlanRequest: WorkRequest {
    var path: String
    var options: TranscodeOptions

    var maxSeconds: Double { options.limits.seconds }
    var readsStandardInput: Bool { path == "-" }

    func execute(_ session: WorkSession) throws(MediaError) -> TranscodePlan {
        try TranscodePlan.plan(path: path, options, cancellation: session.cancellation)
    }
}

/// Probes a file.
struct ProbeRequest: WorkRequest {
    var path: String
    var limits: Limits
    var videoLimits: VideoLimits
    var maxSeconds: Double

    var readsStandardInput: Bool { path == "-" }

    func execute(_ session: WorkSession) throws(MediaError) -> FileProbe {
        try FileProbe.probe(
            path: path, limits: limits, videoLimits: videoLimits, cancellation: session.cancellation)
    }
}
