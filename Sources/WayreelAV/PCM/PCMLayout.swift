internal import WayreelCore
internal import WayreelKernels

/// The encoding of PCM (or G.711) samples in a file, and their conversion.
struct PCMLayout {
    typealias Unpacking = @Sendable (UnsafeRawPointer?, UnsafeMutableRawPointer?, Int) -> Void

    /// Bytes of a sample in the file.
    let byteCount: Int
    let type: AudioBlock.SampleType
    /// The conversion; nil if the bytes are the samples.
    let unpack: Unpacking?
    /// Significant bits of a sample.
    let bits: Int

    private init(_ byteCount: Int, _ type: AudioBlock.SampleType, _ unpack: Unpacking? = nil, bits: Int? = nil) {
        self.byteCount = byteCount
        self.type = type
        self.unpack = unpack
        self.bits = bits ?? 8 * byteCount
    }

    init(_ encoding: RawAudioFormat.Encoding) {
        self =
            switch encoding {
            case .s8: Self(1, .int16, wr_pcm_s8)
            case .u8: Self(1, .int16, wr_pcm_u8)
            case .s16le: Self(2, .int16)
            case .s16be: Self(2, .int16, wr_pcm_s16_swapped)
            case .s24le: Self(3, .int32, wr_pcm_s24le)
            case .s24be: Self(3, .int32, wr_pcm_s24be)
            case .s32le: Self(4, .int32)
            case .s32be: Self(4, .int32, wr_pcm_s32_swapped)
            case .f32le: Self(4, .float32)
            case .f32be: Self(4, .float32, wr_pcm_s32_swapped)
            case .f64le: Self(8, .float32, wr_pcm_f64)
            case .f64be: Self(8, .float32, wr_pcm_f64_swapped)
            case .mulaw: Self(1, .int16, wr_pcm_mulaw, bits: 14)
            case .alaw: Self(1, .int16, wr_pcm_alaw, bits: 13)
            }
    }
}
