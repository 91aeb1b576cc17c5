package import WayreelAV
package import WayreelCore

/// Encodes the pictures of a line as one rendition.
///
/// Belongs to one thread at a time.
package final class RenditionEncoder: @unchecked Sendable {
    package let plan: RenditionPlan
    package let encoder: VideoEncoder
    private let timeBase: Rational
    private let graph: FilterGraph
    private let look: FrameLook
    private let watch: TaskWatch
    private let keyFrameInterval: Double?
    private var nextKeyFrame = 0.0
    private var durations: [Int64: Int64] = [:]
    /// Pictures that were encoded.
    private(set) var count = 0
    /// Of the packets that came of them.
    private(set) var bytes = 0
    /// When the last of them has ended, in seconds.
    private(set) var end = 0.0

    /// Opens the encoder. `keyFrameInterval`: seconds between key frames that are asked for, from 0; nil: the encoder's choice.
    package init(
        _ plan: RenditionPlan, timing: FrameTiming, look: Look,
        frameRate: Rational?, keyFrameInterval: Double? = nil, pass: Int? = nil,
        watch: TaskWatch
    ) throws(MediaError) {
        self.plan = plan
        self.timeBase = timing.timeBase
        self.look = FrameLook(look)
        self.watch = watch
        self.keyFrameInterval = keyFrameInterval
        graph = try FilterGraph(plan.chain, timeBase: timing.timeBase, watch: watch)
        var settings = VideoEncoder.Settings(
            encoder: plan.encoder, size: plan.size, timeBase: timing.timeBase, frameRate: timing.grid ?? frameRate,
            threads: plan.threads, options: plan.options.merging(plan.rate.options) { own, _ in own })
        settings.pass = pass
        encoder = try VideoEncoder(settings)
    }

    /// Encodes all pictures of `line`; `progress` is told the end of each in seconds.
    package func run(
        _ line: FrameLine, into sink: any PacketSink, observer: PreviewMaker? = nil,
        progress: (Double) -> Void
    ) throws(MediaError) {
        while let frame = try line.take() {
            try graph.filter(frame) { (frame) throws(MediaError) in
                try encode(frame, into: sink, observer, progress)
            }
        }
        try graph.filter(nil) { (frame) throws(MediaError) in try encode(frame, into: sink, observer, progress) }
        try encoder.encode(nil) { (packet) throws(MediaError) in try pass(packet, to: sink) }
        try sink.finish()
    }

    private func encode(
        _ frame: Frame, into sink: any PacketSink, _ observer: PreviewMaker?,
        _ progress: (Double) -> Void
    ) throws(MediaError) {
        guard let time = frame.time else { return }
        try look.apply(to: frame, watch: watch)
        let seconds = Double(time) * timeBase.value
        let isKey = keyFrameInterval != nil && seconds >= nextKeyFrame - 1e-6
        if let keyFrameInterval, isKey {
            nextKeyFrame = (((seconds + 1e-6) / keyFrameInterval).rounded(.down) + 1) * keyFrameInterval
        }
        frame.askForKeyFrame(isKey)
        durations[time] = frame.duration
        try observer?.take(frame)
        try encoder.encode(frame) { (packet) throws(MediaError) in try pass(packet, to: sink) }
        count += 1
        end = Double(time + frame.duration) * timeBase.value
        progress(end)
    }

    private func pass(_ packet: MediaPacket, to sink: any PacketSink) throws(MediaError) {
        if let time = packet.presentationTime, let duration = durations.removeValue(forKey: time) {
            packet.duration = duration
        }
        bytes += packet.bytes.count
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
