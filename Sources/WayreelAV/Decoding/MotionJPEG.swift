internal import CFFmpeg
internal import WayreelCore
internal import WayreelJPEG

/// Decodes the packets of Motion JPEG by WayreelJPEG, in less time than FFmpeg.
///
/// It accepts only packets that FFmpeg decodes to one frame of the container's size without any exception. The samples are
/// libjpeg's, which differ from FFmpeg's by the rounding of the inverse DCT.
final class MotionJPEG {
    private let context: UnsafePointer<AVCodecContext>
    /// The size that the container states.
    private let size: PixelSize
    private var pool: (format: String, size: PixelSize, frames: FramePool)?
    /// Whether it has decoded a packet, and whether it has left one to FFmpeg, as all that follow.
    private(set) var hasDecoded = false
    private(set) var isLeftToFFmpeg = false
    /// Whether a packet has defined Huffman tables, which hold for those that follow.
    private var hasOwnTables = false

    /// `context` is that of FFmpeg's decoder, which has been opened. Returns nil for another codec, and for frames of more
    /// than `maxPixels`.
    init?(_ context: UnsafePointer<AVCodecContext>, maxPixels: Int) {
        size = PixelSize(width: Int(context.pointee.width), height: Int(context.pointee.height))
        guard context.pointee.codec_id == AV_CODEC_ID_MJPEG, size.pixels > 0, size.pixels <= maxPixels else {
            return nil
        }
        self.context = context
    }

    /// Returns the frame of a packet, or nil if it is left to FFmpeg. With `side`, it may be of a reduced size, which is
    /// enough to scale its longer side to `side` pixels.
    ///
    /// Throws if memory is exhausted.
    func frame(of packet: Packet, reducedFor side: Int?) throws(MediaError) -> Frame? {
        guard !isLeftToFFmpeg else { return nil }
        if isPlain(packet), let header = MotionJPEGHeader(packet.bytes, hasUsualTables: !hasOwnTables),
            header.size == size, let frame = try decode(header, scale: side.map(scale) ?? 8)
        {
            hasOwnTables = hasOwnTables || header.definesTables
            frame.pointer.pointee.pts = packet.presentationTime ?? ffmpeg_no_pts
            frame.pointer.pointee.pkt_dts = packet.pointer.pointee.dts
            frame.duration = packet.duration
            hasDecoded = true
            return frame
        }
        isLeftToFFmpeg = true
        return nil
    }

    /// Whether nothing but its data decides what FFmpeg makes of a packet. FFmpeg would choose between two timestamps by
    /// those before.
    private func isPlain(_ packet: Packet) -> Bool {
        packet.pointer.pointee.side_data_elems == 0 && !packet.isDamaged && !packet.isDiscarded
            && packet.presentationTime != nil && packet.presentationTime == packet.decodingTime
    }

    /// Returns the eighths of its size that are enough for a reduction of the longer side to `side` pixels: with fewer pixels,
    /// the filter of the reduction would see the edge of what the transform keeps. FFmpeg's filter blurs where a ratio is not
    /// whole, so that only halves of a size have the small copies of the whole.
    private func scale(for side: Int) -> Int32 {
        let least = 8 * 1.65 * Double(side) / Double(max(size.width, size.height))
        return [1, 2, 4].first { Double($0) >= least } ?? 8
    }

