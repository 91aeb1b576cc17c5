internal import Glibc
package import WayreelAV
package import WayreelCore
internal import WayreelLevels

/// Encodes an audio track. The file is read independently of the video, on the same timeline, which begins at 0.
///
/// Must be used by one thread at a time.
package final class AudioTrackEncoder {
    package let encoder: AudioEncoder
    private let reader: AudioExcerpt
    private let task: TaskContext

    /// Opens the track and its encoder, which multiplies every sample by `gain`.
    package init(
        _ source: MediaInput, _ plan: AudioPlan, gain: Double = 1, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) {
        reader = try Self.reader(of: source, plan, limits: limits, task: task)
        self.task = task
        var settings = plan.encoderSettings
        settings.gain = gain
        encoder = try AudioEncoder(settings, source: reader.info.format)
    }

    static func reader(
        of source: MediaInput, _ plan: AudioPlan, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) -> AudioExcerpt {
        let limits = AudioLimits(audioSeconds: limits.videoSeconds, seconds: limits.seconds)
        let reader = try AudioReader(
            source, tracks: [plan.track] + (plan.joinedTracks ?? []), limits: limits, task: task)
        return AudioExcerpt(reader, plan.range)
    }

    /// Encodes to the end, and then silence up to the end of the video, which is received from `videoEnd`. `progress`
    /// receives the end of what is encoded, in seconds.
    package func run(
        into sink: any PacketSink, videoEnd: BoundedQueue<Double>? = nil, progress: (Double) -> Void = { _ in }
    ) throws(MediaError) {
        while let packet = try task.span(
            "encode audio",
            { () throws(MediaError) in
                try encoder.next { () throws(MediaError) in try nextBlock(videoEnd) }
            })
        {
            // The silence at the end may be hours long.
            try task.check()
            try sink.take(packet)
            progress(encoder.seconds)
        }
        try sink.finish()
    }

    private func nextBlock(_ videoEnd: BoundedQueue<Double>?) throws(MediaError) -> AudioBlock? {
        do throws(MediaError) {
            while let block = try task.span("decode audio", reader.next) {
                try task.check()
                if !block.isPadding { return block }
            }
        } catch {
            // Damaged audio does not make the video fail.
            guard error.kind == .decoding else { throw error }
            task.warn(.audio, error.reason)
        }
        if let end = try videoEnd?.take() { encoder.addSilence(until: end) }
        return nil
    }
}

extension AudioPlan {
    var encoderSettings: AudioEncoder.Settings {
        AudioEncoder.Settings(sampleRate: sampleRate, channelCount: channelCount, bitRate: bitRate)
    }
}

/// Aligns the ends of audio and video, as HLS requires: silence is added to shorter audio, and the last frame is
/// shown until longer audio ends.
package struct EndAlignment: Sendable {
    /// The surveys of the audio tracks by stream. There is none for a video without audio, or for a track that cannot
    /// be decoded.
    let surveys: [Int: AudioSurvey]
    /// Queues that carry the end of the video, in seconds, to the threads that encode audio, by stream.
    let videoEnds: [Int: BoundedQueue<Double>]

    /// The time in seconds of output until which the last frame is shown: the end of the longest audio.
    package var heldUntil: Double { max(0, surveys.values.compactMap(\.end).max() ?? 0) }

    /// Decodes the audio of `plan` to its end.
    package init(
        of plan: TranscodePlan, _ source: MediaInput, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) {
        var surveys: [Int: AudioSurvey] = [:]
        for track in plan.audio where plan.video != nil {
            do throws(MediaError) {
                surveys[track.stream] = try AudioSurvey(of: source, track, limits: limits, task: task)
            } catch {
                // The encoder of the track warns of this error.
                guard error.kind == .decoding || error.kind == .unsupported else { throw error }
            }
        }
        self.surveys = surveys
        videoEnds = Dictionary(plan.audio.map { ($0.stream, BoundedQueue<Double>(limit: 1)) }) { first, _ in first }
    }

    func reportVideoEnd(_ seconds: Double) {
        for queue in videoEnds.values { _ = queue.put(seconds) }
    }
}

/// The part of an audio track that is delivered, cut to the sample. Its timeline begins at 0.
///
/// Must be used by one thread at a time.
final class AudioExcerpt {
    private let reader: AudioReader
    /// The range of samples that is delivered; nil: all.
    private let range: Range<Int>?
    /// The number of samples that were read.
    private var position = 0
    private var isEmpty = true

