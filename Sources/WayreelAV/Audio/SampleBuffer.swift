internal import CFFmpeg
internal import Glibc
internal import WayreelCore
internal import WayreelKernels

/// Consecutive decoded samples of one format: int16, int32 or finite float32.
///
/// Belongs to one thread at a time.
final class SampleBuffer {
    struct Format: Equatable {
        let type: AudioBlock.SampleType
        let channelCount: Int
        let sampleRate: Int
        /// Whether each channel has its own plane instead of one interleaved plane.
        let isPlanar: Bool

        /// Returns whether samples of both formats can be emitted as blocks of one stream.
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
    /// NaN and infinite samples that were replaced by 0 since the buffer was created.
    private(set) var notFinite = 0
    private var capacity = 0
    private var memory: UnsafeMutableRawPointer?

    init(_ format: Format) { self.format = format }

    deinit { free(memory) }

    func removeAll() { count = 0 }

    private var sampleBytes: Int { format.width * format.type.byteCount }

    func planes(at index: Int) -> [UnsafeRawPointer] {
        let start = UnsafeRawPointer(memory!) + index * sampleBytes
        return (0..<format.planeCount).map { start + $0 * capacity * sampleBytes }
    }

    /// Reserves memory for `added` more samples, and returns the planes after the last sample.
    private func reserve(_ added: Int) throws(MediaError) -> [UnsafeMutableRawPointer] {
        // An empty buffer also needs memory: its planes must not be null.
        if memory == nil || count + added > capacity {
            let newCapacity = max(2 * capacity, count + added, 2048)
            guard newCapacity < 1 << 40,
                let larger = aligned_alloc(64, (newCapacity * sampleBytes * format.planeCount + 63) & ~63)
            else { throw MediaError(.limit, step: .decode, reason: "no memory for \(newCapacity) samples") }
            if count > 0 {
                for (plane, source) in planes(at: 0).enumerated() {
                    memcpy(larger + plane * newCapacity * sampleBytes, source, count * sampleBytes)
                }
            }
            free(memory)
            (memory, capacity) = (larger, newCapacity)
        }
        return planes(at: count).map { UnsafeMutableRawPointer(mutating: $0) }
    }

    /// Appends the samples of a frame, which have this format after unpacking. Returns their range.
    func append(_ frame: UnsafeMutablePointer<AVFrame>, _ layout: AudioFrameLayout) throws(MediaError) -> Range<Int> {
        let added = Int(frame.pointee.nb_samples)
        let values = added * format.width
        for (plane, target) in try reserve(added).enumerated() {
            guard let source = frame.pointee.extended_data[plane] else {
                throw MediaError(.decoding, step: .decode, reason: "a frame without samples")
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

    /// Appends the samples that `body` writes to the planes; `body` returns their number, at most `max`. Returns their
    /// range.
    func append(
        upTo max: Int, _ body: ([UnsafeMutableRawPointer]) throws(MediaError) -> Int
    ) throws(MediaError) -> Range<Int> {
        let planes = try reserve(max)
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

/// A range of samples in a buffer.
struct SampleRun {
    let buffer: SampleBuffer
    let range: Range<Int>

    var count: Int { range.count }

    /// Returns whether both runs hold the same bits.
    func equals(_ other: SampleRun) -> Bool {
        guard count == other.count, buffer.format == other.buffer.format else { return false }
        let bytes = count * buffer.format.width * buffer.format.type.byteCount
        return zip(buffer.planes(at: range.lowerBound), other.buffer.planes(at: other.range.lowerBound))
            .allSatisfy { memcmp($0, $1, bytes) == 0 }
    }

    /// Returns the samples in `part`, which counts from the start of this run.
    func slice(_ part: Range<Int>) -> SampleRun {
        SampleRun(buffer: buffer, range: range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
    }

    func block(start: Int, isPadding: Bool = false) -> AudioBlock {
        AudioBlock(
            buffer.format.type, count: count, channelCount: buffer.format.channelCount,
            planes: buffer.planes(at: range.lowerBound), start: start, isPadding: isPadding)
    }

    /// Returns a copy in a separate buffer.
    func copy() throws(MediaError) -> SampleRun {
        let buffer = SampleBuffer(self.buffer.format)
        let bytes = count * self.buffer.format.width * self.buffer.format.type.byteCount
        let range = try buffer.append(upTo: count) { planes in
            for (target, source) in zip(planes, self.buffer.planes(at: self.range.lowerBound)) {
                memcpy(target, source, bytes)
            }
            return count
        }
        return SampleRun(buffer: buffer, range: range)
    }
}

/// The buffers of a decoder's samples: a new one for each change of format.
final class SampleBufferPool {
    private var buffers: [SampleBuffer] = []

    /// Removes all samples and keeps the memory for the next ones. Runs that are still in use, such as in a decoder
    /// with delay, stay valid.
    func removeAll() {
        buffers.removeFirst(max(0, buffers.count - 1))
        guard !buffers.isEmpty else { return }
        if isKnownUniquelyReferenced(&buffers[0]) { buffers[0].removeAll() } else { buffers.removeAll() }
    }

    /// Appends the samples of a frame. Also returns the number of NaN and infinite samples, which are replaced by 0.
    func append(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) -> (run: SampleRun, notFinite: Int) {
        let layout = try AudioFrameLayout(frame)
        if buffers.last?.format != layout.format { buffers.append(SampleBuffer(layout.format)) }
        let buffer = buffers[buffers.count - 1]
        let before = buffer.notFinite
        let range = try buffer.append(frame, layout)
        return (SampleRun(buffer: buffer, range: range), buffer.notFinite - before)
    }
}

/// The sample format of an AVFrame, and its conversion to that of a ``SampleBuffer``.
struct AudioFrameLayout {
    let format: SampleBuffer.Format
    /// The conversion; nil if samples are copied unchanged.
    let unpack: PCMLayout.Unpacking?

    /// FFmpeg's interleaved sample formats by number.
    private static let interleaved: [(type: AudioBlock.SampleType, unpack: PCMLayout.Unpacking?)?] = {
        var table: [(AudioBlock.SampleType, PCMLayout.Unpacking?)?] = Array(
            repeating: nil, count: Int(AV_SAMPLE_FMT_NB.rawValue))
        table[Int(AV_SAMPLE_FMT_U8.rawValue)] = (.int16, wr_pcm_u8)
        table[Int(AV_SAMPLE_FMT_S16.rawValue)] = (.int16, nil)
        table[Int(AV_SAMPLE_FMT_S32.rawValue)] = (.int32, nil)
        table[Int(AV_SAMPLE_FMT_S64.rawValue)] = (.int32, wr_pcm_s64)
        table[Int(AV_SAMPLE_FMT_FLT.rawValue)] = (.float32, nil)
        table[Int(AV_SAMPLE_FMT_DBL.rawValue)] = (.float32, wr_pcm_f64)
        return table
    }()

    init(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) {
        let format = AVSampleFormat(rawValue: frame.pointee.format)
        let number = Int(av_get_packed_sample_fmt(format).rawValue)
        guard Self.interleaved.indices.contains(number), let (type, unpack) = Self.interleaved[number] else {
            throw MediaError(
                .unsupported, step: .decode, reason: "FFmpeg's sample format \(format.rawValue) is not known")
        }
        self.format = SampleBuffer.Format(
            type: type, channelCount: Int(frame.pointee.ch_layout.nb_channels),
            sampleRate: Int(frame.pointee.sample_rate), isPlanar: av_sample_fmt_is_planar(format) != 0)
        self.unpack = unpack
    }
}
