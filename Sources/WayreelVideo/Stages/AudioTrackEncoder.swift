package import WayreelAV
package import WayreelCore

/// Encodes an audio track. The file is read independently of the video, on the same timeline, which begins at 0.
///
/// Must be used by one thread at a time.
package final class AudioTrackEncoder: @unchecked Sendable {
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
            task.warn("audio", error.reason)
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
