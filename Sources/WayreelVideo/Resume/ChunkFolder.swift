internal import Glibc
internal import Synchronization
internal import WayreelAV
package import WayreelCore

/// The finished chunks of an encoding that may be interrupted, in a folder beside its output: `out.mp4.parts`, with
/// the packets of each chunk and rendition, `4-0.packets`, and the thumbnails of each chunk, `4.thumbnails`.
///
/// The chunks belong to one plan for one file; other chunks are discarded.
package final class ChunkFolder: Sendable {
    let path: String
    private let lock: Int32
    private let manifest: Mutex<ChunkManifest>

    private static let manifestName = "parts.json"
    private static let lockName = "lock"
    private static let packets = ".packets"
    private static let thumbnails = ".thumbnails"
    /// The content of the lock file: marks the folder as Wayreel's.
    private static let mark = Array("Chunks of an unfinished Wayreel transcode.\n".utf8)

    private var manifestPath: String { "\(path)/\(Self.manifestName)" }

    /// Opens or creates the folder beside `output`, for a plan with the given number of renditions.
    ///
    /// `identity`: identifies the plan and the file. Throws an `io` error if the folder cannot be written, another
    /// process uses it, or it contains files that Wayreel has not written.
    init(beside output: String, identity: String, renditions: Int) throws(MediaError) {
        path = Self.path(beside: output)
        let isNew = mkdir(path, 0o777) == 0
        guard isNew || errno == EEXIST else { throw Self.fault(path, errno) }
        if !isNew { try Self.checkIsOwn(path) }
        lock = open("\(path)/\(Self.lockName)", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard lock >= 0 else { throw Self.fault(path, errno) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw MediaError(
                .io, step: .write, subject: path, reason: "another process is writing it",
                advice: "wait until it has ended")
        }
        guard pwrite(lock, Self.mark, Self.mark.count, 0) == Self.mark.count else {
            let code = errno
            close(lock)
            throw Self.fault(path, code)
        }
        let found = ChunkManifest.read("\(path)/\(Self.manifestName)").flatMap {
            $0.isUsable(identity: identity, renditions: renditions) ? $0 : nil
        }
        manifest = Mutex(found ?? ChunkManifest(identity: identity))
        if found == nil { removeChunks() }
    }

    deinit { close(lock) }

    private static func path(beside output: String) -> String { Directory.resolved(output) + ".parts" }

    private static var fault: ErrorSite { ErrorSite(.io, step: .write) }

    // MARK: Ownership

    /// Throws an `io` error if a folder contains files that Wayreel has not written there.
    private static func checkIsOwn(_ path: String) throws(MediaError) {
        let names = Directory.entries(of: path).sorted()
        guard let foreign = names.first(where: { !isOwn($0) }) ?? (isMarked(path, names) ? nil : names.first) else {
            return
        }
        throw MediaError(
            .io, step: .write, subject: path,
            reason: "the folder holds '\(foreign)', which Wayreel has not written there",
            advice: "name another output, or move this folder away")
    }

    /// Whether a run has recorded that it created the folder: by its mark or, in older versions, by its manifest. A
    /// run that was killed immediately leaves only an empty lock file.
    private static func isMarked(_ path: String, _ names: [String]) -> Bool {
        if (try? MediaBytes.read(path: "\(path)/\(lockName)", limit: 1 << 10))?.array == mark { return true }
        return names == [lockName] && Directory.byteCount(of: "\(path)/\(lockName)") == 0
            || ChunkManifest.read("\(path)/\(manifestName)") != nil
    }

    private static func isOwn(_ name: String) -> Bool {
        isOfChunk(name) || name == manifestName || name == lockName || OutputFile.isUnfinished(name)
    }

    /// Whether the file belongs to a chunk: `4-0.packets` or `4.thumbnails`.
    private static func isOfChunk(_ name: String) -> Bool {
        let isNumber = { (text: Substring) in !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) } }
        if name.hasSuffix(thumbnails) { return isNumber(name.dropLast(thumbnails.count)) }
        guard name.hasSuffix(packets) else { return false }
        let numbers = name.dropLast(packets.count).split(separator: "-", omittingEmptySubsequences: false)
        return numbers.count == 2 && numbers.allSatisfy(isNumber)
    }

    /// Removes the folder beside `output` that a terminated process has left, if it contains nothing else.
    static func removeStale(beside output: String) {
        let path = path(beside: output)
        let lock = open("\(path)/\(lockName)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard lock >= 0 else { return }
        defer { close(lock) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0, (try? checkIsOwn(path)) != nil else { return }
        removeFiles(in: path, isOwn)
        rmdir(path)
    }

    private static func removeFiles(in path: String, _ isRemoved: (String) -> Bool) {
        OutputFile.discardUnfinished(in: path)
        for name in Directory.entries(of: path) where isRemoved(name) { unlink("\(path)/\(name)") }
    }

    /// Removes the folder when the output is complete.
    func remove() {
        Self.removeFiles(in: path, Self.isOwn)
        rmdir(path)
    }

    private func removeChunks() {
        unlink(manifestPath)
        Self.removeFiles(in: path, Self.isOfChunk)
    }

    // MARK: Chunks

    /// The finished chunks in order.
    var chunks: [ChunkManifest.Chunk] { manifest.withLock(\.chunks) }
    /// The start of the next chunk; nil if all are finished.
    var next: ChunkStart? { manifest.withLock(\.next) }

    func packets(ofChunk number: Int, rendition: Int) -> String { "\(path)/\(number)-\(rendition)\(Self.packets)" }

    func thumbnails(ofChunk number: Int) -> String { "\(path)/\(number)\(Self.thumbnails)" }

    /// Adds the next finished chunk, and the start of the one after it. Returns the manifest to write.
    func add(_ chunk: ChunkManifest.Chunk, next: ChunkStart?) -> ChunkManifest {
        manifest.withLock { manifest in
            manifest.chunks.append(chunk)
            manifest.next = next
            return manifest
        }
    }

    /// Records the chunks of a manifest as finished. Waits for the disk.
    func write(_ manifest: ChunkManifest) throws(MediaError) { try manifest.write(manifestPath) }

    /// Runs `body`, which uses these chunks. If it throws, the error mentions that they are kept; if there are none
    /// yet, the folder is removed.
    func keep<Result>(_ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        do { return try body() } catch {
            guard !chunks.isEmpty else {
                remove()
                throw error
            }
            var failure = error
            let kept = "finished parts are in \(path), and the next run resumes from there"
            failure.advice = error.advice.map { "\($0); \(kept)" } ?? MediaError.Advice(kept)
            throw failure
        }
    }
}

extension ChunkFolder: EncodedVideo {
    package var first: EncodedRendition {
        chunks.compactMap(\.renditions.first).reduce(EncodedRendition()) { $0.joined(with: $1) }
    }

    package var heldSeconds: Double { chunks.last?.heldSeconds ?? 0 }

    package func write(rendition: Int, to sink: any PacketSink, task: TaskContext) throws(MediaError) {
        var times = DecodingTimeFilter()
        for number in chunks.indices {
            try task.check()
            let file = try PacketFile.Reader(packets(ofChunk: number, rendition: rendition))
            while let packet = try file.next() {
                times.apply(to: packet)
                try sink.take(packet)
            }
        }
        try sink.finish()
    }

    package func writeThumbnails(to sink: any ThumbnailSink, task: TaskContext) throws(MediaError) {
        for number in chunks.indices {
            try task.check()
            let file = try ThumbnailFile.Reader(thumbnails(ofChunk: number))
            while let thumbnail = try file.next() { try sink.take(thumbnail) }
        }
    }
}
