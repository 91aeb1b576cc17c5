internal import WayreelAV
internal import WayreelCore

/// Short excerpts of a video, as they go into the encoder of a rendition.
struct CRFSamples {
    struct Sample {
        var frame: Frame
        /// In units of the plan's time base, from 0 on without gaps between excerpts.
        var time: Int64
        var beginsExcerpt: Bool
    }

    private(set) var samples: [Sample] = []
    private(set) var excerpts = 0
    /// The length of all excerpts.
    private(set) var seconds = 0.0

    /// Seconds of an excerpt at most, and how many there are at most.
    private static let excerptSeconds = 1.5
    private static let mostExcerpts = 4
    /// Pixels of all samples together, which are kept in memory at 1.5 bytes each.
    private static let mostPixels = 96_000_000
    /// Pictures that are too few for an encoder to show what it can do with motion.
    private static let leastPictures = 10

    /// Decodes excerpts that lie evenly over the pictures of `plan`, as the first of its renditions.
    ///
    /// Where the length is not known, one from the beginning.
    init(
        _ plan: VideoPlan, of source: AudioSource, look: Effects, limits: VideoLimits, threads: Int, watch: TaskWatch
    ) throws(MediaError) {
        let finder = try FrameFinder(source, limits: limits, threads: threads, watch: watch)
        let rendition = plan.renditions[0]
        let room = max(Self.leastPictures, Self.mostPixels / max(1, rendition.size.pixels))
        let count = min(max(room / Self.leastPictures / 2, 1), Self.mostExcerpts)
        let range = plan.range ?? TimeRange()
        let length = finder.isSeekable ? range.length(in: finder.seconds) ?? 0 : 0
        let maker = FrameEffects(look)
        // All of a short video, where it fits.
        let starts = length > Self.excerptSeconds * Double(count) ? (0..<count).map(Double.init) : [-0.5]
        for start in starts {
            let instant = max(0, length * (start + 0.5) / Double(count) - Self.excerptSeconds / 2)
            try take(
                excerpt: range.start + instant, of: plan, from: finder, most: room / starts.count,
                until: starts.count == 1 ? Self.excerptSeconds * Double(count) : Self.excerptSeconds, maker, limits,
                watch)
        }
        guard !samples.isEmpty else {
            throw MediaError(
                .decoding, step: "decode", reason: "no picture in it can be decoded",
                advice: "send the whole file, from its first key frame on")
        }
    }

    private mutating func take(
        excerpt start: Double, of plan: VideoPlan, from finder: FrameFinder, most: Int, until length: Double,
        _ look: FrameEffects, _ limits: VideoLimits, _ watch: TaskWatch
    ) throws(MediaError) {
        let timeBase = plan.timing.timeBase
        let streamBase = finder.file.timeBase(of: plan.stream)
        let shared = try FilterGraph(plan.sharedChain, timeBase: streamBase, watch: watch)
        let own = try RenditionFilters(plan.renditions[0], timeBase: timeBase, watch: watch)
        var clock = FrameClock(plan.timing, seconds: nil, frameRate: finder.stream.picture?.frameRate)
        let offset = samples.last.map { $0.time + 1 } ?? 0
        var taken: [Sample] = []
        let finish = { (frame: Frame) throws(MediaError) in
            guard taken.count < most, let time = frame.time else { return }
            try look.apply(to: frame, watch: watch)
            taken.append(Sample(frame: frame, time: time, beginsExcerpt: taken.isEmpty))
        }
        let place = { (frame: Frame) throws(MediaError) in
            let seconds = Double(frame.time ?? 0) * streamBase.value - finder.file.origin
            guard let time = clock.place(seconds) else { return }
            frame.time = time
            try own.filter(frame) { (frame) throws(MediaError) in try finish(frame) }
        }
        var next = try finder.picture(at: start)?.found
        while let found = next, taken.count < most, found.seconds < start + length {
            found.frame.time = Int64(((found.seconds + finder.file.origin) / streamBase.value).rounded())
            try shared.filter(found.frame) { (frame) throws(MediaError) in try place(frame) }
            next = try finder.next()
        }
        try shared.filter(nil) { (frame) throws(MediaError) in try place(frame) }
        try own.filter(nil) { (frame) throws(MediaError) in try finish(frame) }
        guard let first = taken.first, let last = taken.last else { return }
        // The last picture is shown as long as those before it on average.
        let step = max(1, taken.count > 1 ? (last.time - first.time) / Int64(taken.count - 1) : 1)
        for index in taken.indices { taken[index].time += offset - first.time + (offset > 0 ? step : 0) }
        samples += taken
        excerpts += 1
        seconds += Double(last.time - first.time + step) * timeBase.value
    }
}
