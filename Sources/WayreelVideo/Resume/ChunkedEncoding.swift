internal import FoundationEssentials
internal import Synchronization
internal import WayreelAV
internal import WayreelCore
internal import WayreelImage

/// Encodes a video in chunks of some seconds, each with new encoders. A chunk depends only on its own frames, so that
/// an interrupted encoding can resume with the first missing chunk and produces the same bytes.
struct ChunkedEncoding {
    let video: VideoPlan
    let source: MediaInput
    let effects: Effects
    let limits: VideoLimits
    let threads: Int
    let folder: ChunkFolder
    /// Whether the timestamps of the source are regular.
    let isRegular: Bool
    /// The length of a chunk in seconds of output.
    let chunkSeconds: Double
    /// The time in seconds of output until which the last frame is shown at least.
    let heldUntil: Double
    /// The seconds between thumbnails; nil: no thumbnails.
    let thumbnailInterval: Double?

    /// Encodes the missing chunks; `progress` receives the position in seconds of output.
    func run(task: TaskContext, progress: (Double) -> Void) throws(MediaError) {
        if let done = folder.chunks.last { progress(done.end) }
        guard let start = folder.next else {
            folder.chunks.last?.damage.warn(task)
            return
        }
        let decodingContext = task.child()
        let file = try Demuxer(source, limits: limits, task: decodingContext)
        let queues = video.renditions.map { _ in BoundedQueue<ChunkQueue>(limit: 1) }
        let stage = try DecodeStage(
            file, video, threads: threads, limits: limits,
            chunks: DecodeStage.Chunks(
                start: start, seconds: chunkSeconds, timesAreUnique: isRegular && file.maxTimestampGap == nil,
                queues: queues),
            heldUntil: heldUntil, task: decodingContext)
        let decoding = StageHandover<DecodeStage, DecodeStage.Outcome>(stage)
        let finished = FinishedChunks(folder, of: decoding, renditions: video.renditions.count)
        let group = ThreadGroup<Double> { for queue in queues { queue.abandon { $0.frames.abandon() } } }
        group.start("decode") { (_) throws(MediaError) in
            try decoding.run { (stage) throws(MediaError) in try stage.run() }
            try decoding.result().damage.warn(decodingContext)
        }
        var contexts = [decodingContext]
        for (rendition, queue) in queues.enumerated() {
            let own = task.child()
            contexts.append(own)
            group.start("encode") { (report) throws(MediaError) in
                try encode(queue, rendition, finished, own) { if rendition == 0 { report($0) } }
            }
        }
        defer { for context in contexts { task.merge(context) } }
        let before = folder.chunks.count
        try group.wait(progress)
        let made = folder.chunks.dropFirst(before)
        let written = video.renditions.indices.map { index in made.reduce(0) { $0 + $1.renditions[index].frames } }
        try decoding.result().tally.check(written: written, task)
    }

    private func encode(
        _ queue: BoundedQueue<ChunkQueue>, _ rendition: Int, _ finished: FinishedChunks, _ task: TaskContext,
        _ report: (Double) -> Void
    ) throws(MediaError) {
        var number = folder.chunks.count
        var last: EncodedRendition?
        while let chunk = try queue.take() {
            // The decoder must not wait for a queue that is no longer read.
            defer { chunk.frames.abandon() }
            // A chunk is finished once the start of the next one is known.
            if let made = last {
                try finished.add(made, of: rendition, chunk: number, next: chunk.start)
                number += 1
            }
            let encoder = try RenditionEncoder(video, rendition: rendition, effects: effects, task: task)
            let packets = try PacketFile.Writer(folder.packets(ofChunk: number, rendition: rendition))
            let thumbnails = try thumbnailWriter(rendition, chunk: number)
            var progress = ProgressThrottle()
            try encoder.run(chunk.frames, into: packets, thumbnails: thumbnails.map(sampler)) {
                progress.report($0, report)
            }
            try thumbnails?.finish()
            last = encoder.result
            report(encoder.result.end)
        }
        if let made = last { try finished.add(made, of: rendition, chunk: number, next: nil) }
    }

    private func thumbnailWriter(_ rendition: Int, chunk: Int) throws(MediaError) -> ThumbnailFile.Writer? {
        guard thumbnailInterval != nil, rendition == video.smallestRendition else { return nil }
        return try ThumbnailFile.Writer(folder.thumbnails(ofChunk: chunk))
    }

    private func sampler(_ writer: ThumbnailFile.Writer) -> ThumbnailSampler {
        ThumbnailSampler(interval: thumbnailInterval ?? 1, timeBase: video.timing.timeBase, into: writer)
    }
}

