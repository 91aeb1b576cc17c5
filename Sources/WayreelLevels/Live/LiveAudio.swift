internal import WayreelAV
package import WayreelCore

/// Live audio input whose levels are written as lines of JSON.
package struct LiveAudio: Sendable {
    /// A path, or `-` for standard input.
    package var path: String
    package var rate: Rational
    package var channels: ChannelSelection
    package var ballistics: MeterBallistics?
    package var track: Int?
    package var raw: RawAudioFormat?
    package var limits: AudioLimits

    package init(
        path: String, rate: Rational, channels: ChannelSelection, ballistics: MeterBallistics?, track: Int?,
        raw: RawAudioFormat?, limits: AudioLimits
    ) {
        self.path = path
        self.rate = rate
        self.channels = channels
        self.ballistics = ballistics
        self.track = track
        self.raw = raw
        self.limits = limits
    }

    /// Meters the audio on the calling thread and writes each reading to `sink` as soon as its last sample is decoded;
    /// calls `flush` after each group of readings.
    ///
    /// Throws the errors of ``AudioReader``, ``LevelMeter``, `sink` and `flush`.
    package func writeLines(
        as encoding: LevelsEncoding, to sink: some ByteSink, task: TaskContext, flush: () throws(MediaError) -> Void
    ) throws(MediaError) {
        try encoding.check()
        let reader = try AudioReader(
            MediaInput(path, raw: raw), tracks: track.map { [$0] } ?? [], limits: limits, workers: 1, task: task)
        let meter = try LevelMeter(
            format: reader.info.format, channels: channels, ballistics: ballistics ?? .peak)
        let readings = try meter.readings(rate: rate)
        let lines = LiveLines(encoding, channels: meter.channels, sink: sink)
        try lines.writeHeader(sampleRate: reader.info.format.sampleRate, rate: rate)
        try flush()
        // Smaller than the duration of kept readings: a block of a file may last half a minute.
        let maxCount = min(reader.info.format.sampleRate, 4096)
        while let block = try reader.next() {
            guard !block.isPadding else { continue }
            for start in stride(from: 0, to: block.count, by: maxCount) {
                try meter.add(block.slice(start..<min(start + maxCount, block.count)))
                if try lines.writeAll(readings) { try flush() }
            }
        }
        meter.finish()
        if try lines.writeAll(readings) { try flush() }
    }
}
