internal import Glibc
package import WayreelCore
internal import WayreelTasks

/// How the memory of the service is divided, in bytes. All limits follow from one amount, `--memory`, so that their sum
/// fits into the machine, the container or the unit.
package struct MemoryPlan: Sendable {
    /// What the service and its child processes may take.
    let total: Int
    /// What `total` follows from.
    private let source: String
    /// The program itself, with the results that it keeps in memory.
    let program: Int
    private let cachedResults: Int
    let connections: Int
    let connectionBytes: Int
    let liveStreams: Int
    /// Live streams of sensors, and their viewers; 0 without them.
    let sensorStreams: Int
    private let sensorStreamBytes: Int
    let viewers: Int
    /// Images that this process prepares at the same time.
    let workers: Int
    /// The largest estimate of an image that is prepared in this process; others get a child process.
    let imageBytes: Int
    /// Bodies of requests, images of folders and other servers, and answers.
    let requests: Int
    /// Child processes of images, how many run at once, what they may take together, and the largest one.
    let imageChildren: Int
    let imageChildCount: Int
    var runningImageChildren: Int { imageChildren - imageChildCount * Self.idleChildBytes }
    let imageChildBytes: Int
    /// Child processes of videos, and the largest one; 0 without `--data`.
    let videoChildren: Int
    let videoChildBytes: Int
    private let videos: Int
    private let clientBytes: Int

    /// What the program takes when it prepares small images only, with its libraries, threads and heaps: 65 MB, measured,
    /// and half of that again for gaps in the heaps.
    private static let programBytes = 96_000_000
    /// Measured with 10,000 idle connections: 15 kB each.
    private static let plainConnectionBytes = 16_000
    /// Likewise, with TLS.
    private static let securedConnectionBytes = 64_000
    /// A stream of live levels: a frame that arrives, and one that is metered.
    private static let liveStreamBytes = 600_000
    /// The samples that a live stream of sensors keeps for its viewers.
    static let sensorRingBytes = 4_000_000
    /// Likewise, with the messages of its sender: one that arrives, and one that is read.
    private static let sensorStreamBytes = sensorRingBytes + 600_000
    /// What is recorded of it: lines that wait, and lines that are being stored.
    private static let recorderBytes = 2 * LiveRecorder.maxWaiting
    /// A viewer: a message that waits to be sent, and one that is written.
    private static let viewerBytes = 600_000
    private static let imageBytesRange = 32_000_000...128_000_000
    /// What a child process may hold between two images.
    static let idleChildBytes = 48_000_000
    /// What a child process needs at most to measure audio, in bytes: packets, tables of a demuxer, about a megabyte of readings,
    /// and the output, which is in memory until it is read.
    static let levelsBytes = 64_000_000
    /// The largest processes of images that run beside each other, so that one client cannot take all memory.
    private static let largestChildrenAtOnce = 2

    /// Throws a `parameter` error where the memory is too small for the settings.
    package init(_ settings: ServiceSettings) throws(MediaError) {
        (total, source) = Self.total(settings.memory)
        workers = settings.jobs ?? WorkPool.availableCores
        cachedResults = settings.cache == nil ? 0 : settings.cacheMemory
        program = Self.programBytes + cachedResults
        connectionBytes = settings.certificate == nil ? Self.plainConnectionBytes : Self.securedConnectionBytes
        // Connections of a small service are fewer than the default.
        connections = max(16, min(settings.maxConnections, total / 8 / connectionBytes))
        liveStreams = max(1, min(settings.liveStreams, total / 16 / Self.liveStreamBytes))
        let hasSensors = settings.hasSensorStreams
        sensorStreamBytes = Self.sensorStreamBytes + (settings.data == nil ? 0 : Self.recorderBytes)
        sensorStreams = hasSensors ? max(1, min(settings.sensorStreams, total / 64 / sensorStreamBytes)) : 0
        viewers = hasSensors ? max(1, min(settings.viewers, total / 64 / Self.viewerBytes)) : 0
        let sensors = sensorStreams * sensorStreamBytes + viewers * Self.viewerBytes
        let rest = total - program - connections * connectionBytes - liveStreams * Self.liveStreamBytes - sensors
        imageBytes = min(max(rest / 8 / workers, Self.imageBytesRange.lowerBound), Self.imageBytesRange.upperBound)
        let shared = max(0, rest - workers * imageBytes)
        videos = settings.data == nil ? 0 : settings.transcodes
        requests = min(settings.queueBytes ?? shared / (videos == 0 ? 3 : 4), shared)
        imageChildren = (shared - requests) / (videos == 0 ? 1 : 2)
        videoChildren = shared - requests - imageChildren
        let wanted = settings.maxMemory ?? .max
        imageChildCount = max(1, min(workers, imageChildren / (4 * Self.idleChildBytes)))
        // Where memory is scarce, one process at a time has what it needs.
        let running = imageChildren - imageChildCount * Self.idleChildBytes
        imageChildBytes = min(
            wanted, max(running / Self.largestChildrenAtOnce, min(running, Isolation.minMemoryBytes)))
        videoChildBytes = videos == 0 ? 0 : min(wanted, videoChildren / videos)
        clientBytes = max(1, Int(Double(requests) * settings.clientShare))
        try check(settings)
    }

    private func check(_ settings: ServiceSettings) throws(MediaError) {
        let fault = ErrorSite(.parameter, step: .settings)
        guard requests > 0, imageChildBytes >= Isolation.minMemoryBytes,
            videos == 0 || videoChildBytes >= Isolation.minMemoryBytes
        else {
            throw fault(
                "\(total.inMegabytes) of memory are too little: "
                    + "a process of an image would have \(max(0, imageChildBytes).inMegabytes)"
                    + (videos == 0 ? "" : ", one of a video \(max(0, videoChildBytes).inMegabytes)")
                    + "; \(Isolation.minMemoryBytes.inMegabytes) are needed",
                "raise --memory, or lower --max-connections, --cache-memory, --jobs or --transcodes")
        }
        if let wanted = settings.maxMemory, wanted > max(imageChildBytes, videoChildBytes) {
            throw fault(
                "max-memory of \(wanted.inMegabytes) does not fit into memory of \(total.inMegabytes): a process can have "
                    + "\(max(imageChildBytes, videoChildBytes).inMegabytes)",
                "raise --memory, or lower --max-memory")
        }
    }

    /// One line for each part, which `--check` prints.
    package var lines: [String] {
        func line(_ bytes: Int, _ text: String) -> String {
            let number = bytes.inMegabytes
            return String(repeating: " ", count: max(0, 12 - number.count)) + number + "  " + text
        }
        let results = cachedResults == 0 ? "" : ", with \(cachedResults.inMegabytes) of results (--cache-memory)"
        let videos = "processes of videos (--transcodes), one at most \(videoChildBytes.inMegabytes)"
        let sensors = "\(sensorStreams) streams of sensors (--sensor-streams), \(viewers) viewers (--viewers)"
        return [
            "memory: \(total.inMegabytes), \(source)", line(program, "the program\(results)"),
            line(
                connections * connectionBytes,
                "\(connections) connections of \(connectionBytes / 1000) kB (--max-connections)"),
            line(liveStreams * Self.liveStreamBytes, "\(liveStreams) streams of live levels (--live-streams)"),
        ] + (viewers > 0 ? [line(sensorStreams * sensorStreamBytes + viewers * Self.viewerBytes, sensors)] : [])
            + [
                line(
                    workers * imageBytes,
                    "\(workers) images at once in this process (--jobs), \(imageBytes.inMegabytes) each"),
                line(
                    requests,
                    "uploads, sources and answers (--queue-bytes), one client at most \(clientBytes.inMegabytes) (--client-share)"
                ),
                line(
                    imageChildren,
                    "processes of larger images and other formats, one at most \(imageChildBytes.inMegabytes)"),
            ] + (self.videos > 0 ? [line(videoChildren, videos)] : [])
    }

    // MARK: What there is

    private static let smallBytes = 1_000_000_000

    private static func total(_ wanted: Int?) -> (bytes: Int, source: String) {
        if let wanted { return (wanted, "as set with --memory") }
        let machine = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        if let group = groupLimit(), group < machine {
            // The rest is for page tables, the kernel's buffers of sockets, and processes between two looks at their memory.
            return (group / 8 * 7, "7/8 of the \(group.inMegabytes) of the control group; --memory sets it")
        }
        // A small machine has little else to do.
        let small = min(machine / 4 * 3, smallBytes)
        return small > machine / 2
            ? (small, "3/4 of the machine's, at most \(smallBytes.inMegabytes); --memory sets it")
            : (machine / 2, "half of the machine's; --memory sets it")
    }

    /// The limit of this process's control group or one above it (cgroup v2 or v1); nil without any.
    private static func groupLimit() -> Int? {
        let groups = text("/proc/self/cgroup")?.split(separator: "\n") ?? []
        var limits: [Int] = []
        for group in groups {
            let parts = group.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isMemory = parts[1].split(separator: ",").contains("memory")
            guard parts[1].isEmpty || isMemory else { continue }
            let (root, file) =
                isMemory ? ("/sys/fs/cgroup/memory", "memory.limit_in_bytes") : ("/sys/fs/cgroup", "memory.max")
            var path = parts[2]
            while true {
                let name = "\(root)\(path == "/" ? "" : path)/\(file)"
                if let limit = text(name)?.split(separator: "\n").first.flatMap({ Int($0) }) { limits.append(limit) }
                guard let slash = path.lastIndex(of: "/"), path != "/" else { break }
                path = slash == path.startIndex ? "/" : path[..<slash]
            }
        }
        return limits.min()
    }

    private static func text(_ path: String) -> String? {
        guard let file = try? OpenFile(path) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        guard
            let count = try? bytes.withUnsafeMutableBytes({ bytes throws(SystemError) in
                try file.read(into: bytes, at: 0)
            })
        else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}

extension Int {
    /// `850 MB`.
    fileprivate var inMegabytes: String { "\(self / 1_000_000) MB" }
}
