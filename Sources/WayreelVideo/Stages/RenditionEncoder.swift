package import WayreelAV
package import WayreelCore

/// Encodes the pictures of a line as one rendition.
///
/// Belongs to one thread at a time.
package final class RenditionEncoder: @unchecked Sendable {
    package let plan: RenditionPlan
    package let encoder: VideoEncoder
    private let timeBase: Rational
    private let filters: RenditionFilters
    private let look: FrameEffects
    private let watch: TaskWatch
    /// Seconds between key frames that are asked for, from 0; nil: the encoder's choice.
    private let keyFrameInterval: Double?
    private var nextKeyFrame = 0.0
    private var durations: [Int64: Int64] = [:]
    /// Packets that were written, one to a frame.
    private(set) var count = 0
    /// Of these.
    private(set) var bytes = 0
    /// What they are like, compared with the frames that went in, where a quality is asked for.
    private(set) var quality: QualityMeter.Tally?
    private var meter: QualityMeter?
    /// When the last of them has ended, in seconds.
    private(set) var end = 0.0

    /// Opens the encoder of a rendition of `picture`. `frameRate`: what the source is said to have.
    package init(
        _ picture: VideoPlan, rendition: Int, look: Effects, frameRate: Rational?, pass: Int? = nil, watch: TaskWatch
    ) throws(MediaError) {
        let (plan, timing) = (picture.renditions[rendition], picture.timing)
        self.plan = plan
        self.timeBase = timing.timeBase
        self.look = FrameEffects(look)
        self.watch = watch
        keyFrameInterval = picture.keyFrameInterval
        filters = try RenditionFilters(plan, timeBase: timing.timeBase, watch: watch)
        var settings = VideoEncoder.Settings(
            encoder: plan.encoder, size: plan.size, timeBase: timing.timeBase, frameRate: timing.grid ?? frameRate,
            threads: plan.threads, options: plan.options.merging(plan.rate.options) { own, _ in own })
        settings.pass = pass
        // Its own threads are called as the one that starts them.
        encoder = try ThreadName.inherited("encode") { () throws(MediaError) in try VideoEncoder(settings) }
    }

    /// Encodes all pictures of `line`; `progress` is told the end of each in seconds.
    func run(
        _ line: FrameQueue, into sink: any PacketSink, observer: ThumbnailSampler? = nil,
        progress: (Double) -> Void
    ) throws(MediaError) {
        if plan.rate.quality != nil { meter = try QualityMeter(of: encoder, size: plan.size) }
        while let frame = try line.take() { try scale(frame, into: sink, observer, progress) }
        try scale(nil, into: sink, observer, progress)
        try encode(nil, into: sink)
        try meter?.take(nil)
        quality = meter?.tally
        meter = nil
        try watch.span("write") { () throws(MediaError) in try sink.finish() }
    }

    /// Brings a picture of the source to the rendition and encodes it; with nil those that filters have held back.
    private func scale(
        _ frame: Frame?, into sink: any PacketSink, _ observer: ThumbnailSampler?, _ progress: (Double) -> Void
    ) throws(MediaError) {
        try watch.span("scale") { () throws(MediaError) in
            try filters.filter(frame) { (frame) throws(MediaError) in
                try finish(frame, into: sink, observer, progress)
            }
        }
    }

    private func finish(
        _ frame: Frame, into sink: any PacketSink, _ observer: ThumbnailSampler?,
        _ progress: (Double) -> Void
    ) throws(MediaError) {
        guard let time = frame.time else { return }
        if !look.isIdentity {
            try watch.span("filter and overlay") { () throws(MediaError) in try look.apply(to: frame, watch: watch) }
        }
        let seconds = Double(time) * timeBase.value
        let isKey = keyFrameInterval != nil && seconds >= nextKeyFrame - 1e-6
        if let keyFrameInterval, isKey {
            nextKeyFrame = (((seconds + 1e-6) / keyFrameInterval).rounded(.down) + 1) * keyFrameInterval
        }
        frame.askForKeyFrame(isKey)
        durations[time] = frame.duration
        if let observer { try watch.span("preview") { () throws(MediaError) in try observer.take(frame) } }
        try meter?.take(frame)
        try encode(frame, into: sink)
        end = Double(time + frame.duration) * timeBase.value
        progress(end)
    }

    /// Encodes a picture; with nil those that the encoder has held back.
    private func encode(_ frame: Frame?, into sink: any PacketSink) throws(MediaError) {
        try watch.span("encode") { () throws(MediaError) in
            try encoder.encode(frame) { (packet) throws(MediaError) in
                try watch.span("write") { () throws(MediaError) in try pass(packet, to: sink) }
            }
        }
    }

    private func pass(_ packet: MediaPacket, to sink: any PacketSink) throws(MediaError) {
        // Also while the encoder hands out what it has held back.
        try watch.check()
        if let time = packet.presentationTime, let duration = durations.removeValue(forKey: time) {
            packet.duration = duration
        }
        bytes += packet.bytes.count
        count += 1
        try meter?.take(packet)
        try sink.take(packet)
    }
}

extension RenditionRate {
    /// As FFmpeg's encoders are told.
    var options: [String: String] {
        let numbers = [
            "b": bitRate.map(String.init), "maxrate": maxBitRate.map(String.init),
            "bufsize": bufferBits.map(String.init), "crf": bitRate == nil ? factor?.shortDescription : nil,
        ]
        return numbers.compactMapValues(\.self)
    }
}
