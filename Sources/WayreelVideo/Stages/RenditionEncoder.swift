package import WayreelAV
package import WayreelCore

/// Encodes the frames of a queue as one rendition: filters → effects → thumbnails → encoders → sink.
///
/// Must be used by one thread at a time.
package final class RenditionEncoder {
    package let plan: RenditionPlan
    /// The encoder, or the first of several.
    package let encoder: VideoEncoder
    private let timeBase: Rational
    private let filters: RenditionFilters
    private let effects: FrameEffects
    private let task: TaskContext
    private var keyFrames: IntervalSchedule?
    private var durations: [Int64: Int64] = [:]
    private var meter: QualityMeter?
    private(set) var result = EncodedRendition()

    /// Opens the encoder of a rendition of `video`.
    package init(
        _ video: VideoPlan, rendition: Int, effects: Effects, pass: Int? = nil, task: TaskContext
    ) throws(MediaError) {
        let (plan, timing) = (video.renditions[rendition], video.timing)
        self.plan = plan
        self.timeBase = timing.timeBase
        self.effects = FrameEffects(effects)
        self.task = task
        keyFrames = video.keyFrameInterval.map { IntervalSchedule(every: $0) }
        filters = try RenditionFilters(video.filters(of: plan), timeBase: timing.timeBase, task: task)
        var settings = VideoEncoder.Settings(
            encoder: plan.encoder, size: plan.size, timeBase: timing.timeBase, frameRate: timing.frameRate,
            threads: plan.threads, options: plan.options.merging(plan.encoderRate.options) { own, _ in own })
        settings.pass = pass
        // The encoder's threads inherit the name of the thread that starts them.
        encoder = try ThreadName.inherited("encode") { () throws(MediaError) in try VideoEncoder(settings) }
    }

    /// Encodes all frames of `queue`, and finishes `sink`. `progress` receives the end of each frame in seconds.
    func run(
        _ queue: FrameQueue, into sink: any PacketSink, thumbnails: ThumbnailSampler? = nil,
        progress: (Double) -> Void
    ) throws(MediaError) {
        if plan.rate.quality != nil { meter = try QualityMeter(of: encoder, size: plan.size) }
        let encoders = try makeEncoders()
        while let packet = try task.span(
            "encode",
            { () throws(MediaError) in
                try encoders.next { () throws(MediaError) in try frame(of: queue, thumbnails, progress) }
            })
        {
            // An encoder may take a long time to flush.
            try task.check()
            try task.span("write") { () throws(MediaError) in try pass(packet, to: sink) }
        }
        try meter?.take(nil)
        result.quality = meter?.tally
        meter = nil
        try task.span("write") { () throws(MediaError) in try sink.finish() }
    }

    private func makeEncoders() throws(MediaError) -> any MediaStage<Frame, Packet> {
        guard plan.parallelGOPs > 1, let interval = keyFrames?.interval else { return encoder }
        let frameCount = Int((interval * encoder.settings.frameRate.value).rounded(.up))
        return try ParallelGOPEncoder(
            encoder, count: plan.parallelGOPs, framesPerGOP: frameCount, task: task)
    }

    /// Returns the next frame for the encoder, filtered and with effects.
    private func frame(
        of queue: FrameQueue, _ thumbnails: ThumbnailSampler?, _ progress: (Double) -> Void
    ) throws(MediaError) -> Frame? {
        while let frame = try task.span(
            "scale",
            { () throws(MediaError) in
                try filters.next { () throws(MediaError) in try task.span("wait for the decoder", queue.take) }
            })
        {
            guard let pts = frame.time else { continue }
            if !effects.isIdentity {
                try task.span("filter and overlay") { () throws(MediaError) in
                    try effects.apply(to: frame, task: task)
                }
            }
            frame.requestKeyFrame(keyFrames?.interval(startingAt: Double(pts) * timeBase.value) != nil)
            durations[pts] = frame.duration
            if let thumbnails {
                try task.span("preview") { () throws(MediaError) in try thumbnails.take(frame) }
            }
            try meter?.take(frame)
            result.end = Double(pts + frame.duration) * timeBase.value
            progress(result.end)
            return frame
        }
        return nil
    }

    private func pass(_ packet: Packet, to sink: any PacketSink) throws(MediaError) {
        if let time = packet.presentationTime, let duration = durations.removeValue(forKey: time) {
            packet.duration = duration
        }
        result.bytes += packet.bytes.count
        result.frames += 1
        try meter?.take(packet)
        try sink.take(packet)
    }
}

