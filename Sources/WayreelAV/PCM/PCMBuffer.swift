internal import Glibc
internal import WayreelCore
internal import WayreelKernels

/// Complete sample frames of one read, and their memory.
///
/// Belongs to one thread at a time.
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
