package import WayreelCore

/// Reads audio from a file or a pipe as consecutive blocks of samples on a timeline that starts at 0.
///
/// The timeline is that of the file: encoder delay is not presented, silence precedes a track that starts late, and
/// gaps are filled with silence. In MP4, QuickTime, Matroska and WebM, 0 is the start of the presentation; in other
/// containers it is the earliest start of audio and video. Containers without timestamps (ADTS, MP3 without a LAME tag,
/// AMR) do not declare the encoder delay, which is then presented.
///
/// The samples do not depend on the number of workers. They equal those of FFmpeg's decoder, except for AAC-LC with
/// noise substitution: decoders change after a fixed number of packets, and each has its own noise.
///
/// Belongs to the thread that created it.
package final class AudioReader {
    package let info: AudioInfo
    private let samples: any AudioSampleSource
    private let task: TaskContext
    private let name: String
    /// The result of reading, after the end.
    package private(set) var outcome = AudioReadOutcome()
    private var hasEnded = false

    /// Opens a track by its number among the audio tracks, from 1, or several that hold one channel each of a recording.
    /// By default, these are the tracks that ``MediaInfo/audio`` and its recording are in.
    ///
    /// With one worker, each block is returned when it is decoded. With more, chunks of some seconds are decoded in
    /// parallel if the codec allows it; otherwise one thread decodes or reads ahead. `chunkLength`, in packets, is for
    /// tests.
    ///
    /// Throws an `io` error if the input cannot be read, a `decoding` or `unsupported` error if it is not audio, a
    /// `parameter` error for a track that does not exist, a `limit` error for more channels than `limits` allow, and
    /// the errors of `task`.
    package init(
        _ input: MediaInput, tracks: [Int] = [], limits: AudioLimits = .standard, workers: Int = 1,
        chunkLength: Int? = nil, task: TaskContext
    ) throws(MediaError) {
        self.task = task
        name = input.name
        do throws(MediaError) {
            let file = try InputFile(input, task: task)
            if case .raw(_, let format) = input {
                try format.check()
                samples = try PCMAudio(file, format, limits: limits, workers: workers)
            } else {
                samples = try Self.open(
                    file, tracks, limits: limits, workers: workers, chunkLength: chunkLength, task: task)
            }
            file.forgetStart()
        } catch { throw error.naming(input.name) }
        info = samples.info
        guard info.format.channels.count <= limits.channels else {
            throw MediaError(
                .limit, step: .read, subject: name,
                reason: "has \(info.format.channels.count) channels; the limit is \(limits.channels)",
                advice: "raise it with \(.maxChannels)")
        }
    }

    private static func open(
        _ file: InputFile, _ tracks: [Int], limits: AudioLimits, workers: Int, chunkLength: Int?, task: TaskContext
    ) throws(MediaError) -> any AudioSampleSource {
        if let flac = try FLACAudio(file, tracks, limits: limits) { return flac }
        let whole = try file.reopened()
        let first = try EncodedAudio(
            file, track: tracks.first, limits: limits, workers: workers, chunkLength: chunkLength, task: task)
        let recording = tracks.isEmpty ? first.track.recording : tracks
        guard recording.count > 1 else {
            return try PCMAudio(file, first, limits: limits, workers: workers) ?? first
        }
        guard let whole else {
            // Several tracks are read at a time, which a pipe does not allow.
            if try file.rewindIntoFile() {
                return try open(
                    file, tracks, limits: limits, workers: workers, chunkLength: chunkLength, task: task)
            }
            task.warn(.read, "its channels are in several tracks, of which only one can be read from a pipe")
            return first
        }
        var channels = [first]
        for number in recording.dropFirst() {
            guard let own = try whole.reopened() else { break }
            channels.append(
                try EncodedAudio(
                    own, track: number, limits: limits, workers: 1, chunkLength: chunkLength, task: task))
        }
        guard let joined = JoinedAudio(channels, channels: channels.compactMap(\.track.soleChannel)) else {
            return first
        }
        return joined
    }

    deinit { samples.stop() }

    /// Returns the next block, which starts at the end of the preceding one; nil at the end. Valid until the next call.
    /// At the end, ``outcome`` is set, and concealed damage becomes a warning.
    ///
    /// Throws a `decoding` error if nothing can be decoded or presented, a `limit` error beyond the limit of length, an
    /// `io` error if reading fails, and the errors of the task.
    package func next() throws(MediaError) -> AudioBlock? {
        do throws(MediaError) {
            if !hasEnded, let block = try samples.next() { return block }
            if !hasEnded { try finish() }
            return nil
        } catch { throw error.naming(name) }
    }

    private func finish() throws(MediaError) {
        hasEnded = true
        outcome = samples.outcome
        samples.stop()
        guard outcome.sampleCount > 0 else {
            throw MediaError(.decoding, step: .decode, reason: "holds no audio: there are no samples in it")
        }
        outcome.absentSamples = absentSamples(after: outcome.sampleCount + outcome.trimmedSamples)
        warn()
    }

    private func warn() {
        let rate = Double(info.format.sampleRate)
        let seconds = { (samples: Int) in "\((Double(samples) / rate * 1000).rounded() / 1000) s" }
        if outcome.skippedBytes > 0 {
            task.warn(.read, "the first \(outcome.skippedBytes) bytes are not audio; they are skipped")
        }
        if outcome.lostPackets > 0 {
            task.warn(.decode, "damaged packets: \(outcome.lostPackets); they are replaced by silence")
        }
        if outcome.gaps > 0 {
            task.warn(
                .decode, "gaps in the audio: \(outcome.gaps); \(seconds(outcome.filledSamples)) of silence fill them")
        }
        if outcome.notFinite > 0 {
            task.warn(
                .decode, "samples that are NaN or infinite: \(outcome.notFinite); they are replaced by silence")
        }
        if outcome.absentSamples > 0 {
            let declared = seconds(info.expectedSampleCount ?? outcome.sampleCount + outcome.absentSamples)
            task.warn(
                .decode, "the file says that it is \(declared) long; only \(seconds(outcome.sampleCount)) are there")
        }
    }

    /// Returns the number of declared samples that are missing after `count`, presented or not; 0 within the rounding of
    /// the declared length.
    private func absentSamples(after count: Int) -> Int {
        guard let declared = info.expectedSampleCount, !isPlaceholder(declared), !outcome.isChained else { return 0 }
        let isRounding = Double(count) >= Double(declared) * 0.99 - 0.1 * Double(info.format.sampleRate)
        return isRounding ? 0 : declared - count
    }

    /// Returns whether the declared count is a placeholder. Programs that write WAV or AIFF to a pipe cannot update the
    /// header, and declare almost 2 or 4 GiB.
    private func isPlaceholder(_ count: Int) -> Bool {
        guard let bits = info.bitDepth else { return false }
        return DeclaredSamples.isPlaceholder(Double(count) * Double(info.format.channels.count * bits / 8))
    }
}

