internal import CLinux
internal import Glibc
package import WayreelAV
package import WayreelCore

/// Writes the tracks of an MP4 file as they come, each from its own thread.
///
/// A thread that is ahead of another waits, so that no more than a few seconds are held.
package final class MP4Writer: TrackDestination, @unchecked Sendable {
    private let muxer: Muxer
    /// Seconds at which the encoded pictures' time 0 is.
    private let pictureOffset: Double
    private let texts: TimedTexts
    /// The source's streams, of which the audio has languages and titles.
    private let streams: [MediaStream]
    // Guarded by `mutex`.
    /// How far each thread has come, in seconds.
    private var ends: [Double] = []
    /// Which of them copies: one for all tracks that are taken over.
    private var copying: Int?
    private var isStopped = false
    /// Whether a track of audio was added. Only touched before ``begin()``.
    private var hasAudio = false
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Seconds that a thread may be ahead of another.
    private static let lead = 4.0

    /// An MP4 file with its index in front, into `output`, which the caller finishes. Time 0 of pictures that were encoded is at
    /// `pictureOffset` seconds.
    package init(
        _ output: SeekableOutput, pictureOffset: Double = 0, texts: TimedTexts = TimedTexts(),
        streams: [MediaStream] = []
    ) throws(MediaError) {
        self.texts = texts
        self.streams = streams
        self.pictureOffset = pictureOffset
        muxer = try Muxer("mp4", options: ["movflags": "+faststart"], to: output)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    package func sink(forRendition index: Int, encoder: VideoEncoder) throws(MediaError) -> any PacketSink {
        let number = try muxer.add(encoder, offset: pictureOffset)
        if encoder.settings.encoder == "libx265" { muxer.setTag("hvc1", of: number) }
        return track(number, of: newThread(), timeBase: encoder.settings.timeBase)
    }

    package func sink(
        forRendition index: Int, copyOf stream: Int, of file: MediaFile
    ) throws(MediaError) -> any PacketSink {
        let number = try muxer.add(copyOf: stream, of: file)
        if file.info.streams[stream].codec == "hevc" { muxer.setTag("hvc1", of: number) }
        return track(number, of: copyingThread(), timeBase: file.timeBase(of: stream))
    }

    package func soundSink(of stream: Int, encoder: AudioEncoder) throws(MediaError) -> any PacketSink {
        let number = try muxer.add(encoder)
        nameAudio(number, as: stream)
        return track(number, of: newThread(), timeBase: Rational(1, encoder.settings.sampleRate) ?? 1)
    }

    package func soundSink(copyOf stream: Int, of file: MediaFile) throws(MediaError) -> any PacketSink {
        let number = try muxer.add(copyOf: stream, of: file)
        nameAudio(number, as: stream)
        return track(number, of: copyingThread(), timeBase: file.timeBase(of: stream))
    }

    /// Gives a track the language and title of a stream of the source. Only the first is played unasked.
    private func nameAudio(_ number: Int, as stream: Int) {
        let source = streams.first { $0.index == stream }
        let code = source?.language.flatMap { LanguageCode($0) }
        muxer.name(number, language: code?.threeLetters, title: source?.title)
        if !hasAudio { muxer.makeDefault(number) }
        hasAudio = true
    }

    private func newThread() -> Int {
        ends.append(-.infinity)
        return ends.count - 1
    }

    private func copyingThread() -> Int {
        let thread = copying ?? newThread()
        copying = thread
        return thread
    }

    private func track(_ number: Int, of thread: Int, timeBase: Rational) -> Track {
        Track(self, number, thread: thread, timeBase: timeBase.value)
    }

    /// The muxer keeps subtitles until the video and audio have come to their times.
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
                try muxer.write(sample.packet(), stream: number)
            }
        }
    }

    /// Moves the index to the front. To be called when all tracks have finished.
    package func finish() throws(MediaError) { try muxer.finish() }

    package func stop() {
        locked {
            isStopped = true
            pthread_cond_broadcast(changed)
        }
    }

    private func locked<Result>(_ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    private func locked(_ body: () -> Void) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        body()
    }

    private func write(
        _ packet: MediaPacket, track: Int, of thread: Int, time: Double
    ) throws(MediaError) {
        try locked { () throws(MediaError) in
            while !isStopped, time > (ends.min() ?? 0) + Self.lead, ends.min() != ends[thread] {
                pthread_cond_wait(changed, mutex)
            }
            guard !isStopped else { throw MediaError(.cancelled, step: "write", reason: "cancelled") }
            ends[thread] = max(ends[thread], time)
            pthread_cond_broadcast(changed)
            try muxer.write(packet, stream: track)
        }
    }

    private func finish(thread: Int) {
        locked {
            ends[thread] = .infinity
            pthread_cond_broadcast(changed)
        }
    }

    private final class Track: PacketSink {
        private let writer: MP4Writer
        private let number: Int
        private let thread: Int
        private let timeBase: Double

        init(_ writer: MP4Writer, _ number: Int, thread: Int, timeBase: Double) {
            self.writer = writer
            self.number = number
            self.thread = thread
            self.timeBase = timeBase
        }

        func take(_ packet: MediaPacket) throws(MediaError) {
            let time = packet.decodingTime ?? packet.presentationTime ?? 0
            try writer.write(packet, track: number, of: thread, time: Double(time) * timeBase)
        }

        func finish() { writer.finish(thread: thread) }
    }
}
