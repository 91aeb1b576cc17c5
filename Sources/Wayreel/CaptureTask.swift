internal import Glibc
public import WayreelCore
public import WayreelImage

/// One capture to prepare: from a file to a file.
public struct CaptureTask: Hashable, Sendable, Codable {
    /// A path, or `-` for standard input.
    public var input: String
    /// A path, or `-` for standard output.
    public var output: String
    public var options: CaptureOptions

    public init(input: String, output: String, options: CaptureOptions = CaptureOptions()) {
        self.input = input
        self.output = output
        self.options = options
    }
}

/// What to do where an output is there already.
public enum ExistingOutput: String, Sendable, Codable, CaseIterable {
    case replace, skip, fail
}

extension CapturePipeline {
    /// Prepares a picture in memory, on one of `pool`'s threads.
    ///
    /// Throws a ``MediaError``; `cancelled` when the surrounding task is cancelled.
    public func prepare(_ bytes: [UInt8], on pool: WorkPool = .shared) async throws -> PreparedCapture {
        try await pool.run { (cancellation) throws(MediaError) in
            try prepare(MediaBytes(bytes), cancellation: cancellation)
        }
    }

    /// Reads `input`, prepares it, and writes `output` whole or not at all, on the calling thread. Never throws: what went wrong
    /// is in the report.
    public func run(
        input: String, output: String, ifExists: ExistingOutput = .replace, cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        var report = TaskReport(input: .init(path: input), output: .init(path: output))
        let watch = TaskWatch(seconds: options.limits.seconds, cancellation: cancellation)
        do {
            try carryOut(&report, ifExists: ifExists, watch: watch)
        } catch {
            report.status = .failed
            report.error = error.naming(input == "-" ? "standard input" : input)
        }
        report.steps = watch.steps
        report.warnings = watch.warnings
        report.wallMilliseconds = watch.wallMilliseconds
        report.cpuMilliseconds = watch.cpuMilliseconds
        report.peakMemoryBytes = peakMemoryBytes()
        return report
    }

    private func carryOut(
        _ report: inout TaskReport, ifExists: ExistingOutput, watch: TaskWatch
    ) throws(MediaError) {
        let (input, output) = (report.input.path, report.output.path)
        if output != "-", access(output, F_OK) == 0 {
            if OutputFile.isSame(input, output) {
                throw MediaError(
                    .io, step: "write", subject: output, reason: "is the input itself", advice: "name another output")
            }
            switch ifExists {
            case .replace: break
            case .skip:
                report.status = .skipped
                return
            case .fail:
                throw MediaError(
                    .io, step: "write", subject: output, reason: "exists already",
                    advice: "use --if-exists replace to write over it")
            }
        }
        let bytes = try watch.step("read") { () throws(MediaError) in
            try MediaBytes.read(path: input, limit: options.limits.inputBytes)
        }
        report.input.bytes = bytes.count
        let prepared = try prepare(bytes, watch: watch)
        report.input.format = prepared.sourceFormat
        report.input.width = prepared.sourceSize.width
        report.input.height = prepared.sourceSize.height
        try watch.step("write") { () throws(MediaError) in
            if output == "-" {
                try OutputFile.writeToStandardOutput(prepared.bytes)
            } else {
                try OutputFile.write(prepared.bytes, to: output)
            }
        }
        report.output = .init(
            path: output, format: prepared.format.rawValue, width: prepared.size.width, height: prepared.size.height,
            bytes: prepared.bytes.count)
    }
}

/// The largest resident size that this process has had.
///
/// Not by getrusage, where a process begins with the peak of the one that started it.
private func peakMemoryBytes() -> Int {
    let key = "VmHWM:"
    guard let status = try? MediaBytes.read(path: "/proc/self/status", limit: 1 << 16) else { return 0 }
    let text = withExtendedLifetime(status) { String(decoding: $0.buffer, as: UTF8.self) }
    let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 } ?? 0
}