extension RenditionPlan {
    /// The rate of each of the encoders that share the rate buffer.
    fileprivate var encoderRate: RenditionRate {
        var rate = rate
        rate.bufferBits = rate.bufferBits.map { $0 / parallelGOPs }
        return rate
    }
}

extension RenditionRate {
    /// The rate as options of FFmpeg's encoders.
    var options: [String: String] {
        let numbers = [
            "b": bitRate.map(String.init), "maxrate": maxBitRate.map(String.init),
            "bufsize": bufferBits.map(String.init), "crf": bitRate == nil ? crf?.shortDescription : nil,
        ]
        return numbers.compactMapValues(\.self)
    }
}

/// Applies the filters of one rendition to frames that have passed the shared filters.
///
/// Frames that are only scaled bypass FFmpeg's filters, which are set up for the first other frame. Must be used from a
/// single thread at a time.
final class RenditionFilters: MediaStage {
    private let filters: String
    private let timeBase: Rational
    private let task: TaskContext
    private let scaler: ZimgScaler?
    private var graph: FilterGraph?
    /// A frame that was only scaled.
    private var scaled: Frame?
    private(set) var hasEnded = false

    init(_ conversion: LoweredConversion, timeBase: Rational, task: TaskContext) throws(MediaError) {
        (filters, self.timeBase, self.task) = (conversion.filters, timeBase, task)
        let cubic = FrameConversion.cubic
        scaler = try conversion.scaling.map { (scaling) throws(MediaError) in
            try ZimgScaler(from: scaling.from, to: scaling.to, b: cubic.b, c: cubic.c)
        }
    }

    /// Sends a frame, or nil at the end.
    func send(_ frame: Frame?) throws(MediaError) {
        hasEnded = frame == nil
        scaled = try frame.flatMap { (frame) throws(MediaError) in try scaler?.scale(frame) }
        guard scaled == nil else {
            try graph?.send(nil)
            return
        }
        if graph == nil, frame != nil { graph = try FilterGraph(filters, timeBase: timeBase, task: task) }
        try graph?.send(frame)
    }

    func next() throws(MediaError) -> Frame? {
        if let frame = try graph?.next() { return frame }
        if graph?.hasEnded == true { graph = nil }
        defer { scaled = nil }
        return scaled
    }
}

/// The result of encoding a rendition or a chunk of it.
package struct EncodedRendition: Sendable, Codable, Equatable {
    package var frames = 0
    package var bytes = 0
    /// The end of the last frame, in seconds of output.
    package var end = 0.0
    /// The measured quality, if one was requested.
    var quality: QualityMeter.Tally?

    /// Returns this rendition followed by `next`.
    func joined(with next: EncodedRendition) -> EncodedRendition {
        let quality = [quality, next.quality].compactMap(\.self)
        return EncodedRendition(
            frames: frames + next.frames, bytes: bytes + next.bytes, end: next.end,
            quality: quality.isEmpty ? nil : quality.reduce(QualityMeter.Tally(), +))
    }
}

/// Video that was encoded before: a session only writes its packets.
package protocol EncodedVideo: Sendable {
    /// The complete first rendition.
    var first: EncodedRendition { get }
    /// Seconds by which the last frame is extended beyond its end in the source.
    var heldSeconds: Double { get }
    /// Writes all packets of a rendition to `sink`, and finishes it.
    func write(rendition: Int, to sink: any PacketSink, task: TaskContext) throws(MediaError)
    /// Writes the thumbnails of the smallest rendition to `sink`.
    func writeThumbnails(to sink: any ThumbnailSink, task: TaskContext) throws(MediaError)
}

/// Finds the first frame of each interval of a video, which begins a GOP or a chunk or becomes a thumbnail.
package struct IntervalSchedule {
    /// The length of an interval in seconds.
    let interval: Double
    /// The first interval that has no frame yet.
    private var next = 0

    /// Seconds by which a frame may be early because of rounding; less than a unit of the finest time base.
    private static let tolerance = 1e-6

    package init(every interval: Double) { self.interval = interval }

    /// Returns the number of the interval whose first frame is at `seconds`; nil if that frame is not the first. Must
    /// be called for each frame in order.
    package mutating func interval(startingAt seconds: Double) -> Int? {
        let number = Int(((seconds + Self.tolerance) / interval).rounded(.down))
        guard number >= next else { return nil }
        next = number + 1
        return number
    }
}
