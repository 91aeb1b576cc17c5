internal import CLinux
internal import Glibc
internal import WayreelBench
package import WayreelCore
internal import WayreelGauge

/// Measures the cost of storing and reading images, for each storage method.
package struct StorageBench: Sendable {
    /// The numbers of images to store together. Images are repeated if there are fewer.
    package var counts: [Int]
    /// The number of measured rounds, after one that is not counted.
    package var rounds: Int

    package init(counts: [Int], rounds: Int = 15) {
        self.counts = counts
        self.rounds = rounds
    }

    /// Runs all methods alternately: a round is one run of each.
    ///
    /// Throws a `parameter` error if there are no images, an `io` error if they cannot be stored or are not read back
    /// unchanged, and a `cancelled` error.
    package func run(
        _ images: [StoredImage], cancellation: Cancellation = Cancellation(), observe: (_ round: Int) -> Void = { _ in }
    ) throws(MediaError) -> StorageReport {
        guard !images.isEmpty else {
            throw MediaError(.parameter, step: "storage", reason: "there are no images to store")
        }
        let folder = try TemporaryFolder(for: "stored images", step: "storage")
        var rows = counts.flatMap { count in
            let images = Self.repeated(images, count)
            let bytes = images.reduce(0) { $0 + $1.bytes.count }
            return StorageKind.allCases.map { StorageRow(images: count, bytes: bytes, kind: $0) }
        }
        for round in 0...rounds {
            observe(round)
            for index in rows.indices {
                let task = TaskContext(cancellation: cancellation)
                try task.check()
                let images = Self.repeated(images, rows[index].images)
                let run = try Self.measure(images, as: rows[index].kind, in: "\(folder.path)/run")
                if round > 0 { rows[index].runs.append(run) }
            }
        }
        return StorageReport(machine: Machine.describe(), date: ReportDate.now, rows: rows)
    }

    private static func repeated(_ images: [StoredImage], _ count: Int) -> [StoredImage] {
        (0..<count).map { images[$0 % images.count] }
    }

    private static func measure(
        _ images: [StoredImage], as kind: StorageKind, in folder: String
    ) throws(MediaError) -> StorageRow.Run {
        Directory.remove(folder)
        guard mkdir(folder, 0o700) == 0 else {
            throw MediaError(.io, step: "storage", subject: folder, reason: systemReason(errno))
        }
        defer { Directory.remove(folder) }
        let stored = try cost { () throws(MediaError) in
            var store = try kind.open(folder)
            for image in images { try store.add(image) }
        }
        let bytes = Directory.byteCount(of: folder)
        evict(folder)
        let cold = try cost { () throws(MediaError) in
            let store = try kind.open(folder)
            return (store: store, images: try store.images())
        }
        try check(cold.output.images, images)
        let warm = try cost { () throws(MediaError) in try cold.output.store.images() }
        try check(warm.output, images)
        return StorageRow.Run(
            storeMilliseconds: stored.milliseconds, coldReadMilliseconds: cold.milliseconds,
            warmReadMilliseconds: warm.milliseconds, diskBytes: bytes, storeMemoryBytes: stored.memory,
            readMemoryBytes: cold.memory)
    }

    /// Returns the time and the additional memory of the process that `work` takes.
    private static func cost<Output>(
        _ work: () throws(MediaError) -> Output
    ) throws(MediaError) -> (output: Output, milliseconds: Double, memory: Int?) {
        // Memory that was released by earlier work must not be counted.
        wr_release_freed_memory()
        let before = ProcessMemory.residentBytes(of: "self")
        let (output, measured) = try Gauge.measure { () throws(MediaError) in try work() }
        let isOwnPeak = measured.reason(for: .peakMemoryBytes) == nil
        let memory = isOwnPeak ? measured.peakMemoryBytes.flatMap { peak in before.map { max(0, peak - $0) } } : nil
        return (output, measured.wallMilliseconds, memory)
    }

    private static func check(_ read: [StoredImage], _ images: [StoredImage]) throws(MediaError) {
        guard read == images else {
            throw MediaError(.io, step: "storage", reason: "what was read is not what was stored")
        }
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
