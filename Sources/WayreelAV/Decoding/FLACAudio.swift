internal import CFLAC
internal import WayreelCore

/// FLAC with samples of 32 bits, decoded by libFLAC: FFmpeg decodes these from version 6 only.
///
/// Belongs to one thread at a time.
final class FLACAudio: AudioSampleSource {
    /// FFmpeg's names of the containers that libFLAC reads.
    static let containers: Set<String> = ["flac", "ogg"]

    let info: AudioInfo
    private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    private let state: State
    private let limit: Int
    private var isAtEnd = false

    /// Returns nil for other files, and if FFmpeg decodes them.
    ///
    /// Throws an `io` error if libFLAC is not installed.
    init?(_ file: InputFile, _ tracks: [Int], limits: AudioLimits) throws(MediaError) {
        guard !CodecSupport.decodesLongFLAC, tracks.isEmpty || tracks == [1], let header = try Header(file) else {
            return nil
        }
        try SharedLibrary.libFLAC.require(step: .decode)
        guard let decoder = FLAC__stream_decoder_new() else {
            throw MediaError(.limit, step: .decode, reason: "no memory for a decoder of FLAC")
        }
        self.decoder = decoder
        let format = SampleBuffer.Format(
            type: .int32, channelCount: header.channelCount, sampleRate: header.sampleRate, isPlanar: true)
        state = State(file, format)
        limit = limits.sampleCount(at: header.sampleRate)
        info = AudioInfo(
            container: header.isOgg ? "ogg" : "flac", codec: "flac",
            format: AudioFormat(sampleRate: header.sampleRate, channels: Self.layouts[header.channelCount - 1]),
            sampleType: .int32, bitDepth: 32, isLossless: true, tracks: [1],
            expectedSampleCount: header.sampleCount > 0 ? header.sampleCount : nil)
        let start = header.isOgg ? FLAC__stream_decoder_init_ogg_stream : FLAC__stream_decoder_init_stream
        let status = start(
            decoder,
            { _, memory, count, state in
                Unmanaged<State>.fromOpaque(state!).takeUnretainedValue().read(into: memory!, count: count!)
            }, nil, nil, nil, nil,
            { _, frame, samples, state in
                Unmanaged<State>.fromOpaque(state!).takeUnretainedValue().take(frame!, samples!)
            }, nil,
            { _, _, state in Unmanaged<State>.fromOpaque(state!).takeUnretainedValue().errors += 1 },
            Unmanaged.passUnretained(state).toOpaque())
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
            throw MediaError(.unsupported, step: .decode, reason: "libFLAC cannot open it")
        }
    }

    deinit { FLAC__stream_decoder_delete(decoder) }

    func next() throws(MediaError) -> AudioBlock? {
        while true {
            if let block = try state.blocks.next() {
                guard block.start + block.count <= limit else {
                    throw AudioLimits.tooLong(limit, at: info.format.sampleRate)
                }
                return block
            }
            guard !isAtEnd else { return nil }
            state.buffer.removeAll()
            let isDone = FLAC__stream_decoder_process_single(decoder) != 0
            if let failure = state.failure { throw failure }
            isAtEnd = !isDone || FLAC__stream_decoder_get_state(decoder) == FLAC__STREAM_DECODER_END_OF_STREAM
        }
    }

    func stop() {}

    var outcome: AudioReadOutcome {
        AudioReadOutcome(sampleCount: state.sampleCount, lostPackets: state.errors, filledSamples: state.filled)
    }

    /// The channels by their number (RFC 9639, section 9.1.3), with FFmpeg's names.
    private static let layouts: [[AudioChannel]] = [
        [.mono], [.left, .right], [.left, .right, .center], [.left, .right, .backLeft, .backRight],
        [.left, .right, .center, .sideLeft, .sideRight],
        [.left, .right, .center, .lowFrequency, .sideLeft, .sideRight],
        [.left, .right, .center, .lowFrequency, .backCenter, .sideLeft, .sideRight],
        [.left, .right, .center, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight],
    ]

    /// The STREAMINFO block at the beginning of a file (RFC 9639, section 8.2; in Ogg, section 10.1).
    private struct Header {
        let isOgg: Bool
        let sampleRate: Int
        let channelCount: Int
        let sampleCount: Int

        /// Returns nil unless `file` is FLAC of 32 bits.
        init?(_ file: InputFile) throws(MediaError) {
            let start = try file.peek(128)
            let parsed = start.withUnsafeBytes { bytes -> (Bool, UInt64)? in
                var offset = 0
                let isOgg = bytes.matches("OggS".utf8, at: 0) && bytes.count > 26
                // The header of a page, the lengths of its parts, and the header of the mapping.
                if isOgg { offset = 27 + Int(bytes[26]) + 9 }
                guard bytes.matches("fLaC".utf8, at: offset), bytes.count >= offset + 26 else { return nil }
                // The sizes of blocks and frames precede the numbers.
                return (isOgg, bytes.bigEndian(at: offset + 8 + 10, count: 8))
            }
            // 20 bits, three of channels - 1, five of bits - 1, 36 of samples.
            guard let (isOgg, numbers) = parsed, numbers >> 36 & 31 == 31, numbers >> 44 > 0 else { return nil }
            self.isOgg = isOgg
            sampleRate = Int(numbers >> 44)
            channelCount = Int(numbers >> 41 & 7) + 1
            sampleCount = Int(numbers & 0xF_FFFF_FFFF)
        }
    }
}