    private func decode(_ header: MotionJPEGHeader, scale: Int32) throws(MediaError) -> Frame? {
        let (luma, format) = (header.frame.components.0, header.pixelFormat)
        // With the samples that only complete blocks.
        let whole = PixelSize(width: Int(luma.blocks_wide) * Int(scale), height: Int(luma.blocks_high) * Int(scale))
        if pool?.format != format || pool?.size != whole {
            pool = (format, whole, try FramePool(format, size: whole))
        }
        guard let frame = try pool?.frames.makeFrame() else { return nil }
        let (rows, strides) = (frame.planes, frame.strides)
        let planes = (0..<3).map {
            wj_plane(scale: scale, samples: rows[$0], stride: Int(strides[$0]), coefficients: nil)
        }
        var coded = header.frame
        var decoder: OpaquePointer?
        guard wj_decoder_open(&coded, planes, &decoder) == WJ_ACCEPTED else { return nil }
        wj_decoder_work(decoder, { _ in 0 }, nil)
        guard wj_decoder_close(decoder) == WJ_ACCEPTED else { return nil }
        let target = frame.pointer
        target.pointee.width = Int32((size.width * Int(scale) + 7) / 8)
        target.pointee.height = Int32((size.height * Int(scale) + 7) / 8)
        target.pointee.key_frame = 1
        target.pointee.pict_type = AV_PICTURE_TYPE_I
        target.pointee.sample_aspect_ratio = context.pointee.sample_aspect_ratio
        target.pointee.color_primaries = context.pointee.color_primaries
        target.pointee.color_trc = context.pointee.color_trc
        target.pointee.colorspace = context.pointee.colorspace
        target.pointee.color_range = AVCOL_RANGE_JPEG
        target.pointee.chroma_location = context.pointee.chroma_sample_location
        return frame
    }
}

/// The header of a packet that means nothing to FFmpeg that it does not mean to WayreelJPEG.
private struct MotionJPEGHeader {
    let frame: wj_frame
    /// FFmpeg's name.
    let pixelFormat: String
    private(set) var definesTables = false

    var size: PixelSize { PixelSize(width: Int(frame.width), height: Int(frame.height)) }

    /// Returns nil if the packet is left to FFmpeg. With `hasUsualTables`, it need not define the usual Huffman tables.
    init?(_ bytes: UnsafeRawBufferPointer, hasUsualTables: Bool) {
        let memory = bytes.bindMemory(to: UInt8.self)
        var frame = wj_frame()
        let read = hasUsualTables ? wj_read_video_frame : wj_read_frame
        guard let base = memory.baseAddress, read(base, memory.count, &frame) == WJ_ACCEPTED, let scan = frame.scan,
            let pixelFormat = Self.pixelFormat(frame)
        else { return nil }
        (self.frame, self.pixelFormat) = (frame, pixelFormat)
        guard acceptSegments(UnsafeBufferPointer(rebasing: memory[..<(scan - base)])) else { return nil }
    }

    /// Whether there are only tables, segments of JFIF, AVI1 and FFmpeg's encoder, and ICC profiles, which are not applied to
    /// frames. From others FFmpeg takes colours, flipped rows, fields, views.
    private mutating func acceptSegments(_ header: UnsafeBufferPointer<UInt8>) -> Bool {
        var next = 2
        while next + 4 <= header.count {
            let (marker, length) = (header[next + 1], Int(header[next + 2]) << 8 | Int(header[next + 3]))
            // A byte of ones before a marker.
            if marker == 0xFF {
                next += 1
                continue
            }
            let begins = { (text: StaticString) in
                length >= 8 && text.withUTF8Buffer { $0.elementsEqual(header[(next + 4)..<(next + 8)]) }
            }
            switch marker {
            case 0xC4: definesTables = true
            case 0xE0: guard begins("JFIF") || begins("AVI1") else { return false }
            case 0xE2: guard begins("ICC_") else { return false }
            case 0xFE: guard begins("Lavc") else { return false }
            case 0xE1, 0xE3...0xEF: return false
            default: break
            }
            next += 2 + length
        }
        return true
    }

    /// Returns nil unless there are three components, numbered as in JFIF or from 0, with as many samples of chroma as of luma,
    /// or half as many in a direction.
    private static func pixelFormat(_ frame: wj_frame) -> String? {
        let (luma, blue, red) = (frame.components.0, frame.components.1, frame.components.2)
        guard frame.component_count == 3, luma.id <= 1, blue.id == luma.id + 1, red.id == luma.id + 2,
            (blue.h, blue.v) == (red.h, red.v), luma.h <= 2, luma.v <= 2
        else { return nil }
        // FFmpeg's encoder writes 4:2:2 with two rows of chroma beside two of luma.
        return switch (luma.h / blue.h, luma.v / blue.v) {
        case (2, 2): "yuvj420p"
        case (2, 1): "yuvj422p"
        case (1, 2): "yuvj440p"
        case (1, 1): "yuvj444p"
        default: nil
        }
    }
}
