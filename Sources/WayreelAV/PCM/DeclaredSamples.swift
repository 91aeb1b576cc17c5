internal import CFFmpeg
internal import WayreelCore

/// The bytes of samples that the header of a PCM file declares. FFmpeg counts only those that are in the file, and none of
/// a pipe.
struct DeclaredSamples {
    private let bytes: UnsafeRawBufferPointer

    /// Returns nil for a size that was not known when the header was written, and for other containers. `container`:
    /// FFmpeg's name; `start`: the first bytes of the file.
    static func byteCount(in container: String, _ start: [UInt8]) -> Int? {
        start.withUnsafeBytes { bytes in
            guard bytes.count > 40 else { return nil }
            let header = DeclaredSamples(bytes: bytes)
            switch container {
            case "wav": return header.wave()
            case "w64": return header.wave64()
            case "caf": return header.coreAudio()
            default: return nil
            }
        }
    }

    /// Programs that write to a pipe cannot update the size, and declare 0 or almost 2 or 4 GiB.
    static func isPlaceholder(_ size: Double) -> Bool {
        size == 0 || (0x7F00_0000...0x8000_0000).contains(size) || (0xFF00_0000...0x1_0000_0000).contains(size)
    }

    private func wave() -> Int? {
        let isSwapped = bytes.matches("RIFX".utf8, at: 0)
        var offset = 12
        while offset + 8 <= bytes.count {
            let size = Int(isSwapped ? bytes.bigEndian32(at: offset + 4) : bytes.littleEndian32(at: offset + 4))
            if bytes.matches("data".utf8, at: offset) {
                if size == 0xFFFF_FFFF, let long = WAVDataChunk.longSize(bytes) { return long }
                return Self.isPlaceholder(Double(size)) ? nil : size
            }
            offset += 8 + size + size % 2
        }
        return nil
    }

    private func wave64() -> Int? {
        var offset = 40
        while offset + 24 <= bytes.count {
            let size = bytes.littleEndian64(at: offset + 16)
            guard (24..<1 << 62).contains(size) else { return nil }
            if bytes.matches("data".utf8, at: offset) { return size > 24 ? Int(size) - 24 : nil }
            offset += (Int(size) + 7) / 8 * 8
        }
        return nil
    }

    private func coreAudio() -> Int? {
        var offset = 8
        while offset + 12 <= bytes.count {
            let size = Int64(bitPattern: bytes.bigEndian(at: offset + 4, count: 8))
            guard (4..<1 << 62).contains(size) else { return nil }
            // A number of edits precedes the samples.
            if bytes.matches("data".utf8, at: offset) { return size > 4 ? Int(size) - 4 : nil }
            offset += 12 + Int(size)
        }
        return nil
    }
}

extension Demuxer {
    /// Returns the number of samples that the header of a PCM file declares; nil for other streams, and if it is unknown.
    func declaredSampleCount(of index: Int) throws(MediaError) -> Int? {
        let parameters = parameters(of: index).pointee
        let frame = Int(parameters.block_align)
        let bits = Int(av_get_bits_per_sample(parameters.codec_id)) * Int(parameters.ch_layout.nb_channels)
        guard frame > 0, bits == 8 * frame else { return nil }
        return DeclaredSamples.byteCount(in: info.container, try file.peek(1 << 16)).map { $0 / frame }
    }
}