/// The state of libFLAC's callbacks.
private final class State {
    let file: InputFile
    /// The samples of one frame.
    let buffer: SampleBuffer
    var blocks: BlockQueue
    /// The first error of the file. The callbacks can only return a code.
    var failure: MediaError?
    /// Frames that could not be decoded.
    var errors = 0
    /// Samples per channel so far, and those of silence in place of lost frames.
    var sampleCount = 0
    var filled = 0

    /// Max seconds of silence in place of lost frames.
    private static let maxLostSeconds = 60

    init(_ file: InputFile, _ format: SampleBuffer.Format) {
        self.file = file
        buffer = SampleBuffer(format)
        blocks = BlockQueue(format, task: file.task)
    }

    /// `count`: the room, and then the number of bytes that were read.
    func read(
        into memory: UnsafeMutablePointer<FLAC__byte>, count: UnsafeMutablePointer<Int>
    ) -> FLAC__StreamDecoderReadStatus {
        do throws(MediaError) {
            count.pointee = try file.read(into: memory, count: count.pointee)
            return count.pointee == 0
                ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
        } catch {
            failure = error
            return FLAC__STREAM_DECODER_READ_STATUS_ABORT
        }
    }

    /// Adds the samples of a frame, and silence for the frames that are missing before it.
    func take(
        _ frame: UnsafePointer<FLAC__Frame>, _ samples: UnsafePointer<UnsafePointer<FLAC__int32>?>
    ) -> FLAC__StreamDecoderWriteStatus {
        let header = frame.pointee.header
        let format = buffer.format
        do throws(MediaError) {
            guard Int(header.channels) == format.channelCount, header.bits_per_sample == 32 else {
                throw MediaError(.unsupported, step: .decode, reason: "its format changes within the stream")
            }
            let missing = Int(clamping: header.number.sample_number) - sampleCount
            if errors > 0, missing > 0, missing < Self.maxLostSeconds * format.sampleRate {
                blocks.appendSilence(missing, start: sampleCount)
                filled += missing
                sampleCount += missing
            }
            let count = Int(header.blocksize)
            let range = try buffer.append(upTo: count) { planes in
                for (channel, plane) in planes.enumerated() {
                    guard let source = samples[channel] else { continue }
                    plane.copyMemory(from: source, byteCount: 4 * count)
                }
                return count
            }
            blocks.append(SampleRun(buffer: buffer, range: range), start: sampleCount)
            sampleCount += count
            return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
        } catch {
            failure = error
            return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
    }
}
