internal import CFFmpeg
package import WayreelCore

extension Frame {
    /// When it is to be shown, in units of a time base that its producer knows; nil where that is not known.
    package var time: Int64? {
        get {
            let known = [pointer.pointee.pts, pointer.pointee.best_effort_timestamp].first { $0 != ffmpeg_no_pts }
            return known
        }
        set { pointer.pointee.pts = newValue ?? ffmpeg_no_pts }
    }

    /// Takes the decoder's best-effort timestamp as the time of display: FFmpeg falls back to decoding times where the
    /// presentation times of a stream do not increase, as where an encoder numbered its packets in decoding order.
    func useBestEffortTime() {
        let time = pointer.pointee.best_effort_timestamp
        if time != ffmpeg_no_pts { pointer.pointee.pts = time }
    }

    /// In the same units; 0: not known.
    package var duration: Int64 {
        get { pointer.pointee.pkt_duration }
        set { pointer.pointee.pkt_duration = newValue }
    }

    package var isInterlaced: Bool { pointer.pointee.interlaced_frame != 0 }
    package var isKeyFrame: Bool { pointer.pointee.key_frame != 0 }

    /// FFmpeg's name of its pixel format.
    package var pixelFormatName: String { av_get_pix_fmt_name(pixelFormat).map { String(cString: $0) } ?? "unknown" }

    package var color: VideoColor {
        get {
            VideoColor(
                primaries: Self.name(av_color_primaries_name(pointer.pointee.color_primaries)),
                transfer: Self.name(av_color_transfer_name(pointer.pointee.color_trc)),
                matrix: Self.name(av_color_space_name(pointer.pointee.colorspace)),
                isFullRange: pointer.pointee.color_range == AVCOL_RANGE_JPEG)
        }
    }

    /// cd/m² of the brightest content, or else of the display that it was made on, as HDR's metadata tell.
    var peakLuminance: Double? {
        HDRMetadata.peak(
            light: sideData(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL),
            display: sideData(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA))
    }

    private static func name(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "unknown" }

    /// Leaves it to the encoder what kind of picture it becomes, or has it become a key frame.
    package func askForKeyFrame(_ isWanted: Bool) {
        pointer.pointee.pict_type = isWanted ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    }

    /// Another frame that shares the pixels.
    package func copy() throws(MediaError) -> Frame {
        let copy = try Frame()
        guard av_frame_ref(copy.pointer, pointer) == 0 else {
            throw MediaError(.limit, step: "decode", reason: "no memory for a frame")
        }
        return copy
    }
}
