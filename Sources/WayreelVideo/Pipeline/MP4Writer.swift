package import WayreelAV
package import WayreelCore

/// Writes the tracks of an MP4 file, each from its own thread.
package final class MP4Writer: TrackDestination, @unchecked Sendable {
    private let muxer: Muxer
    private let pacing = WriterPacing()
    private let container = OutputContainer.mp4
    /// The time in seconds at which PTS 0 of encoded video is shown.
    private let videoOffset: Double
    private let texts: TimedTexts
    /// The streams of the source, which have the languages and titles of the audio.
    private let streams: [MediaStream]
    // Only used before ``begin()``.
    /// The thread that copies all copied tracks.
    private var copyingThread: Int?
    private var hasAudio = false

    /// Writes an MP4 file with its index at the front into `output`, which the caller finishes.
    package init(
        _ output: SeekableOutput, videoOffset: Double = 0, texts: TimedTexts = TimedTexts(),
        streams: [MediaStream] = []
    ) throws(MediaError) {
        self.texts = texts
        self.streams = streams
        self.videoOffset = videoOffset
        muxer = try Muxer(container.muxer, options: ["movflags": container.movflags], to: output)
    }

    package func sink(forRendition index: Int, encoder: VideoEncoder) throws(MediaError) -> any PacketSink {
        let number = try muxer.add(encoder, offset: videoOffset)
        return track(number, of: pacing.addThread(), timeBase: encoder.settings.timeBase)
    }

    package func sink(
        forRendition index: Int, copyOf stream: Int, of file: Demuxer
    ) throws(MediaError) -> any PacketSink {
        let number = try muxer.add(copyOf: stream, of: file)
        return track(number, of: threadOfCopies(), timeBase: file.timeBase(of: stream))
    }

    package func audioSink(of stream: Int, encoder: AudioEncoder) throws(MediaError) -> any PacketSink {
        let number = try muxer.add(encoder)
        nameAudio(number, as: stream)
        return track(number, of: pacing.addThread(), timeBase: Rational(1, encoder.settings.sampleRate) ?? 1)
    }

    package func audioSink(copyOf stream: Int, of file: Demuxer) throws(MediaError) -> any PacketSink {
        let number = try muxer.add(copyOf: stream, of: file)
        nameAudio(number, as: stream)
        return track(number, of: threadOfCopies(), timeBase: file.timeBase(of: stream))
    }

    /// Sets the language and title of a track from a stream of the source. Only the first track is played by default.
    private func nameAudio(_ number: Int, as stream: Int) {
        let source = streams.first { $0.index == stream }
        let code = source?.language.flatMap { LanguageCode($0) }
        muxer.name(number, language: code?.threeLetters, title: source?.title)
        if !hasAudio { muxer.makeDefault(number) }
        hasAudio = true
    }

    private func threadOfCopies() -> Int {
        let thread = copyingThread ?? pacing.addThread()
        copyingThread = thread
        return thread
    }

    private func track(_ number: Int, of thread: Int, timeBase: Rational) -> Track {
        if let entry = container.sampleEntries[muxer.codec(of: number)] { muxer.setTag(entry, of: number) }
        return Track(muxer, pacing, number, thread: thread, timeBase: timeBase.value)
    }

    /// Writes all subtitles, which are small. If they waited to be interleaved, more than ten seconds would wait, and
    /// FFmpeg would write video and audio as they arrive, in an order that depends on their threads.
    package func begin() throws(MediaError) {
        let numbers = try texts.subtitles.map { (track) throws(MediaError) in
            let number = try muxer.addText(TimedTextSamples.description)
            muxer.name(number, language: track.code?.threeLetters, title: track.title)
            return number
        }
        try muxer.set(texts.chapters)
        try muxer.begin()
        for (number, track) in zip(numbers, texts.subtitles) {
            for sample in TimedTextSamples.samples(track.cues) {
                try muxer.writeAtOnce(sample.packet(), stream: number)
            }
        }
    }

    /// Moves the index to the front. Must be called when all tracks have finished.
    package func finish() throws(MediaError) { try muxer.finish() }

    package func stop() { pacing.stop() }

    private final class Track: PacketSink, @unchecked Sendable {
        private let muxer: Muxer
        private let pacing: WriterPacing
        private let number: Int
        private let thread: Int
        private let timeBase: Double

        init(_ muxer: Muxer, _ pacing: WriterPacing, _ number: Int, thread: Int, timeBase: Double) {
            (self.muxer, self.pacing) = (muxer, pacing)
            (self.number, self.thread, self.timeBase) = (number, thread, timeBase)
        }

        func take(_ packet: Packet) throws(MediaError) {
            let time = packet.decodingTime ?? packet.presentationTime ?? 0
            try pacing.write(at: Double(time) * timeBase, of: thread) { () throws(MediaError) in
                try muxer.write(packet, stream: number)
            }
        }

        func finish() { pacing.finish(thread) }
    }
}
