internal import CFFmpeg
package import WayreelCore

/// A decoded frame of video or audio: FFmpeg's AVFrame, owned. Modified by one thread at a time.
///
/// Its sendability is unchecked: queues pass it from thread to thread, and FFmpeg counts the references to its pixels,
/// which copies share.
package final class Frame: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>

    package init() throws(MediaError) {
        guard let frame = av_frame_alloc() else {
            throw MediaError(.limit, step: .decode, reason: "no memory for a frame")
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

    /// Calls `body` with the planes of its pixel format.
    package func withPlanes<Result>(
        _ body: ([FramePlane]) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try withExtendedLifetime(self) { () throws(MediaError) in
            try body((0..<4).compactMap { FramePlane(self, $0) })
        }
    }

    /// Copies the pixels if they are shared with another frame or a decoder.
    package func makeWritable() throws(MediaError) {
        guard av_frame_make_writable(pointer) == 0 else {
            throw MediaError(.limit, step: .decode, reason: "no memory for a frame")
        }
    }

    /// The pixel aspect ratio, width by height; nil if unknown.
    package var pixelAspect: Rational? { Rational(pointer.pointee.sample_aspect_ratio) }

    /// PTS in units of the producer's time base; nil if unknown.
    package var time: Int64? {
        get { [pointer.pointee.pts, pointer.pointee.best_effort_timestamp].first { $0 != ffmpeg_no_pts } }
        set { pointer.pointee.pts = newValue ?? ffmpeg_no_pts }
    }

    /// Sets the PTS to the decoder's best-effort timestamp. FFmpeg falls back to decoding times if the presentation
    /// times of a stream do not increase, for example because an encoder numbered its packets in decoding order.
    func useBestEffortTime() {
        let time = pointer.pointee.best_effort_timestamp
        if time != ffmpeg_no_pts { pointer.pointee.pts = time }
    }

    /// The DTS of the packet that the frame was returned with; nil if it is unknown or the stream has ended.
    var packetDecodingTime: Int64? { pointer.pointee.pkt_dts == ffmpeg_no_pts ? nil : pointer.pointee.pkt_dts }

    /// Duration in units of the producer's time base, not negative; 0 if unknown.
    package var duration: Int64 {
        get { max(0, pointer.pointee.pkt_duration) }
        set { pointer.pointee.pkt_duration = newValue }
    }

    package var isInterlaced: Bool { pointer.pointee.interlaced_frame != 0 }
    package var isKeyFrame: Bool { pointer.pointee.key_frame != 0 }

    /// FFmpeg's name of its pixel format.
    package var pixelFormatName: String { av_get_pix_fmt_name(pixelFormat).map { String(cString: $0) } ?? "unknown" }

    package var color: VideoColor {
        VideoColor(
            primaries: pointer.pointee.color_primaries, transfer: pointer.pointee.color_trc,
            matrix: pointer.pointee.colorspace, range: pointer.pointee.color_range)
    }

    /// The peak luminance in its HDR metadata, in cd/m² (``HDRMetadata``).
    var peakLuminance: Double? {
        HDRMetadata.peak(
            light: sideData(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL),
            display: sideData(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA))
    }

    /// Makes the encoder produce a keyframe, or choose the frame type itself.
    package func requestKeyFrame(_ isRequested: Bool) {
        pointer.pointee.pict_type = isRequested ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    }

    /// Whether the encoder is to produce a keyframe.
    package var requestsKeyFrame: Bool { pointer.pointee.pict_type == AV_PICTURE_TYPE_I }

    /// Crops a frame of the coded size as its container states.
    ///
    /// Throws a `decoding` error if FFmpeg cannot crop it.
    func take(_ stated: VideoProperties) throws(MediaError) {
        guard let crop = stated.crop, size == stated.codedSize else { return }
        pointer.pointee.crop_left = crop.left
        pointer.pointee.crop_right = crop.right
        pointer.pointee.crop_top = crop.top
        pointer.pointee.crop_bottom = crop.bottom
        try FFmpeg.check(
            av_frame_apply_cropping(pointer, Int32(AV_FRAME_CROP_UNALIGNED)), .decoding, step: .decode,
            subject: "a cropped frame")
        // The aspect ratio of the container is that of the coded size.
        pointer.pointee.sample_aspect_ratio = AVRational(stated.pixelAspect)
    }

    /// FFmpeg's formats that imply full range, and those of the same layout that do not.
    private static let fullRangeFormats: [Int32: AVPixelFormat] = [
        AV_PIX_FMT_YUVJ420P.rawValue: AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ422P.rawValue: AV_PIX_FMT_YUV422P,
        AV_PIX_FMT_YUVJ444P.rawValue: AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVJ440P.rawValue: AV_PIX_FMT_YUV440P,
    ]

    /// Marks the samples as full or limited range, whatever the coded data state.
    func setRange(isFull: Bool) {
        pointer.pointee.color_range = isFull ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        guard !isFull, let plain = Self.fullRangeFormats[pointer.pointee.format] else { return }
        pointer.pointee.format = plain.rawValue
    }

    /// Returns another frame that shares the pixels.
    package func copy() throws(MediaError) -> Frame {
        let copy = try Frame()
        guard av_frame_ref(copy.pointer, pointer) == 0 else {
            throw MediaError(.limit, step: .decode, reason: "no memory for a frame")
        }
        return copy
    }
}

/// The bytes of one plane of a frame. Valid inside the closure that receives it.
package struct FramePlane {
    private let base: UnsafeMutablePointer<UInt8>
    /// Bytes from one row to the next; negative for bottom-up rows.
    package let stride: Int

    fileprivate init?(_ frame: Frame, _ index: Int) {
        guard let base = frame.planes[index] else { return nil }
        self.base = base
        stride = Int(frame.strides[index])
    }

    /// Returns the first byte of row `y`.
    @inline(__always)
    package func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * stride }
}

extension VideoColor {
    init(
        primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace, range: AVColorRange
    ) {
        let name = { (text: UnsafePointer<CChar>?) in text.map { String(cString: $0) } ?? "unknown" }
        self.init(
            primaries: name(av_color_primaries_name(primaries)), transfer: name(av_color_transfer_name(transfer)),
            matrix: name(av_color_space_name(matrix)), isFullRange: range == AVCOL_RANGE_JPEG)
    }
}
