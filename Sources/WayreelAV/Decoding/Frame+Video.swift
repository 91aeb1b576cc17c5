internal import CFFmpeg
package import WayreelCore

extension Frame {
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
            av_frame_apply_cropping(pointer, Int32(AV_FRAME_CROP_UNALIGNED)), .decoding, step: "decode",
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
            throw MediaError(.limit, step: "decode", reason: "no memory for a frame")
        }
        return copy
    }
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
