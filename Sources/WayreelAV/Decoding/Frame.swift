internal import CFFmpeg
package import WayreelCore

/// A decoded frame of video or audio: FFmpeg's AVFrame, owned. Modified by one thread at a time.
package final class Frame: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>

    package init() throws(MediaError) {
        guard let frame = av_frame_alloc() else {
            throw MediaError(.limit, step: "decode", reason: "no memory for a frame")
        }
        pointer = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    package var size: PixelSize { PixelSize(width: Int(pointer.pointee.width), height: Int(pointer.pointee.height)) }
    var pixelFormat: AVPixelFormat { AVPixelFormat(rawValue: pointer.pointee.format) }

    /// The components of the pixel format, their planes and depths.
    var descriptor: AVPixFmtDescriptor { av_pix_fmt_desc_get(pixelFormat).pointee }

    func has(_ flag: Int32) -> Bool { descriptor.flags & UInt64(flag) != 0 }

    /// Whether the decoder has marked it as damaged.
    package var isDamaged: Bool {
        pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 || pointer.pointee.decode_error_flags != 0
    }

    func sideData(_ type: AVFrameSideDataType) -> [UInt8]? {
        guard let data = av_frame_get_side_data(pointer, type)?.pointee, data.size > 0 else { return nil }
        return Array(UnsafeBufferPointer(start: data.data, count: data.size))
    }

    /// Returns the first byte of row `y` of a plane; nil if the format has no such plane.
    func row(_ y: Int, plane index: Int) -> UnsafeMutablePointer<UInt8>? {
        let stride = withUnsafeBytes(of: pointer.pointee.linesize) {
            $0.load(fromByteOffset: index * 4, as: Int32.self)
        }
        return planes[index].map { $0 + y * Int(stride) }
    }

    var planes: [UnsafeMutablePointer<UInt8>?] {
        withUnsafeBytes(of: pointer.pointee.data) { Array($0.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)) }
    }

    var strides: [Int32] {
        withUnsafeBytes(of: pointer.pointee.linesize) { Array($0.bindMemory(to: Int32.self)) }
    }

    /// Returns row `y` of a plane of 32-bit floats in native byte order; nil if the format has no such plane.
    func floats(ofRow y: Int, plane: Int) -> UnsafePointer<Float>? {
        row(y, plane: plane).map { UnsafeRawPointer($0).assumingMemoryBound(to: Float.self) }
    }

    /// Whether any pixel is not opaque. Integer formats with more than 8 bits and alpha are assumed to have such
    /// pixels.
    var usesAlpha: Bool {
        if has(AV_PIX_FMT_FLAG_PAL) { return anyByte(plane: 0, offset: 0, step: 1, where: paletteAlpha()) }
        guard has(AV_PIX_FMT_FLAG_ALPHA) else { return false }
        let alpha = descriptor.nb_components == 2 ? descriptor.comp.1 : descriptor.comp.3
        if has(AV_PIX_FMT_FLAG_FLOAT), alpha.depth == 32 {
            return (0..<size.height).contains { y in
                guard let row = floats(ofRow: y, plane: Int(alpha.plane)) else { return false }
                return (0..<size.width).contains { row[$0] < 1 }
            }
        }
        guard alpha.depth == 8 else { return true }
        let isTranslucent = (0...255).map { $0 < 255 }
        return anyByte(plane: Int(alpha.plane), offset: Int(alpha.offset), step: Int(alpha.step), where: isTranslucent)
    }

    /// Returns for each palette entry whether it is not opaque. Entries are 0xAARRGGBB in native byte order.
    private func paletteAlpha() -> [Bool] {
        guard let palette = planes[1] else { return Array(repeating: false, count: 256) }
        return palette.withMemoryRebound(to: UInt32.self, capacity: 256) { entries in
            (0...255).map { entries[$0] >> 24 < 255 }
        }
    }

    private func anyByte(plane: Int, offset: Int, step: Int, where holds: [Bool]) -> Bool {
        (0..<size.height).contains { y in
            guard let row = row(y, plane: plane) else { return false }
            return (0..<size.width).contains { x in holds[Int(row[x * step + offset])] }
        }
    }
}
