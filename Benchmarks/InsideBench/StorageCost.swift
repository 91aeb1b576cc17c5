internal import CLinux
internal import FoundationEssentials
internal import Glibc
internal import WayreelBench
internal import WayreelCore

/// The cost of storing the images of a chapter and reading them again, in three ways.
enum StorageCost {
    private static let rounds = 15

    /// The figures of one run.
    private struct Cost {
        var storeMilliseconds: Double
        /// With a new connection, from the disk.
        var coldReadMilliseconds: Double
        /// With the same connection again, from the kernel's cache.
        var warmReadMilliseconds: Double
        var diskBytes: Double
        /// In addition to what the process had before; nil if the kernel does not report it.
        var storeMemoryBytes: Double?
        var readMemoryBytes: Double?
    }

    /// Stores the first image, then the first two, and so on. The ways take turns: a round is one run of each, after one
    /// that is not counted.
    static func report(images paths: [String]) throws -> String {
        let images = try paths.map { path in
            let file = try MediaBytes.read(path: path, limit: 1 << 30)
            return withExtendedLifetime(file) { StoredImage(name: path, bytes: Data($0.buffer)) }
        }
        let folder = try TemporaryFolder(for: "stored images", step: .storage)
        var cases = images.indices.flatMap { last in
            StorageKind.allCases.map { (images: Array(images[...last]), kind: $0, costs: [Cost]()) }
        }
        for round in 0...rounds {
            for index in cases.indices {
                let cost = try measure(cases[index].images, as: cases[index].kind, in: "\(folder.path)/run")
                if round > 0 { cases[index].costs.append(cost) }
            }
        }
        let header = [
            "images", "kept as", "store", "cold read", "warm read", "on disk", "memory to store", "to read",
        ]
        let sizes: [(Cost) -> Double?] = [{ $0.diskBytes }, \.storeMemoryBytes, \.readMemoryBytes]
        let rows = cases.map { one in
            [
                "\(one.images.count), \(megabytes(Double(one.images.reduce(0) { $0 + $1.bytes.count })))",
                one.kind.rawValue,
            ]
                + [\Cost.storeMilliseconds, \.coldReadMilliseconds, \.warmReadMilliseconds].map { figure in
                    interval(one.costs.map { $0[keyPath: figure] })
                }
                + sizes.map { figure in
                    Summary(one.costs.compactMap(figure)).map { megabytes($0.median) } ?? "–"
                }
        }
        return """
            ### Images of a chapter, kept in three ways

            \(table([header] + rows))

            Medians of \(rounds) rounds with 95 % intervals.
            """
    }

    private static func megabytes(_ bytes: Double) -> String { "\((bytes / 1e6).formatted(2)) MB" }

    /// The median with its interval: `59.5 ms (55.2–63.7)`.
    private static func interval(_ milliseconds: [Double]) -> String {
        guard let summary = Summary(milliseconds), let interval = summary.interval else { return "–" }
        let digits = { (value: Double) in value.formatted(value < 10 ? 2 : value < 100 ? 1 : 0) }
        return "\(digits(summary.median)) ms (\(digits(interval.lower))–\(digits(interval.upper)))"
    }

    private static func measure(
        _ images: [StoredImage], as kind: StorageKind, in folder: String
    ) throws(MediaError) -> Cost {
        Directory.remove(folder)
        guard mkdir(folder, 0o700) == 0 else {
            throw MediaError(.io, step: .storage, subject: folder, reason: systemReason(errno))
        }
        defer { Directory.remove(folder) }
        let stored = try cost { () throws(MediaError) -> Void in
            var store = try kind.open(folder)
            for image in images { try store.add(image) }
        }
        let bytes = Directory.byteCount(of: folder)
        evict(folder)
        let cold = try cost { () throws(MediaError) in
            let store = try kind.open(folder)
            return (store: store, images: try store.images())
        }
        let warm = try cost { () throws(MediaError) in try cold.output.store.images() }
        guard cold.output.images == images, warm.output == images else {
            throw MediaError(.io, step: .storage, reason: "what was read is not what was stored")
        }
        return Cost(
            storeMilliseconds: stored.milliseconds, coldReadMilliseconds: cold.milliseconds,
            warmReadMilliseconds: warm.milliseconds, diskBytes: Double(bytes), storeMemoryBytes: stored.memory,
            readMemoryBytes: cold.memory)
    }

    /// Returns the time and the additional memory of the process that `work` takes.
    private static func cost<Output>(
        _ work: () throws(MediaError) -> Output
    ) throws(MediaError) -> (output: Output, milliseconds: Double, memory: Double?) {
        // Memory that was released by earlier work must not be counted.
        wr_release_freed_memory()
        let before = ProcessMemory.residentBytes(of: "self")
        let (output, measured) = try Gauge.measure { () throws(MediaError) in try work() }
        let isOwnPeak = measured.reason(for: .peakMemoryBytes) == nil
        let memory = isOwnPeak ? measured.peakMemoryBytes.flatMap { peak in before.map { max(0, peak - $0) } } : nil
        return (output, measured.wallMilliseconds, memory.map(Double.init))
    }

    /// Drops the pages of a folder's files from the kernel's cache, so that they are read from the disk again. A file
    /// system in memory has no other storage and keeps them.
    private static func evict(_ folder: String) {
        for name in Directory.entries(of: folder) {
            let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { continue }
            posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
            close(file)
        }
    }
}
