package import WayreelAV
package import WayreelCore

/// Writes the tracks of an MP4 file, each from its own thread.
///
/// Its sendability is unchecked: before and after the threads of the tracks one thread uses it, and meanwhile only the
/// tracks use the muxer, behind the lock of ``WriterPacing``.
package final class MP4Writer: TrackDestination, @unchecked Sendable {
    private let muxer: Muxer
    private let pacing = WriterPacing()
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
        _ output: AtomicOutput, videoOffset: Double = 0, texts: TimedTexts = TimedTexts(),
        streams: [MediaStream] = []
    ) throws(MediaError) {
        self.texts = texts
        self.streams = streams
        self.videoOffset = videoOffset
        muxer = try Muxer(OutputContainer.muxer, options: ["movflags": OutputContainer.fileFlags], to: output)
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
        if let entry = OutputContainer.sampleEntries[muxer.codec(of: number)] { muxer.setTag(entry, of: number) }
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

    /// Its sendability is unchecked: the tracks share the muxer behind the lock of ``WriterPacing``.
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

/// MP4 as FFmpeg writes it.
enum OutputContainer {
    /// FFmpeg's name of the muxer.
    static let muxer = "mp4"
    /// The flags of a file with its index at the front.
    static let fileFlags = "+faststart"
    /// The flags of segments of HLS: the caller cuts fragments, and offsets are relative to their fragment.
    static let segmentFlags = "+frag_custom+delay_moov+default_base_moof+skip_trailer"
    /// Sample entries by codec, if players expect another one than the muxer's default: Apple's players require HEVC
    /// as `hvc1`.
    static let sampleEntries = ["hevc": "hvc1"]
}

/// Keeps the threads that write the tracks of one file within a few seconds of each other, so that the muxer does not
/// buffer more. It also serializes their access to the muxer.
final class WriterPacing: Sendable {
    private struct State {
        /// The position of each thread in seconds.
        var positions: [Double] = []
        var isStopped = false

        /// Whether a thread may write at `time`.
        func admits(_ thread: Int, at time: Double) -> Bool {
            let slowest = positions.min() ?? 0
            return isStopped || time <= slowest + WriterPacing.maxLead || positions[thread] == slowest
        }
    }

    private let state = Monitor(State())

    /// The maximum lead of a thread over another in seconds. FFmpeg interleaves packets by time while at most ten
    /// seconds wait (`max_interleave_delta`), so that their order in the file does not depend on the threads.
    private static let maxLead = 4.0

    /// Adds a thread, and returns its number. Must be called before any thread writes.
    func addThread() -> Int {
        state.withLock { state in
            state.positions.append(-.infinity)
            return state.positions.count - 1
        }
    }

    /// Waits until `time` is near the position of the slowest thread, and runs `write` alone. Throws `cancelled` after
    /// ``stop()``.
    func write(
        at time: Double, of thread: Int, _ write: () throws(MediaError) -> Void
    ) throws(MediaError) {
        try state.update(when: { $0.admits(thread, at: time) }) { (state) throws(MediaError) in
            guard !state.isStopped else { throw .cancelled(step: .write) }
            state.positions[thread] = max(state.positions[thread], time)
            try write()
        }
    }

    /// Reports that a thread has written all its packets.
    func finish(_ thread: Int) { state.update { $0.positions[thread] = .infinity } }

    /// Makes all threads fail from now on.
    func stop() { state.update { $0.isStopped = true } }
}

/// Writes encoded and copied streams to an output. All sinks are requested before ``begin()``.
package protocol TrackDestination: AnyObject, Sendable {
    /// Returns the sink of an encoded rendition of the plan.
    func sink(forRendition index: Int, encoder: VideoEncoder) throws(MediaError) -> any PacketSink
    func sink(forRendition index: Int, copyOf stream: Int, of file: Demuxer) throws(MediaError) -> any PacketSink
    /// Returns the sink of an encoded audio track, which comes from the source's stream `stream`. The first track is
    /// the default.
    func audioSink(of stream: Int, encoder: AudioEncoder) throws(MediaError) -> any PacketSink
    /// Returns the sink of an audio track that is copied from a file.
    func audioSink(copyOf stream: Int, of file: Demuxer) throws(MediaError) -> any PacketSink
    func begin() throws(MediaError)
    /// Makes every sink fail from now on, so that no thread waits.
    func stop()
}

/// Receives the packets of one stream in decoding order, on the thread that encodes the stream.
package protocol PacketSink: AnyObject, Sendable {
    /// Takes a packet; its timestamps are in the time base of the stream.
    func take(_ packet: Packet) throws(MediaError)
    /// Ends the stream.
    func finish() throws(MediaError)
}

/// Discards all packets: for a first pass, whose only result is the encoder's statistics.
final class DiscardingDestination: TrackDestination {
    private final class Sink: PacketSink {
        func take(_ packet: Packet) {}
        func finish() {}
    }

    func sink(forRendition index: Int, encoder: VideoEncoder) -> any PacketSink { Sink() }
    func sink(forRendition index: Int, copyOf stream: Int, of file: Demuxer) -> any PacketSink { Sink() }
    func audioSink(of stream: Int, encoder: AudioEncoder) -> any PacketSink { Sink() }
    func audioSink(copyOf stream: Int, of file: Demuxer) -> any PacketSink { Sink() }
    func begin() {}
    func stop() {}
}
