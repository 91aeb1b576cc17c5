internal import WayreelAV
internal import WayreelCore

/// Encodes the pictures of a plan's only rendition in parts of some seconds, each by an encoder that begins anew: what a part
/// becomes depends on its own pictures alone, so that an interrupted encoding goes on with the first part that is missing and
/// comes to the same bytes.
struct PartedEncoding {
    let picture: PicturePlan
    let source: AudioSource
    let look: Look
    let limits: VideoLimits
    let threads: Int
    let folder: PartsFolder

    /// Seconds of output in a part.
    static let partSeconds = 10.0

    /// A part on its way from the source to the encoder.
    struct Opened: Sendable {
        let start: PartsFolder.Start
        let line: FrameLine
    }

    /// Encodes the parts that are missing; `progress` is told how far, in seconds of output.
    func run(watch: TaskWatch, progress: (Double) -> Void) throws(MediaError) {
        guard let start = folder.next else { return }
        if let done = folder.parts.last { progress(done.end) }
        let reading = watch.companion()
        let encoding = watch.companion()
        let file = try MediaFile(source, limits: limits, watch: reading)
        let parts = BoundedQueue<Opened>(limit: 1)
        let frames = try FrameSource(
            file, picture, threads: threads, limits: limits, parts: FrameSource.Parts(start: start, queue: parts),
            watch: reading)
        let frameRate = file.info.streams[picture.stream].picture?.frameRate
        let crew = WorkCrew<Double> { parts.abandon { $0.line.abandon() } }
        crew.start("decode") { (_) throws(MediaError) in
            try frames.run()
            frames.damage.warn(reading)
        }
        crew.start("encode") { (tell) throws(MediaError) in
            try encode(parts, frameRate, encoding, tell)
        }
        defer {
            watch.adopt(reading)
            watch.adopt(encoding)
        }
        try crew.wait(progress)
    }

    private func encode(
        _ parts: BoundedQueue<Opened>, _ frameRate: Rational?, _ watch: TaskWatch, _ tell: @Sendable (Double) -> Void
    ) throws(MediaError) {
        var finished: PartsFolder.Part?
        while let part = try parts.take() {
            // The source must not wait for room in a line that nobody takes from.
            defer { part.line.abandon() }
            // A part counts when it is known where the next one begins.
            if let finished { try folder.add(finished, next: part.start) }
            let encoder = try RenditionEncoder(
                picture.renditions[0], timing: picture.timing, look: look, frameRate: frameRate,
                keyFrameInterval: picture.keyFrameInterval, watch: watch)
            let writer = try PacketFile.Writer(folder.path(ofPart: folder.parts.count))
            var report = ProgressReport()
            try encoder.run(part.line, into: writer) { report.note($0, tell) }
            finished = PartsFolder.Part(frames: encoder.count, bytes: encoder.bytes, end: encoder.end)
            tell(encoder.end)
        }
        if let finished { try folder.add(finished, next: nil) }
    }
}