/// Collects the finished renditions of each chunk, and records a chunk when all its renditions are finished.
private final class FinishedChunks: Sendable {
    private let count: Int
    private let decoding: StageHandover<DecodeStage, DecodeStage.Outcome>
    private let folder: ChunkFolder
    private let open: Mutex<Open>
    /// The number of chunks of the manifest on disk. A thread that only adds a rendition does not wait for this lock.
    private let written = Mutex(0)

    private struct Open {
        let folder: ChunkFolder
        /// The results by the numbers of chunks and renditions.
        var made: [Int: [Int: EncodedRendition]] = [:]
    }

    init(
        _ folder: ChunkFolder, of decoding: StageHandover<DecodeStage, DecodeStage.Outcome>, renditions count: Int
    ) {
        self.count = count
        self.folder = folder
        self.decoding = decoding
        open = Mutex(Open(folder: folder))
    }

    /// Adds a finished rendition of a chunk. `next`: the start of the next chunk; nil at the end of the source.
    func add(_ made: EncodedRendition, of rendition: Int, chunk: Int, next: ChunkStart?) throws(MediaError) {
        // The end of the decoder's queues precedes its result.
        let end = next == nil ? try decoding.result() : nil
        let manifest: ChunkManifest? = open.withLock { open in
            open.made[chunk, default: [:]][rendition] = made
            guard let all = open.made[chunk], all.count == count else { return nil }
            open.made[chunk] = nil
            let finished = ChunkManifest.Chunk(
                renditions: (0..<count).compactMap { all[$0] }, heldSeconds: end?.heldSeconds ?? 0,
                damage: next?.damage ?? end?.damage ?? DecodingDamage())
            return open.folder.add(finished, next: next)
        }
        guard let manifest else { return }
        try written.withLock { (written) throws(MediaError) in
            // Another thread may have written a manifest with more chunks.
            guard manifest.chunks.count > written else { return }
            try folder.write(manifest)
            written = manifest.chunks.count
        }
    }
}

extension TranscodeJob {
    /// Encodes the video of `plan` in chunks. The last frame is shown until `heldUntil`. Returns nil if the video is
    /// encoded as a whole.
    func encodeChunks(
        of plan: TranscodePlan, heldUntil: Double = 0, _ progress: (Double) -> Void
    ) throws(MediaError) -> ChunkFolder? {
        guard let video = plan.video, let chunkSeconds = video.chunkSeconds else { return nil }
        // A pipe cannot be read or written again by another run.
        guard output != "-", let identity = identity(of: plan) else {
            guard options.isResumable == true else { return nil }
            throw MediaError(
                .parameter, step: .plan, reason: "a transcode from or to a pipe cannot be resumed",
                advice: "name files")
        }
        let folder = try ChunkFolder(beside: output, identity: identity, renditions: video.renditions.count)
        let encoding = ChunkedEncoding(
            video: video, source: source, effects: effects, limits: options.limits, threads: threads, folder: folder,
            isRegular: plan.source.stream(video.stream)?.irregularities.isEmpty ?? false, chunkSeconds: chunkSeconds,
            heldUntil: heldUntil, thumbnailInterval: options.delivery.hls?.previewInterval)
        meter.resume(at: folder.chunks.last?.end ?? 0)
        try folder.keep { () throws(MediaError) in try encoding.run(task: task, progress: progress) }
        return folder
    }

    /// Removes the chunks when the output is complete, or those of an earlier run with other options.
    func clear(_ chunks: ChunkFolder?) {
        if let chunks {
            chunks.remove()
        } else if output != "-" {
            ChunkFolder.removeStale(beside: output)
        }
    }

    /// Runs `body`, which uses `chunks`, if there are any: its errors mention that they are kept.
    func keeping<Result>(
        _ chunks: ChunkFolder?, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        guard let chunks else { return try body() }
        return try chunks.keep(body)
    }

    /// Returns an identifier of everything that chunks depend on: the plan and the options, the program, and the
    /// source and other files by their paths, sizes and times. Returns nil for a pipe.
    private func identity(of plan: TranscodePlan) -> String? {
        guard let path = source.path, !path.hasPrefix("/proc/self/fd/"), let file = FileStamp(of: path) else {
            return nil
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let values: [any Encodable] = [plan, options.video, options.delivery, FFmpegVersions.all]
        let texts = values.compactMap { try? encoder.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
        guard texts.count == values.count else { return nil }
        let others = ["/proc/self/exe"] + options.video.filters.flatMap(\.files) + options.video.overlays.imagePaths
        return (texts + [file.text] + others.map { FileStamp(of: $0)?.text ?? $0 }).joined(separator: "\n")
    }
}
