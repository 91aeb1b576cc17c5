internal import Glibc
internal import WayreelCore

/// Locates the inputs of suites and generates missing ones.
struct BenchInputs {
    let options: BenchOptions
    let folder: TemporaryFolder
    let cancellation: Cancellation

    /// The path of a suite's input.
    ///
    /// Throws an `io` error if it is missing or cannot be generated.
    func path(of suite: BenchSuite, report: (String) -> Void) throws(MediaError) -> String {
        if suite.preparation.isEmpty {
            for kind in suite.kinds {
                if let given = options.inputs[kind] { return given }
            }
            return try sample(suite.input)
        }
        return try prepared(suite, report: report)
    }

    private func sample(_ name: String) throws(MediaError) -> String {
        let path = "\(options.media)/\(name)"
        guard access(path, R_OK) == 0 else {
            throw MediaError(
                .io, step: .bench, subject: path, reason: systemReason(errno),
                advice: "run it in the project folder, or use --media or --input")
        }
        return path
    }

    private func prepared(_ suite: BenchSuite, report: (String) -> Void) throws(MediaError) -> String {
        if let keep = options.keep, mkdir(keep, 0o777) != 0, errno != EEXIST {
            throw MediaError(.io, step: .bench, subject: keep, reason: systemReason(errno))
        }
        let directory = options.keep ?? folder.path
        let path = "\(directory)/\(suite.input)"
        if access(path, R_OK) == 0 { return path }
        report("generating \(suite.input)")
        // Renamed when complete.
        let made = "\(directory)/part-\(getpid())-\(suite.input)"
        defer { Directory.remove(made) }
        var placeholders = Placeholders(input: path, output: path, media: options.media, wayreel: "")
        placeholders.made = made
        let run = try Gauge.run(
            placeholders.fill(BenchSuite.shell(suite.preparation)),
            options: GaugeOptions(
                output: .none, errors: .tail(bytes: 2000), timeoutSeconds: max(600, options.timeoutSeconds)),
            cancellation: cancellation)
        var reason: String?
        if run.outcome?.isSuccess != true {
            reason = run.errorTail?.lastLine ?? run.outcome?.description ?? "it did not end"
        } else if rename(made, path) != 0 {
            reason = systemReason(errno)
        }
        if let reason {
            throw MediaError(
                .io, step: .bench, subject: suite.input, reason: "cannot be generated: \(reason)",
                advice: "install ffmpeg with its encoders")
        }
        return path
    }
}

extension String {
    /// The last non-empty line; nil if there is none.
    var lastLine: String? {
        split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }.map(String.init)
    }
}

/// Values of placeholders in a run.
package struct Placeholders {
    var input: String
    var output: String
    var media: String
    /// Path of the command.
    var wayreel: String
    var program = ""
    /// Path of a generated input.
    var made = ""

    package init(input: String, output: String, media: String, wayreel: String) {
        (self.input, self.output, self.media, self.wayreel) = (input, output, media, wayreel)
    }

    /// Replaces placeholders in `arguments`.
    package func fill(_ arguments: [String]) -> [String] {
        arguments.flatMap { argument in
            argument == "{in*}"
                ? Directory.entries(of: input).sorted().map { "\(input)/\($0)" } : [fill(argument)]
        }
    }

    private func fill(_ argument: String) -> String {
        let values = [
            ("{in}", input), ("{out}", output), ("{media}", media), ("{wayreel}", wayreel), ("{program}", program),
            ("{made}", made),
        ]
        var result = ""
        var rest = argument[...]
        while let brace = rest.firstIndex(of: "{") {
            result += rest[..<brace]
            rest = rest[brace...]
            // Values may contain braces, which are not expanded again.
            if let (name, value) = values.first(where: { rest.hasPrefix($0.0) }) {
                result += value
                rest = rest.dropFirst(name.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }
}

/// Fixed work that measures the current speed of the machine: a report and its baseline are made at different times,
/// and neighbours of a virtual machine change.
enum Calibration {
    static func measure() -> BenchRun.Calibration {
        BenchRun.Calibration(computing: time(compute), faulting: time(touchPages))
    }

    private static func time(_ work: () -> Void) -> BenchRun.Calibration.Times {
        let (wall, cpu) = (Clock.wall, Clock.thread)
        work()
        return BenchRun.Calibration.Times(
            wallMilliseconds: Clock.milliseconds(Clock.wall - wall),
            cpuMilliseconds: Clock.milliseconds(Clock.thread - cpu))
    }

    /// Some milliseconds of integer arithmetic on a table in the cache.
    private static func compute() {
        var table = [UInt64](repeating: 1, count: 4096)
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for step in 0..<6_000_000 {
            state = (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9 &+ UInt64(step)
            table[Int(state >> 52)] &+= state
        }
        // Uses the result, so that the work is not optimised away.
        precondition(table.contains { $0 != 1 })
    }

    /// The same duration of page faults.
    private static func touchPages() {
        let (count, page) = (32 << 20, 4096)
        let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { return }
        for offset in stride(from: 0, to: count, by: page) {
            memory.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
        }
        munmap(memory, count)
    }
}
