// The cost of storing the images of a chapter and reading them again, in three ways. Prints JSON.
//
//     StorageBench ROUNDS IMAGE...
//
// Stores the first image, then the first two, and so on. The ways take turns: a round is one run of each, after one that
// is not counted.

internal import CLinux
internal import FoundationEssentials
internal import Glibc
internal import WayreelBench
internal import WayreelCore

guard CommandLine.arguments.count > 2, let rounds = Int(CommandLine.arguments[1]), rounds > 0 else {
    print("usage: StorageBench ROUNDS IMAGE...")
    exit(2)
}

/// The figures of one run.
struct Cost {
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

func measure(_ images: [StoredImage], as kind: StorageKind, in folder: String) throws(MediaError) -> Cost {
    Directory.remove(folder)
    guard mkdir(folder, 0o700) == 0 else {
        throw MediaError(.io, step: .storage, subject: folder, reason: systemReason(errno))
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
func cost<Output>(
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

/// Drops the pages of a folder's files from the kernel's cache, so that they are read from the disk again. A file system
/// in memory has no other storage and keeps them.
func evict(_ folder: String) {
    for name in Directory.entries(of: folder) {
        let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { continue }
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        close(file)
    }
}

/// The median of a figure with its interval, as JSON.
func summary(_ costs: [Cost], _ figure: (Cost) -> Double?) -> String {
    guard let summary = Summary(costs.compactMap(figure)) else { return "null" }
    let interval = summary.interval.map { ", \"lower\": \($0.lower), \"upper\": \($0.upper)" } ?? ""
    return "{\"median\": \(summary.median)\(interval)}"
}

var images: [StoredImage] = []
for path in CommandLine.arguments.dropFirst(2) {
    let file = try MediaBytes.read(path: path, limit: 1 << 30)
    images.append(withExtendedLifetime(file) { StoredImage(name: path, bytes: Data($0.buffer)) })
}
let folder = try TemporaryFolder(for: "stored images", step: .storage)
var rows = images.indices.flatMap { last in
    StorageKind.allCases.map { (images: Array(images[...last]), kind: $0, costs: [Cost]()) }
}
for round in 0...rounds {
    for index in rows.indices {
        let cost = try measure(rows[index].images, as: rows[index].kind, in: "\(folder.path)/run")
        if round > 0 { rows[index].costs.append(cost) }
    }
}
let texts = rows.map { row in
    """
    {"images": \(row.images.count), "bytes": \(row.images.reduce(0) { $0 + $1.bytes.count }), \
    "kept_as": "\(row.kind.name)", "store_ms": \(summary(row.costs, \.storeMilliseconds)), \
    "cold_read_ms": \(summary(row.costs, \.coldReadMilliseconds)), \
    "warm_read_ms": \(summary(row.costs, \.warmReadMilliseconds)), \
    "disk_bytes": \(summary(row.costs, \.diskBytes)), "store_memory_bytes": \(summary(row.costs, \.storeMemoryBytes)), \
    "read_memory_bytes": \(summary(row.costs, \.readMemoryBytes))}
    """
}
print("[\(texts.joined(separator: ",\n"))]")
