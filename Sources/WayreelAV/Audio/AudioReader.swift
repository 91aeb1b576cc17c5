internal import CFFmpeg
package import WayreelCore

/// Reads any sound, from a file or a pipe, as blocks of samples in order on a timeline that begins at 0.
///
/// The timeline is the file's: what an encoder has added in front is not heard, a track that starts late is preceded by silence, and gaps
/// are filled with it. In MP4, QuickTime, Matroska and WebM 0 is the presentation's; elsewhere the earliest start of the sound and
/// the pictures in the file. Containers without any time (ADTS, raw MP3 without a LAME tag, AMR) cannot tell what their encoder has
/// added, which then is heard.
///
/// The samples do not depend on the number of workers. They are those of FFmpeg's decoder, but for AAC-LC: where that replaces noisy bands by
/// noise of its own, decoders take turns after a fixed number of packets, each with its own noise.
///
/// Belongs to the thread that made it.
package final class AudioReader {
    package let info: AudioInfo
    private let samples: any AudioSampleSource
    private let watch: TaskWatch
    private let name: String

    /// Opens a sound: its `track`, counted from 1, or else the one that the file prefers.
    ///
    /// With one worker each block is handed out as soon as it is decoded; more decode stretches of some seconds side by
    /// side where the codec allows it, and where not, one of them decodes or reads ahead. `chunkLength`, in packets, is for tests.
    ///
    /// Throws an `io` error where it cannot be read, a `decoding` or `unsupported` one where it is no sound, a `parameter` one for a
    /// track that is not there, a `limit` one for more channels than `limits` allow, and what `watch` throws.
    package init(
        _ source: MediaInput, track: Int? = nil, limits: AudioLimits = .standard, workers: Int = 1,
        chunkLength: Int? = nil, watch: TaskWatch
    ) throws(MediaError) {
        self.watch = watch
        name = source.name
        do throws(MediaError) {
            let file = try InputFile(source, watch: watch)
            if case .raw(_, let format) = source {
                try format.check()
                samples = try PCMAudio(file, format, limits: limits, workers: workers)
            } else {
                let sound = try EncodedAudio(
                    file, track: track, limits: limits, workers: workers, chunkLength: chunkLength, watch: watch)
                samples = try PCMAudio(file, sound, limits: limits, workers: workers) ?? sound
            }
        } catch { throw error.naming(source.name) }
        info = samples.info
        guard info.format.channels.count <= limits.channels else {
            throw MediaError(
                .limit, step: "read", subject: name,
                reason: "has \(info.format.channels.count) channels; the limit is \(limits.channels)",
                advice: "raise it with --max-channels")
        }
    }

    /// Hands out all blocks in order, once. Each begins where the one before has ended.
    ///
    /// Throws a `decoding` error where nothing can be decoded or nothing is heard, a `limit` one where it is longer than the limits allow, an
    /// `io` one where reading fails, and what `body` and the watch throw. What is wrong but could be helped is warned of.
    @discardableResult
    package func read(
        _ body: (AudioBlock) throws(MediaError) -> Void
    ) throws(MediaError) -> AudioReadOutcome {
        do throws(MediaError) {
            var outcome = try samples.read(body)
            guard outcome.sampleCount > 0 else {
                throw MediaError(.decoding, step: "decode", reason: "holds no sound: there are no samples in it")
            }
            outcome.absentSamples = absentSamples(after: outcome.sampleCount)
            warn(of: outcome)
            return outcome
        } catch { throw error.naming(name) }
    }

    private func warn(of outcome: AudioReadOutcome) {
        let rate = Double(info.format.sampleRate)
        let seconds = { (samples: Int) in "\((Double(samples) / rate * 1000).rounded() / 1000) s" }
        if outcome.skippedBytes > 0 {
            watch.warn("read", "the first \(outcome.skippedBytes) bytes are no sound; they are skipped")
        }
        if outcome.lostPackets > 0 {
            watch.warn("decode", "damaged packets: \(outcome.lostPackets); silence stands for them")
        }
        if outcome.gaps > 0 {
            watch.warn(
                "decode", "gaps in the sound: \(outcome.gaps); \(seconds(outcome.filledSamples)) of silence fill them")
        }
        if outcome.notFinite > 0 {
            watch.warn(
                "decode", "samples that are no numbers, or infinite: \(outcome.notFinite); they are taken for silence")
        }
        if outcome.absentSamples > 0 {
            let told = seconds(outcome.sampleCount + outcome.absentSamples)
            watch.warn(
                "decode", "the file says that it is \(told) long; only \(seconds(outcome.sampleCount)) are there")
        }
    }

    /// 0 also where they are so few that the told length may have been rounded.
    private func absentSamples(after count: Int) -> Int {
        guard let told = info.expectedSampleCount, !isToldByPipe(told) else { return 0 }
        let isRounding = Double(count) >= Double(told) * 0.99 - 0.1 * Double(info.format.sampleRate)
        return isRounding ? 0 : told - count
    }

    /// Programs that write WAV or AIFF into a pipe cannot come back to the header; they say nearly 2 or 4 GB.
    private func isToldByPipe(_ count: Int) -> Bool {
        guard let bits = info.bitDepth else { return false }
        let bytes = Double(count) * Double(info.format.channels.count * bits / 8)
        return (0x7F00_0000...0x8000_0000).contains(bytes) || (0xFF00_0000...0x1_0000_0000).contains(bytes)
    }
}

/// A sound that is open.
protocol AudioSampleSource: AnyObject {
    var info: AudioInfo { get }
    func read(_ body: (AudioBlock) throws(MediaError) -> Void) throws(MediaError) -> AudioReadOutcome
}