    init(_ reader: AudioReader, _ range: TimeRange?) {
        self.reader = reader
        let rate = Double(reader.info.format.sampleRate)
        self.range = range.map { range in
            let first = Int((range.start * rate).rounded())
            let end = range.end.map { Int(($0 * rate).rounded()) } ?? .max
            return first..<max(first, end)
        }
    }

    var info: AudioInfo { reader.info }

    /// Returns the next block of the excerpt, which is valid until the next call; nil at its end. Nothing is read after
    /// it.
    ///
    /// Throws the errors of ``AudioReader/next()``, and a `decoding` error if the audio ends before the excerpt.
    func next() throws(MediaError) -> AudioBlock? {
        guard let range else { return try reader.next() }
        while position < range.upperBound, let block = try reader.next() {
            position = block.start + block.count
            let own = (block.start..<position).clamped(to: range)
            guard !own.isEmpty else { continue }
            isEmpty = false
            return block.slice(own.lowerBound - block.start..<own.upperBound - block.start).moved(-range.lowerBound)
        }
        guard isEmpty else { return nil }
        let start = Double(range.lowerBound) / Double(info.format.sampleRate)
        throw MediaError(
            .decoding, step: .decode,
            reason: "the audio ends before \(start.shortDescription) s, where it should begin")
    }
}

extension AudioBlock {
    /// Returns the same samples, shifted on the timeline.
    fileprivate func moved(_ samples: Int) -> AudioBlock {
        AudioBlock(
            type, count: count, channelCount: channelCount, planes: planes, start: start + samples,
            isPadding: isPadding)
    }
}

/// Facts about an audio track that its encoder needs before it begins and that require decoding the whole track.
package struct AudioSurvey: Sendable {
    /// The end of the track in seconds; nil if none of it can be decoded.
    package private(set) var end: Double?
    /// The gain that brings the encoded track to the loudness of the plan, limited by its peaks.
    package private(set) var gain = 1.0

    /// The maximum true peak of amplified audio in dBTP: a lossy codec increases it (EBU R 128).
    private static let maxPeak = -1.0

    /// Decodes the whole track. A truncated track is measured as far as possible; its encoder warns.
    package init(
        of source: MediaInput, _ plan: AudioPlan, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) {
        let silent = task.child()
        let reader = try AudioTrackEncoder.reader(of: source, plan, limits: limits, task: silent)
        let meter = try plan.loudness.map { (_) throws(MediaError) in try ConvertedMeter(reader.info.format, plan) }
        let rate = Double(reader.info.format.sampleRate)
        try task.span("survey audio") { () throws(MediaError) in
            do throws(MediaError) {
                while let block = try reader.next() {
                    try silent.check()
                    guard !block.isPadding else { continue }
                    end = Double(block.start + block.count) / rate
                    try meter?.add(block)
                }
            } catch {
                guard error.kind == .decoding else { throw error }
            }
        }
        if let meter, let target = plan.loudness { gain = Self.gain(to: target, from: try meter.finish(), task) }
    }

    private static func gain(to target: Double, from loudness: Loudness, _ task: TaskContext) -> Double {
        guard let integrated = loudness.integrated else {
            task.warn(.loudness, "the audio is silent, or too short for a loudness; its gain is not changed")
            return 1
        }
        let wanted = target - integrated
        let allowed = max(maxPeak - (loudness.truePeak ?? -.infinity), 0)
        if wanted > allowed {
            let reached = ((integrated + allowed) * 10).rounded() / 10
            task.warn(
                .loudness,
                "peaks of \(maxPeak.shortDescription) dBTP are reached at \(reached.shortDescription) LUFS; "
                    + "\(target.shortDescription) would be too loud")
        }
        return pow(10, min(wanted, allowed) / 20)
    }

    /// Measures audio in the form of the encoder's input.
    private struct ConvertedMeter {
        let converter: AudioConverter
        let meter: LoudnessMeter

        init(_ format: AudioFormat, _ plan: AudioPlan) throws(MediaError) {
            converter = try AudioConverter(from: format, sampleRate: plan.sampleRate, channelCount: plan.channelCount)
            meter = try LoudnessMeter(
                format: AudioFormat(
                    sampleRate: plan.sampleRate, channels: AudioChannel.unnamed(count: plan.channelCount)))
        }

        /// Adds a block; nil at the end.
        func add(_ block: AudioBlock?) throws(MediaError) {
            if let converted = try converter.convert(block) { try meter.add(converted) }
        }

        func finish() throws(MediaError) -> Loudness {
            try add(nil)
            return meter.finish().loudness
        }
    }
}
