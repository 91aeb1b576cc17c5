internal import WayreelCore

/// The headers of files with samples whose number is known, so that they can also be written to pipes.
package enum ToneHeaders {
    /// RIFF/WAVE: WAVEFORMATEX for 16-bit integers of one or two channels, otherwise WAVEFORMATEXTENSIBLE. From 4 GiB
    /// on RF64 (EBU Tech 3306).
    package static func wave(
        _ samples: ToneSamples, _ format: (sampleRate: Int, channelCount: Int, frameCount: Int)
    ) -> [UInt8] {
        let (sampleRate, channelCount, frameCount) = format
        let frameSize = channelCount * samples.byteCount
        let dataSize = frameCount * frameSize
        let isPlain = samples == .int16 && channelCount <= 2
        var terms = little(UInt16(isPlain ? 1 : 0xFFFE)) + little(UInt16(channelCount)) + little(UInt32(sampleRate))
        terms += little(UInt32(clamping: sampleRate * frameSize)) + little(UInt16(frameSize))
        terms += little(UInt16(samples.bits))
        if !isPlain {
            terms += little(UInt16(22)) + little(UInt16(samples.bits)) + little(speakers(channelCount))
            // The GUID of PCM, or of IEEE floats.
            terms += [samples == .float ? 3 : 1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        }
        let fact = samples == .float ? chunk("fact", little(UInt32(clamping: frameCount))) : []
        // The WAVE tag, the chunks, the header of the data and its padding to an even length.
        let rest = 4 + 8 + terms.count + fact.count + 8 + dataSize + dataSize % 2
        guard rest > Int(UInt32.max) else {
            return Array("RIFF".utf8) + little(UInt32(rest)) + Array("WAVE".utf8) + chunk("fmt ", terms) + fact
                + Array("data".utf8) + little(UInt32(dataSize))
        }
        let sizes =
            little(UInt64(rest + 36)) + little(UInt64(dataSize)) + little(UInt64(frameCount)) + little(UInt32(0))
        return Array("RF64".utf8) + little(UInt32.max) + Array("WAVE".utf8) + chunk("ds64", sizes)
            + chunk("fmt ", terms) + fact + Array("data".utf8) + little(UInt32.max)
    }

    /// Apple's Core Audio Format with little-endian samples.
    package static func caf(
        _ samples: ToneSamples, _ format: (sampleRate: Int, channelCount: Int, frameCount: Int)
    ) -> [UInt8] {
        let (sampleRate, channelCount, frameCount) = format
        let frameSize = channelCount * samples.byteCount
        // Flags: 1 for floats, 2 for little-endian samples. Then bytes and frames of a packet, channels, bits.
        let terms = [samples == .float ? 3 : 2, frameSize, 1, channelCount, samples.bits]
        let description =
            big(Double(sampleRate).bitPattern) + Array("lpcm".utf8) + terms.flatMap { big(UInt32($0)) }
        // The tag of mono, of stereo, of a speaker mask, or of channels without a role.
        let mask = speakers(channelCount)
        let tag: UInt32 =
            switch channelCount {
            case 1: 100 << 16 | 1
            case 2: 101 << 16 | 2
            default: mask != 0 ? 1 << 16 : 147 << 16 | UInt32(channelCount)
            }
        let layout = big(tag) + big(channelCount > 2 ? mask : 0) + big(UInt32(0))
        return Array("caff".utf8) + big(UInt16(1)) + big(UInt16(0)) + long("desc", description) + long("chan", layout)
            + Array("data".utf8) + big(UInt64(4 + frameCount * frameSize)) + big(UInt32(0))
    }

    /// The speakers of up to eight channels, by their number, as FLAC assigns them (RFC 9639, section 9.1.3).
    private static let masks: [UInt32] = [0, 0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F]

    /// The speaker mask of a number of channels; 0 if they have no roles.
    static func speakers(_ count: Int) -> UInt32 { masks.indices.contains(count) ? masks[count] : 0 }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(UInt32(content.count)) + content
    }

    private static func long(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + big(UInt64(content.count)) + content
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
