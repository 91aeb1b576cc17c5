internal import FoundationEssentials
package import WayreelCore
package import WayreelGauge

/// The report of an earlier benchmark that a new one is compared with.
package struct Baseline: Sendable {
    package let report: BenchReport
    private let path: String

    private struct Head: Decodable {
        var kind: String?
        var version: Int?
    }

    /// Reads the file at `path`.
    ///
    /// Throws an `io` error where it cannot be read, and a `decoding` one where it is no benchmark's, or another version's.
    package init(_ path: String) throws(MediaError) {
        self.path = path
        let bytes = try MediaBytes.read(path: path, limit: 1 << 28)
        func fault(_ reason: String) -> MediaError {
            MediaError(
                .decoding, step: "compare", subject: path, reason: reason,
                advice: "make a new one with wayreel bench --save")
        }
        let data = withExtendedLifetime(bytes) { Data($0.buffer) }
        guard let head = try? JSONDecoder().decode(Head.self, from: data), head.kind == BenchReport.kind else {
            throw fault("is no benchmark of wayreel")
        }
        guard head.version == BenchReport.version else {
            throw fault(
                "is of version \(head.version.map(String.init) ?? "?") of the format; this is \(BenchReport.version)")
        }
        guard let report = try? JSONDecoder().decode(BenchReport.self, from: data), report.isSound else {
            throw fault("is damaged")
        }
        self.report = report
    }

    /// Throws a `parameter` error where ratios with it would compare machines, or nothing.
    package func check(for machine: Machine, _ suites: [BenchSuite]) throws(MediaError) {
        let old = report.machine
        guard old.processor == machine.processor, old.availableCores == machine.availableCores else {
            throw MediaError(
                .parameter, step: "compare", subject: path,
                reason: "was made on another machine (\(old.processor), \(old.availableCores) cores)",
                advice: "make one here, with the version to compare with and --save")
        }
        let known = Set(report.results.map(\.suite))
        guard suites.contains(where: { known.contains($0.name) }) else {
            throw MediaError(
                .parameter, step: "compare", subject: path, reason: "holds none of these suites",
                advice: known.isEmpty ? "it is empty" : "it has \(known.sorted().joined(separator: ", "))")
        }
    }
}

extension BenchReport {
    /// Whether its figures can be those of runs.
    fileprivate var isSound: Bool {
        results.allSatisfy { result in
            !result.contenders.isEmpty
                && result.contenders.allSatisfy { contender in
                    (contender.failure != nil || !contender.runs.isEmpty) && contender.runs.allSatisfy(\.isSound)
                }
        }
    }
}

extension BenchRun {
    /// A day, and a petabyte.
    private static let (longest, largest) = (86_400_000.0, 1e15)

    fileprivate var isSound: Bool {
        ([wallMilliseconds]
            + [yardstick.computing, yardstick.faulting].flatMap { [$0.wallMilliseconds, $0.cpuMilliseconds] })
            .allSatisfy { $0 > 0 && $0 < Self.longest }
            && [userMilliseconds, systemMilliseconds].allSatisfy { $0 >= 0 && $0 < Self.longest * 1000 }
            && (peakMemoryBytes.map { $0 > 0 && Double($0) < Self.largest } ?? true)
    }
}
