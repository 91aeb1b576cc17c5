internal import WayreelAV
package import WayreelCore

/// A sound that is metered while it comes, and told in lines of JSON.
package struct LiveSound: Sendable {
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

    /// Meters the sound on the calling thread and hands each reading to `sink` as a line, with `flush` after those that came
    /// together, as soon as its last sample is there.
    ///
    /// Throws what ``AudioReader`` and ``LevelMeter`` throw, and what `sink` and `flush` do.
    package func tell(
        as encoding: LevelsEncoding, to sink: some ByteSink, watch: TaskWatch, flush: () throws(MediaError) -> Void
    ) throws(MediaError) {
        try encoding.check()
        let reader = try AudioReader(
            MediaInput(path, raw: raw), track: track, limits: limits, workers: 1, watch: watch)
        let meter = try LevelMeter(
            format: reader.info.format, channels: channels, ballistics: ballistics ?? .peak)
        let readings = try meter.readings(rate: rate)
        let lines = LiveLines(encoding, channels: meter.channels, sink: sink)
        try lines.writeHeader(sampleRate: reader.info.format.sampleRate, rate: rate)
        try flush()
        // Never as much as the readings keep: a block of a file may be half a minute.
        let most = min(reader.info.format.sampleRate, 4096)
        try reader.read { (block) throws(MediaError) in
            guard !block.isPadding else { return }
            for start in stride(from: 0, to: block.count, by: most) {
                try meter.add(block.slice(start..<min(start + most, block.count)))
                if try lines.writeAll(readings) { try flush() }
            }
        }
        meter.finish()
        if try lines.writeAll(readings) { try flush() }
    }
}
