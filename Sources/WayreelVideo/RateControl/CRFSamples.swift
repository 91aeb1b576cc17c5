internal import WayreelAV
internal import WayreelCore

/// Short excerpts of a video, in the form of the encoder input of a rendition.
struct CRFSamples {
    struct Sample {
        var frame: Frame
        /// The PTS in units of the plan's time base, from 0 without gaps between excerpts.
        var time: Int64
        var beginsExcerpt: Bool
    }

    private(set) var samples: [Sample] = []
    private(set) var excerpts = 0
    /// The length of all excerpts in seconds.
    private(set) var seconds = 0.0

    /// The maximum length of an excerpt in seconds, and the maximum number of excerpts.
    private static let excerptSeconds = 1.5
    private static let maxExcerpts = 4
    /// The maximum number of pixels of all samples, which are kept in memory at 1.5 bytes each.
    private static let maxPixels = 96_000_000
    /// The minimum number of frames that shows how an encoder handles motion.
    private static let minFrames = 10

    /// Decodes excerpts at even distances, in the form of the first rendition of `video`. If the length is unknown,
    /// there is one excerpt from the beginning.
    init(
        _ video: VideoPlan, of source: MediaInput, effects: Effects, limits: VideoLimits, threads: Int,
        task: TaskContext
    ) throws(MediaError) {
        let finder = try FrameFinder(source, limits: limits, threads: threads, task: task)
        let room = max(Self.minFrames, Self.maxPixels / max(1, video.renditions[0].size.pixels))
        let count = min(max(room / Self.minFrames / 2, 1), Self.maxExcerpts)
        let range = video.range ?? TimeRange()
        let length = finder.isSeekable ? range.length(in: finder.seconds) ?? 0 : 0
        let frameEffects = FrameEffects(effects)
        // A short video is used as a whole, if it fits.
        let starts = length > Self.excerptSeconds * Double(count) ? (0..<count).map(Double.init) : [-0.5]
        for start in starts {
            let time = max(0, length * (start + 0.5) / Double(count) - Self.excerptSeconds / 2)
            let excerpt = Excerpt(
                start: range.start + time,
                length: starts.count == 1 ? Self.excerptSeconds * Double(count) : Self.excerptSeconds,
                maxFrames: room / starts.count)
            append(try excerpt.frames(of: video, from: finder, frameEffects, task), video.timing.timeBase)
        }
        guard !samples.isEmpty else {
            throw MediaError(
                .decoding, step: "decode", reason: "none of its frames can be decoded",
                advice: "send the whole file, from its first keyframe on")
        }
    }

    /// Appends an excerpt after the last one.
    private mutating func append(_ frames: [Frame], _ timeBase: Rational) {
        guard let first = frames.first?.time, let last = frames.last?.time else { return }
        // The last frame is shown for the average duration of the previous frames.
        let step = max(1, frames.count > 1 ? (last - first) / Int64(frames.count - 1) : 1)
        let offset = samples.last.map { $0.time + 1 + step } ?? 0
        samples += frames.enumerated().map { index, frame in
            Sample(frame: frame, time: (frame.time ?? first) - first + offset, beginsExcerpt: index == 0)
        }
        excerpts += 1
        seconds += Double(last - first + step) * timeBase.value
    }
}

/// A part of a video from which samples are taken.
private struct Excerpt {
    /// The start in seconds on the file's timeline.
    var start: Double
    var length: Double
    var maxFrames: Int

    /// Returns the frames, scaled and with effects, with PTS in units of the plan's time base.
    func frames(
        of video: VideoPlan, from finder: FrameFinder, _ effects: FrameEffects, _ task: TaskContext
    ) throws(MediaError) -> [Frame] {
        let streamBase = finder.file.timeBase(of: video.stream)
        let shared = try FilterGraph(video.sharedChain, timeBase: streamBase, task: task)
        let filters = try RenditionFilters(video.renditions[0], timeBase: video.timing.timeBase, task: task)
        var clock = FrameGrid(video.timing, seconds: nil, frameRate: finder.stream.videoProperties?.frameRate)
        var found = try finder.frame(at: start)?.found
        var frames: [Frame] = []
        let decoded = { () throws(MediaError) -> Frame? in
            guard let current = found, frames.count < maxFrames, current.seconds < start + length else { return nil }
            found = try finder.next()
            return current.frame
        }
        let retimed = { () throws(MediaError) -> Frame? in
            while let frame = try shared.next(from: decoded) {
                let seconds = Double(frame.time ?? 0) * streamBase.value - finder.file.origin
                guard let pts = clock.pts(at: seconds) else { continue }
                frame.time = pts
                return frame
            }
            return nil
        }
        while let frame = try filters.next(from: retimed) {
            guard frames.count < maxFrames, frame.time != nil else { continue }
            try effects.apply(to: frame, task: task)
            frames.append(frame)
        }
        return frames
    }
}
