internal import CFFmpeg
internal import WayreelCore

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
