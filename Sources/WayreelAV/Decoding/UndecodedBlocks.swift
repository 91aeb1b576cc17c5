internal import CFFmpeg
internal import Glibc
internal import WayreelCore

/// Finds the blocks of a frame that a decoder has not written because of missing or damaged data, which FFmpeg does not
/// report. Luma is filled with noise before decoding; a block that still holds the noise was not decoded.
enum UndecodedBlocks {
    /// The smallest coding tree block of HEVC.
    private static let side = 16

    private static let period = 4096
    /// Two periods of noise from a linear congruential generator (Knuth's MMIX), so that a run can start anywhere in
    /// the first.
    private static let noise: [UInt8] = {
        var state: UInt64 = 1
        let bytes = (0..<period).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        return bytes + bytes
    }()

    /// Returns the start of the noise of row `y`.
    private static func offset(_ y: Int) -> Int { y * 1021 % period }

    /// An AVCodecContext's `get_buffer2`: the default buffer with luma marked and chroma neutral.
    static var getMarkedBuffer:
        @convention(c) (UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVFrame>?, Int32) -> Int32
    {
        { context, frame, flags in
            let status = avcodec_default_get_buffer2(context, frame, flags)
            if status >= 0, let frame { UndecodedBlocks.mark(frame) }
            return status
        }
    }

    private static func mark(_ frame: UnsafeMutablePointer<AVFrame>) {
        guard let format = av_pix_fmt_desc_get(AVPixelFormat(rawValue: frame.pointee.format))?.pointee else { return }
        let depth = Int(format.comp.0.depth)
        let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        if let luma = frame.pointee.data.0 {
            for y in 0..<height {
                fillWithNoise(luma + y * Int(frame.pointee.linesize.0), width * (depth > 8 ? 2 : 1), from: offset(y))
            }
        }
        let chromaHeight = (height + 1 << Int(format.log2_chroma_h) - 1) >> Int(format.log2_chroma_h)
        let chromaWidth = (width + 1 << Int(format.log2_chroma_w) - 1) >> Int(format.log2_chroma_w)
        for (plane, stride) in [
            (frame.pointee.data.1, frame.pointee.linesize.1), (frame.pointee.data.2, frame.pointee.linesize.2),
        ] {
            guard let plane, format.nb_components == 3 else { continue }
            for y in 0..<chromaHeight { fillNeutral(plane + y * Int(stride), chromaWidth, depth: depth) }
        }
    }

    private static func fillWithNoise(_ row: UnsafeMutablePointer<UInt8>, _ count: Int, from start: Int) {
        noise.withUnsafeBufferPointer { noise in
            for x in stride(from: 0, to: count, by: period) {
                (row + x).update(from: noise.baseAddress! + start, count: min(period, count - x))
            }
        }
    }

    private static func fillNeutral(_ row: UnsafeMutablePointer<UInt8>, _ count: Int, depth: Int) {
        guard depth > 8 else { return row.update(repeating: 0x80, count: count) }
        row.withMemoryRebound(to: UInt16.self, capacity: count) {
            $0.update(repeating: 1 << UInt16(depth - 1), count: count)
        }
    }

    /// Fills the undecoded blocks of `frame`, before cropping, with grey. Returns the number of their pixels.
    static func fill(in frame: Frame, _ layout: PlanarLayout) throws(MediaError) -> Int {
        try frame.withPlanes { (planes) throws(MediaError) in
            guard let luma = planes.first else { return 0 }
            let size = frame.size
            var pixels = 0
            for y in Swift.stride(from: 0, to: size.height, by: side) {
                let rows = y..<min(y + side, size.height)
                for x in Swift.stride(from: 0, to: size.width, by: side) {
                    let start = x * layout.bytesPerSample
                    let width = min(side, size.width - x)
                    let isUndecoded = [rows.lowerBound, rows.upperBound - 1].allSatisfy {
                        isNoise(luma.row($0) + start, at: offset($0) + start % period, width * layout.bytesPerSample)
                    }
                    guard isUndecoded else { continue }
                    pixels += width * rows.count
                    for row in rows { fillNeutral(luma.row(row) + start, width, depth: layout.depth) }
                }
            }
            return pixels
        }
    }

    private static func isNoise(_ samples: UnsafePointer<UInt8>, at offset: Int, _ count: Int) -> Bool {
        noise.withUnsafeBufferPointer { memcmp(samples, $0.baseAddress! + offset, count) == 0 }
    }
}
