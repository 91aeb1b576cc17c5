internal import CFFmpeg
internal import Glibc
internal import WayreelCore
internal import WayreelKernels

/// Raw PCM, or the samples of a plain WAV file.
final class PCMAudio: AudioSampleSource {
    let info: AudioInfo
    private let reader: PCMReader
    private let limit: Int

    init(_ file: InputFile, _ format: RawAudioFormat, limits: AudioLimits, workers: Int) throws(MediaError) {
        let layout = PCMLayout(format.encoding)
        reader = PCMReader(file: file, layout: layout, channelCount: format.channelCount, workers: workers)
        limit = limits.sampleCount(at: format.sampleRate)
        info = AudioInfo(
            container: "raw", codec: "pcm_\(format.encoding.rawValue)",
            format: AudioFormat(
                sampleRate: format.sampleRate, channels: AudioChannel.unnamed(count: format.channelCount)),
            sampleType: layout.type, bitDepth: layout.bits, isLossless: true, tracks: [1],
            expectedSampleCount: file.size.map { $0 / (layout.byteCount * format.channelCount) })
    }

    /// Reads a WAV file, which FFmpeg has opened as `audio`, without FFmpeg. Returns nil if it is not a single run of
    /// PCM.
    init?(_ file: InputFile, _ audio: EncodedAudio, limits: AudioLimits, workers: Int) throws(MediaError) {
        guard audio.info.container == "wav", let encoding = Self.encodings[audio.info.codec],
            let offset = audio.firstPacketOffset, let size = file.size,
            let data = try WAVDataChunk(file, size: size, samplesAt: offset)
        else { return nil }
        let layout = PCMLayout(encoding)
        let channelCount = audio.info.format.channels.count
        let frame = layout.byteCount * channelCount
        guard audio.track.parameters.pointer.pointee.block_align == frame, layout.type == audio.info.sampleType else {
            return nil
        }
        reader = PCMReader(
            file: file, layout: layout, channelCount: channelCount, offset: offset, byteCount: data.byteCount,
            workers: workers)
        limit = limits.sampleCount(at: audio.info.format.sampleRate)
        info = AudioInfo(
            container: audio.info.container, codec: audio.info.codec, format: audio.info.format,
            sampleType: audio.info.sampleType, bitDepth: audio.info.bitDepth, isLossless: true, tracks: [1],
            expectedSampleCount: data.byteCount / frame)
    }

    /// The encodings by FFmpeg's name of the codec.
    private static let encodings: [String: RawAudioFormat.Encoding] = [
        "pcm_u8": .u8, "pcm_s16le": .s16le, "pcm_s24le": .s24le, "pcm_s32le": .s32le, "pcm_f32le": .f32le,
        "pcm_f64le": .f64le,
    ]

    func next() throws(MediaError) -> AudioBlock? {
        guard let block = try reader.next() else { return nil }
        guard block.start + block.count <= limit else {
            throw AudioLimits.tooLong(limit, at: info.format.sampleRate)
        }
        return block
    }

    func stop() { reader.stop() }

    var outcome: AudioReadOutcome { AudioReadOutcome(sampleCount: reader.sampleCount, notFinite: reader.notFinite) }
}

/// Complete sample frames of one read, and their memory.
///
/// Its sendability is unchecked: two queues pass it to and fro between the thread that reads and the one that processes.
final class PCMBuffer: @unchecked Sendable {
    /// Samples per channel.
    private(set) var count = 0
    /// NaN and infinite samples, replaced by 0.
    private(set) var notFinite = 0
    private let layout: PCMLayout
    private let channelCount: Int
    private let capacity: Int
    /// The bytes as in the file.
    private let bytes: UnsafeMutableRawPointer
    /// The unpacked samples, if they differ from the bytes.
    private let unpacked: UnsafeMutableRawPointer?

    /// Half of a typical second-level cache, so that samples are still cached when they are processed.
    private static let size = 1 << 18

    init(_ layout: PCMLayout, channelCount: Int) {
        self.layout = layout
        self.channelCount = channelCount
        let frame = layout.byteCount * channelCount
        let capacity = max(Self.size / frame, 1) * frame
        self.capacity = capacity
        bytes = .allocate(byteCount: capacity, alignment: 64)
        unpacked = layout.unpack.map { _ in
            .allocate(byteCount: capacity / layout.byteCount * layout.type.byteCount, alignment: 64)
        }
    }

    deinit {
        bytes.deallocate()
        unpacked?.deallocate()
    }

    /// Reads the available bytes, up to `left`, and subtracts their number from it. `rest` holds the start of an
    /// incomplete sample frame before and after. Returns false at the end.
    func fill(from file: InputFile, left: inout Int, rest: inout [UInt8]) throws(MediaError) -> Bool {
        let frame = layout.byteCount * channelCount
        var held = rest.count
        rest.withUnsafeBytes { if let start = $0.baseAddress { memcpy(bytes, start, held) } }
        repeat {
            let got = left > 0 ? try file.read(into: bytes + held, count: min(capacity - held, left)) : 0
            if got == 0 { return false }
            left -= got
            held += got
        } while held < frame
        count = held / frame
        rest = Array(UnsafeRawBufferPointer(start: bytes + count * frame, count: held - count * frame))
        let samples = unpacked ?? bytes
        layout.unpack?(bytes, samples, count * channelCount)
        notFinite = layout.type == .float32 ? silence(samples.assumingMemoryBound(to: Float.self)) : 0
        return true
    }

    private func silence(_ floats: UnsafeMutablePointer<Float>) -> Int {
        let found = wr_count_not_finite(floats, count * channelCount)
        if found > 0 { wr_silence_not_finite(floats, count * channelCount) }
        return found
    }

    func block(start: Int) -> AudioBlock {
        AudioBlock(
            layout.type, count: count, channelCount: channelCount, planes: [UnsafeRawPointer(unpacked ?? bytes)],
            start: start)
    }
}