/// Audio that is open for reading.
protocol AudioSampleSource: AnyObject {
    var info: AudioInfo { get }
    /// Returns the next block; nil at the end. Valid until the next call.
    func next() throws(MediaError) -> AudioBlock?
    /// Ends the threads that read or decode ahead. Call it after the last ``next()``.
    func stop()
    /// The result so far.
    var outcome: AudioReadOutcome { get }
}

/// The properties of an audio track that are known before it is decoded.
package struct AudioInfo: Sendable {
    /// FFmpeg's short name of the container: `mp3`, `mov,mp4,m4a,3gp,3g2,mj2`, `wav`; `raw` without one.
    package let container: String
    /// FFmpeg's name of the codec: `mp3`, `pcm_s16le`.
    package let codec: String
    package let format: AudioFormat
    package let sampleType: AudioBlock.SampleType
    /// Bits of a sample before encoding; nil for lossy codecs.
    package let bitDepth: Int?
    package let isLossless: Bool
    /// The number of the track among the file's audio tracks, from 1. Several hold one channel each.
    package let tracks: [Int]
    /// Samples per channel as the container declares them: exact for PCM, else approximate.
    package let expectedSampleCount: Int?
}

/// The result of reading an audio track.
package struct AudioReadOutcome: Equatable, Sendable {
    /// Samples per channel, without padding.
    package var sampleCount = 0
    /// Non-audio bytes before the audio.
    package var skippedBytes = 0
    /// Packets that could not be decoded.
    package var lostPackets = 0
    /// Gaps in the timestamps.
    package var gaps = 0
    /// Samples per channel of silence in place of lost packets and gaps.
    package var filledSamples = 0
    /// Samples per channel that are decoded but not presented: encoder delay, padding, what an edit list leaves out.
    package var trimmedSamples = 0
    /// Samples per channel that the file declares but does not hold.
    package var absentSamples = 0
    /// Whether the track has several links of chained Ogg, of which the file declares the last one's length at the rate
    /// of the first.
    package var isChained = false
    /// NaN and infinite samples, replaced by 0.
    package var notFinite = 0
    /// Chunks that were decoded again because the check packet differed.
    package var repeatedChunks = 0
}
