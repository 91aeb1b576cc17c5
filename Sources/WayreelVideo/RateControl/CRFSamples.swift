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
    /// The maximum number of pixels of all samples, of one rendition and of several. They are kept in memory at 1.5
    /// bytes each.
    private static let maxPixels = (alone: 96_000_000, together: 132_000_000)
    /// The maximum number of frames of several renditions, each of which is encoded at least once.
    private static let maxFramesTogether = 80
    /// The seconds that a video must lack for a declared length to be wrong rather than inexact.
    private static let minShortfall = 0.5
    /// The minimum number of frames that shows how an encoder handles motion.
    private static let minFrames = 10

    /// Decodes excerpts at even distances, once for all renditions, in whose order the results are. If the length is
    /// unknown, there is one excerpt from the beginning. `seconds` is the length of the video if it is shorter than
    /// declared; nil otherwise.
    static func decoded(
        _ video: VideoPlan, _ renditions: [RenditionPlan], of source: MediaInput, effects: Effects, limits: VideoLimits,
        threads: Int, task: TaskContext
    ) throws(MediaError) -> (samples: [CRFSamples], seconds: Double?) {
        let finder = try FrameFinder(source, limits: limits, threads: threads, task: task)
        let pixels = renditions.reduce(0) { $0 + $1.size.pixels }
        let room =
            renditions.count > 1
            ? min(max(minFrames, maxPixels.together / max(1, pixels)), maxFramesTogether)
            : max(minFrames, maxPixels.alone / max(1, pixels))
        let range = video.range ?? TimeRange()
        let declared = finder.isSeekable ? range.length(in: finder.seconds) ?? 0 : 0
        let frameEffects = renditions.map { _ in FrameEffects(effects) }
        func excerpts(_ length: Double) throws(MediaError) -> (parts: [[[Frame]]], end: Double?) {
            var parts: [[[Frame]]] = []
            var end: Double?
            // The last excerpt comes first: it shows whether the video is as long as it declares.
            for excerpt in self.excerpts(range.start, length, room).reversed() {
                let found = try excerpt.frames(of: video, renditions, from: finder, frameEffects, task)
                end = end ?? found.end
                // The video ends before this excerpt.
                if found.frames[0].isEmpty { return ([], end) }
                parts.append(found.frames)
            }
            return (parts.reversed(), end)
        }
        var found = try excerpts(declared)
        let end = found.end.map { max(0, $0 - range.start) }.flatMap { $0 < declared - minShortfall ? $0 : nil }
        if let end, found.parts.isEmpty { found = try excerpts(end) }
        var samples = renditions.map { _ in CRFSamples() }
        for part in found.parts {
            for index in samples.indices { samples[index].append(part[index], video.timing.timeBase) }
        }
        guard samples.allSatisfy({ !$0.samples.isEmpty }) else {
            throw MediaError.undecodable()
        }
        return (samples, end)
    }

    private static func excerpts(_ start: Double, _ length: Double, _ room: Int) -> [Excerpt] {
        let count = min(max(room / minFrames / 2, 1), maxExcerpts)
        // A short video is used as a whole, if it fits.
        guard length > excerptSeconds * Double(count) else {
            return [Excerpt(start: start, length: excerptSeconds * Double(count), maxFrames: room)]
        }
        return (0..<count).map { index in
            let time = max(0, length * (Double(index) + 0.5) / Double(count) - excerptSeconds / 2)
            return Excerpt(start: start + time, length: excerptSeconds, maxFrames: room / count)
        }
    }

    /// Appends an excerpt after the last one.
    private mutating func append(_ frames: [Frame], _ timeBase: Rational) {
        guard let first = frames.first?.time, let last = frames.last?.time else { return }
        // The last frame is shown for the average duration of the previous frames.
        let step = max(1, frames.count > 1 ? (last - first) / Int64(frames.count - 1) : 1)
        let offset = samples.last.map { $0.time + step } ?? 0
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

    /// Returns the frames of each rendition, scaled and with effects, with PTS in units of the plan's time base: none
    /// if the video ends before the excerpt begins. `end`: the end of the video, if it was found.
    func frames(
        of video: VideoPlan, _ renditions: [RenditionPlan], from finder: FrameFinder, _ effects: [FrameEffects],
        _ task: TaskContext
    ) throws(MediaError) -> (frames: [[Frame]], end: Double?) {
        let streamBase = finder.file.timeBase(of: video.stream)
        let shared = try FilterGraph(video.sharedFilters, timeBase: streamBase, task: task)
        var filters: [RenditionFilters] = []
        for rendition in renditions {
            filters.append(
                try RenditionFilters(video.filters(of: rendition), timeBase: video.timing.timeBase, task: task))
        }
        var clock = FrameClock(video.timing, seconds: nil, frameRate: finder.stream.videoProperties?.frameRate)
        let first = try finder.frame(at: start)
        var frames = renditions.map { _ in [Frame]() }
        if let first, first.isPastEnd { return (frames, first.found.seconds) }
        var found = first?.found
        var last = start
        let decoded = { () throws(MediaError) -> Frame? in
            guard let current = found, frames[0].count < maxFrames, current.seconds < start + length else { return nil }
            last = current.seconds
            found = try finder.next()
            return current.frame
        }
        var hasEnded = false
        while !hasEnded {
            let frame = try shared.next(from: decoded)
            hasEnded = frame == nil
            if let frame {
                let seconds = Double(frame.time ?? 0) * streamBase.value - finder.file.origin
                guard let pts = clock.pts(at: seconds) else { continue }
                frame.time = pts
            }
            for index in renditions.indices {
                // Each rendition changes its own copy.
                try filters[index].send(frame?.copy())
                while let own = try filters[index].next() {
                    guard frames[index].count < maxFrames, own.time != nil else { continue }
                    try effects[index].apply(to: own, task: task)
                    frames[index].append(own)
                }
            }
        }
        return (frames, found == nil ? last : nil)
    }
}

