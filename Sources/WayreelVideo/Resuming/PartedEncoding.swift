internal import Synchronization
internal import WayreelAV
internal import WayreelCore

/// Encodes the pictures of a plan in parts of some seconds, each by encoders that begin anew: what a part becomes depends on its
/// own pictures alone, so that an interrupted encoding goes on with the first part that is missing and comes to the same bytes.
struct PartedEncoding {
    let picture: PicturePlan
    let source: AudioSource
    let look: Look
    let limits: VideoLimits
    let threads: Int
    let folder: PartsFolder
    /// Whether nothing was found amiss with the times of the source.
    let isRegular: Bool
    /// Seconds of output in a part.
    let partSeconds: Double
    /// Seconds of output that the last picture stays until.
    let heldUntil: Double
    /// Seconds between the small pictures that are kept for a preview; nil: there is none.
    let previewInterval: Double?

    /// A part of one rendition on its way from the source to the encoder.
    struct Opened: Sendable {
        let start: PartsFolder.Start
        let line: FrameLine
    }

    /// Encodes the parts that are missing; `progress` is told how far, in seconds of output.
    func run(watch: TaskWatch, progress: (Double) -> Void) throws(MediaError) {
        if let done = folder.parts.last { progress(done.end) }
        guard let start = folder.next else {
            folder.parts.last?.damage.warn(watch)
            return
        }
        let reading = watch.companion()
        let file = try MediaFile(source, limits: limits, watch: reading)
        let queues = picture.renditions.map { _ in BoundedQueue<Opened>(limit: 1) }
        let frames = try FrameSource(
            file, picture, threads: threads, limits: limits,
            parts: FrameSource.Parts(
                start: start, seconds: partSeconds, timesAreUnique: isRegular && file.mostGap == nil, queues: queues),
            heldUntil: heldUntil, watch: reading)
        let frameRate = file.info.streams[picture.stream].picture?.frameRate
        let finished = FinishedParts(folder, of: frames, renditions: picture.renditions.count)
        let crew = ThreadGroup<Double> { for queue in queues { queue.abandon { $0.line.abandon() } } }
        crew.start("decode") { (_) throws(MediaError) in
            try frames.run()
            frames.damage.warn(reading)
        }
        var watches = [reading]
        for (rendition, queue) in queues.enumerated() {
            let own = watch.companion()
            watches.append(own)
            crew.start("encode") { (tell) throws(MediaError) in
                try encode(queue, rendition, frameRate, finished, own) { if rendition == 0 { tell($0) } }
            }
        }
        defer { for one in watches { watch.adopt(one) } }
        let before = folder.parts.count
        try crew.wait(progress)
        let made = folder.parts.dropFirst(before)
        let written = picture.renditions.indices.map { index in made.reduce(0) { $0 + $1.renditions[index].frames } }
        frames.tally.check(written: written, watch)
    }

    private func encode(
        _ queue: BoundedQueue<Opened>, _ rendition: Int, _ frameRate: Rational?, _ finished: FinishedParts,
        _ watch: TaskWatch, _ tell: (Double) -> Void
    ) throws(MediaError) {
        var number = folder.parts.count
        var last: PartsFolder.Part.Rendition?
        while let part = try queue.take() {
            // The source must not wait for room in a line that nobody takes from.
            defer { part.line.abandon() }
            // A part counts when it is known where the next one begins.
            if let made = last {
                try finished.add(made, of: rendition, part: number, next: part.start)
                number += 1
            }
            let encoder = try RenditionEncoder(
                picture, rendition: rendition, look: look, frameRate: frameRate, watch: watch)
            let packets = try PacketFile.Writer(folder.packets(ofPart: number, rendition: rendition))
            let pictures = try previewWriter(rendition, part: number)
            var report = ProgressReport()
            try encoder.run(part.line, into: packets, observer: pictures.map(sampler)) { report.note($0, tell) }
            try pictures?.finish()
            last = PartsFolder.Part.Rendition(
                frames: encoder.count, bytes: encoder.bytes, end: encoder.end, quality: encoder.quality)
            tell(encoder.end)
        }
        if let made = last { try finished.add(made, of: rendition, part: number, next: nil) }
    }

    private func previewWriter(_ rendition: Int, part: Int) throws(MediaError) -> PreviewFile.Writer? {
        guard previewInterval != nil, rendition == picture.smallestRendition else { return nil }
        return try PreviewFile.Writer(folder.pictures(ofPart: part))
    }

    private func sampler(_ writer: PreviewFile.Writer) -> PreviewSampler {
        PreviewSampler(interval: previewInterval ?? 1, timeBase: picture.timing.timeBase) {
            (small) throws(MediaError) in try writer.take(small)
        }
    }
}

/// Which parts all renditions have come to the end of.
private final class FinishedParts: Sendable {
    private let count: Int
    private let frames: FrameSource
    private let open: Mutex<Open>

    private struct Open {
        let folder: PartsFolder
        /// By the numbers of parts and renditions.
        var made: [Int: [Int: PartsFolder.Part.Rendition]] = [:]
    }

    init(_ folder: PartsFolder, of frames: FrameSource, renditions count: Int) {
        self.count = count
        self.frames = frames
        open = Mutex(Open(folder: folder))
    }

    /// Says that a rendition has come to the end of a part, and where the next begins, or that there is none and the source
    /// has ended: all say the same.
    func add(
        _ made: PartsFolder.Part.Rendition, of rendition: Int, part: Int, next: PartsFolder.Start?
    ) throws(MediaError) {
        try open.withLock { (open) throws(MediaError) in
            open.made[part, default: [:]][rendition] = made
            guard let all = open.made[part], all.count == count else { return }
            open.made[part] = nil
            let part = PartsFolder.Part(
                renditions: (0..<count).compactMap { all[$0] }, heldSeconds: next == nil ? frames.heldSeconds : 0,
                damage: next?.damage ?? frames.damage)
            try open.folder.add(part, next: next)
        }
    }
}
