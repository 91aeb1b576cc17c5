internal import Glibc
internal import WayreelCore
internal import WayreelKernels

/// Reads samples that stand in a file one after another, in pieces as large as are there: the quick way for raw sound and
/// WAV files.
struct PCMReader {
    let file: SoundFile
    let layout: PCMLayout
    let channelCount: Int
    /// Where the samples begin, in a file that can be seeked in.
    var offset = 0
    /// Bytes of samples; nil: up to the end of the file.
    var byteCount: Int?

    /// As large as half a second-level cache, so that what was read is still there when it is measured.
    private static let pieceSize = 1 << 18

    struct Outcome {
        /// Samples per channel.
        var sampleCount = 0
        /// Floats that were no numbers and have become 0.
        var notFinite = 0
    }

    /// Hands out all blocks in order. A pipe's samples are handed out as they come.
    func read(_ body: (AudioBlock) throws(MediaError) -> Void) throws(MediaError) -> Outcome {
        let frame = layout.byteCount * channelCount
        let room = max(Self.pieceSize / frame, 1) * frame
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 64)
        defer { bytes.deallocate() }
        let unpacked = layout.unpack.map { _ in
            UnsafeMutableRawPointer.allocate(
                byteCount: room / layout.byteCount * layout.type.byteCount, alignment: 64)
        }
        defer { unpacked?.deallocate() }
        if file.size != nil { file.seek(to: offset) }
        var outcome = Outcome()
        var left = byteCount ?? .max
        var held = 0
        while left > 0 {
            let got = try file.read(into: bytes + held, count: min(room - held, left))
            if got == 0 { break }
            left -= got
            held += got
            let count = held / frame
            guard count > 0 else { continue }
            let samples = unpacked ?? bytes
            layout.unpack?(bytes, samples, count * channelCount)
            if layout.type == .float32 { outcome.notFinite += silence(samples, count * channelCount) }
            try body(
                AudioBlock(
                    layout.type, count: count, channelCount: channelCount, planes: [UnsafeRawPointer(samples)],
                    start: outcome.sampleCount))
            outcome.sampleCount += count
            held -= count * frame
            if held > 0 { memmove(bytes, bytes + count * frame, held) }
        }
        return outcome
    }

    private func silence(_ memory: UnsafeMutableRawPointer, _ count: Int) -> Int {
        let floats = memory.assumingMemoryBound(to: Float.self)
        let found = wr_count_not_finite(floats, count)
        if found > 0 { wr_silence_not_finite(floats, count) }
        return found
    }
}
