internal import CFFmpeg
internal import Glibc
internal import WayreelCore
internal import WayreelKernels

/// Decoded samples of one format in a row: int16, int32 or finite float32.
///
/// Belongs to one thread at a time.
final class SampleBuffer: @unchecked Sendable {
    /// What all samples of a store have in common.
    struct Format: Equatable {
        let type: AudioBlock.SampleType
        let channelCount: Int
        let sampleRate: Int
        /// Whether each channel has a plane of its own, or one holds the samples of all in turn.
        let isPlanar: Bool

        /// Whether blocks of both can follow each other.
        func isLike(_ other: Format) -> Bool {
            type == other.type && channelCount == other.channelCount && sampleRate == other.sampleRate
        }

        fileprivate var planeCount: Int { isPlanar ? channelCount : 1 }
        /// Values of a plane in each sample.
        fileprivate var width: Int { isPlanar ? 1 : channelCount }
    }

    let format: Format
    /// Samples per channel.
    private(set) var count = 0
    /// Floats that were no numbers and have become 0, in all of its life.
    private(set) var notFinite = 0
    private var capacity = 0
    private var memory: UnsafeMutableRawPointer?

    init(_ format: Format) { self.format = format }

    deinit { free(memory) }

    func removeAll() { count = 0 }

    private var sampleBytes: Int { format.width * format.type.byteCount }

    /// The addresses of the planes at sample `index`.
    func planes(at index: Int) -> [UnsafeRawPointer] {
        let start = UnsafeRawPointer(memory!) + index * sampleBytes
        return (0..<format.planeCount).map { start + $0 * capacity * sampleBytes }
    }

    /// Makes room for `added` more samples and returns the addresses of the planes behind the last one.
    private func room(for added: Int) throws(MediaError) -> [UnsafeMutableRawPointer] {
        // Also where nothing is added to nothing: the addresses must be some.
        if memory == nil || count + added > capacity {
            let wanted = max(2 * capacity, count + added, 2048)
            guard wanted < 1 << 40,
                let larger = aligned_alloc(64, (wanted * sampleBytes * format.planeCount + 63) & ~63)
            else { throw MediaError(.limit, step: "decode", reason: "no memory for \(wanted) samples") }
            if count > 0 {
                for (plane, source) in planes(at: 0).enumerated() {
                    memcpy(larger + plane * wanted * sampleBytes, source, count * sampleBytes)
                }
            }
            free(memory)
            (memory, capacity) = (larger, wanted)
        }
        return planes(at: count).map { UnsafeMutableRawPointer(mutating: $0) }
    }

    /// Adds the samples of a frame, which must be of this format once they are unpacked.
    func append(_ frame: UnsafeMutablePointer<AVFrame>, _ layout: AudioFrameLayout) throws(MediaError) -> Range<Int> {
        let added = Int(frame.pointee.nb_samples)
        let values = added * format.width
        for (plane, target) in try room(for: added).enumerated() {
            guard let source = frame.pointee.extended_data[plane] else {
                throw MediaError(.decoding, step: "decode", reason: "a frame without samples")
            }
            if let unpack = layout.unpack {
                unpack(source, target, values)
            } else {
                memcpy(target, source, values * format.type.byteCount)
            }
            if format.type == .float32 { silenceNotFinite(target.assumingMemoryBound(to: Float.self), values) }
        }
        defer { count += added }
        return count..<count + added
    }

    /// Adds up to `most` samples that `body` writes to the planes; it returns how many they are.
    func append(
        most: Int, _ body: ([UnsafeMutableRawPointer]) throws(MediaError) -> Int
    ) throws(MediaError) -> Range<Int> {
        let planes = try room(for: most)
        let added = try body(planes)
        if format.type == .float32 {
            for plane in planes {
                silenceNotFinite(plane.assumingMemoryBound(to: Float.self), added * format.width)
            }
        }
        defer { count += added }
        return count..<count + added
    }

    private func silenceNotFinite(_ floats: UnsafeMutablePointer<Float>, _ count: Int) {
        let found = wr_count_not_finite(floats, count)
        guard found > 0 else { return }
        wr_silence_not_finite(floats, count)
        notFinite += found
    }
}

/// Consecutive samples in a store.
struct SampleRun {
    let store: SampleBuffer
    let range: Range<Int>

    var count: Int { range.count }

    /// Whether both hold the same bits.
    func equals(_ other: SampleRun) -> Bool {
        guard count == other.count, store.format == other.store.format else { return false }
        let bytes = count * store.format.width * store.format.type.byteCount
        return zip(store.planes(at: range.lowerBound), other.store.planes(at: other.range.lowerBound))
            .allSatisfy { memcmp($0, $1, bytes) == 0 }
    }

    /// The samples of `part`, counted from the first of this run.
    func slice(_ part: Range<Int>) -> SampleRun {
        SampleRun(store: store, range: range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
    }

    func block(start: Int, isPadding: Bool = false) -> AudioBlock {
        AudioBlock(
            store.format.type, count: count, channelCount: store.format.channelCount,
            planes: store.planes(at: range.lowerBound), start: start, isPadding: isPadding)
    }

    /// The same samples in a store of their own.
    func copy() throws(MediaError) -> SampleRun {
        let store = SampleBuffer(self.store.format)
        let bytes = count * self.store.format.width * self.store.format.type.byteCount
        let range = try store.append(most: count) { planes in
            for (target, source) in zip(planes, self.store.planes(at: self.range.lowerBound)) {
                memcpy(target, source, bytes)
            }
            return count
        }
        return SampleRun(store: store, range: range)
    }
}

/// Where a decoder puts its samples: a store, and another one wherever their format changes.
final class SampleBufferPool: @unchecked Sendable {
    private var stores: [SampleBuffer] = []

    /// Lets go of all samples. Those that a run is still held of, as by a decoder that looks ahead, stay what they are.
    func removeAll() {
        stores.removeFirst(max(0, stores.count - 1))
        guard !stores.isEmpty else { return }
        if isKnownUniquelyReferenced(&stores[0]) { stores[0].removeAll() } else { stores.removeAll() }
    }

    /// Also tells how many floats were no numbers and have become 0.
    func append(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) -> (run: SampleRun, notFinite: Int) {
        let layout = try AudioFrameLayout(frame)
        if stores.last?.format != layout.format { stores.append(SampleBuffer(layout.format)) }
        let store = stores[stores.count - 1]
        let before = store.notFinite
        let range = try store.append(frame, layout)
        return (SampleRun(store: store, range: range), store.notFinite - before)
    }
}