/// Measures the similarity of encoded and original frames while a video is encoded, on a sample of its frames.
///
/// Must be used by one thread at a time.
final class QualityMeter {
    /// The sum of the similarities of compared frames, and their number.
    struct Tally: Codable, Equatable {
        var sum = 0.0
        var count = 0

        /// The mean similarity; nil if no frames were compared.
        var similarity: Double? { count > 0 ? sum / Double(count) : nil }

        static func + (one: Tally, other: Tally) -> Tally {
            Tally(sum: one.sum + other.sum, count: one.count + other.count)
        }
    }

    /// The sampling interval in frames: a prime, so that it is not a multiple of a B-frame pattern.
    private static let interval = 7

    private let decoder: VideoDecoder
    private var comparison: Similarity
    /// Original frames whose encoded frames are not decoded yet, in display order.
    private var pending: [Frame] = []
    private var taken = 0
    private var decoded = 0
    private(set) var tally = Tally()

    /// Creates a meter for the frames of `encoder`. Returns nil if `size` is too small for measuring similarity.
    init?(of encoder: VideoEncoder, size: PixelSize) throws(MediaError) {
        guard let comparison = Similarity(size: size) else { return nil }
        self.comparison = comparison
        decoder = try VideoDecoder(of: encoder, threads: 1)
    }

    /// Records a frame that is about to be encoded.
    func take(_ frame: Frame) throws(MediaError) {
        if taken % Self.interval == 0 { pending.append(try frame.copy()) }
        taken += 1
    }

    /// Decodes a packet from the encoder; nil after the last one.
    func take(_ packet: Packet?) throws(MediaError) {
        try decoder.send(packet)
        while let frame = try decoder.next() {
            defer { decoded += 1 }
            guard decoded % Self.interval == 0, !pending.isEmpty else { continue }
            tally.sum += try comparison.compare(pending.removeFirst(), frame)
            tally.count += 1
        }
    }
}
