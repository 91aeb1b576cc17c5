internal import Synchronization

/// A task as a value: one input, its outputs and options.
public protocol MediaTask: Hashable, Sendable, Codable {
    associatedtype Pipeline: MediaPipeline where Pipeline.Work == Self
    associatedtype Options: Hashable

    /// A path, or `-` for standard input.
    var input: String { get set }
    /// Paths, or `-` for standard output.
    var outputs: [String] { get }
    var options: Options { get }
    /// Max wall time in seconds.
    var maxSeconds: Double { get }

    /// Paths of files that the options name: overlay images, `.cube` tables.
    var namedFiles: [String] { get }
    /// The isolation that the options alone require.
    var isolationNeed: IsolationNeed { get }
    /// Whether decoding the input requires isolation, judged by its first bytes.
    var inputNeedsIsolation: Bool { get }

    /// Checks that the paths match the options. Tasks with the same options may have different paths: each is checked.
    ///
    /// Throws a `parameter` error.
    func check() throws(MediaError)

    /// Checks the options and creates the pipeline that tasks with the same options share. Throws a `parameter` error
    /// for invalid options.
    func makePipeline() throws(MediaError) -> Pipeline
}

extension MediaTask {
    public var namedFiles: [String] { [] }
    public var isolationNeed: IsolationNeed { .none }
    public var inputNeedsIsolation: Bool { false }
    public func check() {}

    /// Runs `work` under `context` and reports its cost and result, unless the outputs exist and are kept. `options`
    /// are those of the pipeline; `threads` selects the threads whose CPU time counts as the task's.
    package func report(
        with options: Options, ifExists: ExistingOutput, in context: TaskContext, cpuOf threads: TaskCPU.Threads = .own,
        _ work: (inout TaskReport) throws(MediaError) -> Void
    ) -> TaskReport {
        var report = TaskReport(of: self)
        let presence = TaskPresence()
        let startCPU = Clock.process
        do {
            try check(by: options)
            try check()
            if try mayWrite(ifExists: ifExists) { try work(&report) } else { report.status = .skipped }
        } catch {
            if ifExists == .skip, wereMadeMeanwhile(error) {
                report.status = .skipped
            } else {
                report.status = .failed
                report.error = error.naming(input == "-" ? "standard input" : input)
            }
        }
        report.steps = context.steps
        report.warnings = context.warnings
        report.trace = context.trace
        report.wallMilliseconds = context.wallMilliseconds
        let isAlone = presence.end()
        switch threads {
        case .own: report.cpuMilliseconds = context.cpuMilliseconds
        case .process:
            report.cpuMilliseconds = Clock.milliseconds(Clock.process - startCPU)
            report.cpuIsShared = isAlone ? nil : true
        }
        report.peakMemoryBytes = ProcessMemory.peakBytes
        return report
    }

    /// Throws a `parameter` error if a pipeline with `options` would treat the task differently from its own options.
    private func check(by options: Options) throws(MediaError) {
        guard self.options != options else { return }
        throw MediaError(
            .parameter, step: .plan, subject: input, reason: "the task has other options than the pipeline",
            advice: "make the pipeline of the task")
    }

    /// Returns whether `error` reports an existing output and all outputs exist: another process made them while the
    /// task ran.
    private func wereMadeMeanwhile(_ error: MediaError) -> Bool {
        guard let subject = error.subject, error == OutputFile.existsAlready(subject) else { return false }
        return (try? mayWrite(ifExists: .skip)) == false
    }

    /// Returns whether the outputs must be made: false if all exist and may stay.
    private func mayWrite(ifExists: ExistingOutput) throws(MediaError) -> Bool {
        let existing = outputs.filter { $0 != "-" && FileIdentity(of: $0) != nil }
        if let output = existing.first(where: { OutputFile.isSame(input, $0) }) {
            throw MediaError(
                .io, step: .write, subject: output, reason: "is the input itself", advice: "choose another output")
        }
        if let output = existing.first(where: { output in namedFiles.contains { OutputFile.isSame($0, output) } }) {
            throw MediaError(
                .io, step: .write, subject: output, reason: "is a file that the options name",
                advice: "choose another output")
        }
        var taken: Set<CanonicalOutputPath> = []
        if let output = outputs.first(where: { $0 != "-" && !taken.insert(CanonicalOutputPath($0)).inserted }) {
            throw MediaError(
                .parameter, step: .plan, subject: output, reason: "two outputs would be written to it",
                advice: "name each output once")
        }
        guard ifExists != .replace, let output = existing.first else { return true }
        var error = OutputFile.existsAlready(output)
        if ifExists == .skip {
            guard let missing = outputs.first(where: { !existing.contains($0) }) else { return false }
            error.reason += ", but \(missing) does not"
        }
        throw error
    }
}

/// The part of a task that must run in a child process for a time limit to end it.
public enum IsolationNeed: Int, Comparable, Sendable {
    case none
    /// Running the task needs a child process.
    case work
    /// Creating the task's pipeline needs a child process too.
    case pipeline

    public static func < (a: IsolationNeed, b: IsolationNeed) -> Bool { a.rawValue < b.rawValue }
}

extension TaskReport {
    package init(of task: some MediaTask) {
        let outputs = task.outputs.map { Media(path: $0) }
        self.init(
            input: Media(path: task.input), output: outputs.first ?? Media(path: "-"),
            furtherOutputs: outputs.count > 1 ? Array(outputs.dropFirst()) : nil)
    }

    /// The report of a task that never ran.
    package init(failed task: some MediaTask, _ error: any Error) {
        self.init(of: task)
        status = .failed
        let known = error as? MediaError
        self.error = (known ?? MediaError(.limit, step: .start, reason: "\(error)")).naming(
            task.input == "-" ? "standard input" : task.input)
    }
}

/// An output path in canonical form: `out/a.jpg` equals `./out//a.jpg`.
package struct CanonicalOutputPath: Hashable {
    private let folder: FileIdentity?
    /// The whole path if its folder does not exist (yet).
    private let name: [Substring]

    package init(_ path: String) {
        let parts = path.split(separator: "/").filter { $0 != "." }
        let start = path.hasPrefix("/") ? "/" : "./"
        folder = FileIdentity(of: start + parts.dropLast().joined(separator: "/"))
        name = folder == nil ? [Substring(start)] + parts : parts.suffix(1)
    }
}

/// A running task of this process; records whether other tasks ran in the process at the same time.
final class TaskPresence: Sendable {
    private static let running = Mutex<[TaskPresence]>([])
    private let isAlone = Atomic<Bool>(true)

    init() {
        Self.running.withLock { running in
            for other in running {
                other.isAlone.store(false, ordering: .relaxed)
                isAlone.store(false, ordering: .relaxed)
            }
            running.append(self)
        }
    }

    /// Marks the task as ended. Returns whether no other task ran since it began.
    func end() -> Bool {
        Self.running.withLock { $0.removeAll { $0 === self } }
        return isAlone.load(ordering: .relaxed)
    }
}
