internal import CFFmpeg
package import WayreelCore

/// Decodes coded images: independent ones, such as the tiles of a HEIC or AVIF grid, or the last of several dependent
/// ones, such as the frames of an image sequence.
///
/// Belongs to one thread at a time, and decodes on that thread only.
package final class CodedImageDecoder {
    package enum Codec: Sendable {
        case hevc, av1

        fileprivate var decoder: String { self == .hevc ? "hevc" : "libdav1d" }

        /// Whether FFmpeg and its decoder are installed. Loads FFmpeg.
        package var isInstalled: Bool {
            (try? FFmpeg.load(.scaler, step: .decode)) != nil && avcodec_find_decoder_by_name(decoder) != nil
        }

        /// Whether frames are decoded into marked memory, so that undecoded blocks can be found (``UndecodedBlocks``).
        fileprivate var decodesIntoMarkedMemory: Bool { self == .hevc }
    }

    private let codec: Codec
    private let configuration: [UInt8]
    private let maxPixels: Int
    private var decoder: Decoder
    /// Whether an image contained parameter sets, which `decoder` would use for the next images too.
    private var hasForeignParameterSets = false

    /// `configuration` is the content of the item's `hvcC` or `av1C` box. Images may have at most `maxPixels` pixels.
    ///
    /// Throws an `io` error if FFmpeg is not installed, an `unsupported` error if it lacks the decoder.
    package init(_ codec: Codec, configuration: [UInt8], maxPixels: Int) throws(MediaError) {
        try FFmpeg.load(.scaler, step: .decode)
        (self.codec, self.configuration, self.maxPixels) = (codec, configuration, maxPixels)
        decoder = try Self.makeDecoder(codec, configuration, maxPixels)
    }

    private static func makeDecoder(
        _ codec: Codec, _ configuration: [UInt8], _ maxPixels: Int
    ) throws(MediaError) -> Decoder {
        try Decoder(
            Decoder.codec(named: codec.decoder, advice: "convert the file to PNG or TIFF"), name: codec.decoder
        ) { (context) throws(MediaError) in
            context.pointee.max_pixels = Int64(maxPixels)
            try configuration.withBytes { (bytes) throws(MediaError) in try context.setExtraData(bytes) }
            // Undecoded blocks are searched in the whole frame, before cropping.
            context.pointee.apply_cropping = 0
            if codec.decodesIntoMarkedMemory { context.pointee.get_buffer2 = UndecodedBlocks.getMarkedBuffer }
        }
    }

    /// Decodes the last of `samples`. It may refer to the preceding ones, of which the first is independent; display
    /// order may differ. Throws a `decoding` error if there is no image, and if `task` throws.
    ///
    /// `skipsLoopFilters`: leaves out the deblocking and SAO of HEVC, the last steps of an intra image.
    package func decodeLast(
        _ samples: [UnsafeRawBufferPointer], skipsLoopFilters: Bool = false, task: TaskContext
    ) throws(MediaError) -> CodedImage {
        if hasForeignParameterSets {
            decoder = try Self.makeDecoder(codec, configuration, maxPixels)
            hasForeignParameterSets = false
        }
        // The next image is independent of this one.
        defer { decoder.flush() }
        if codec == .hevc {
            decoder.context.pointee.skip_loop_filter = skipsLoopFilters ? AVDISCARD_ALL : AVDISCARD_DEFAULT
        }
        FFmpeg.forgetLog()
        let (frame, missingShare) = try lastFrame(samples, task)
        guard let layout = PlanarLayout(frame) else {
            throw MediaError(
                .unsupported, step: .decode,
                reason: "\(codec.decoder): pixels of format \(frame.pixelFormatName) are not handled")
        }
        let undecoded = codec.decodesIntoMarkedMemory ? try UndecodedBlocks.fill(in: frame, layout) : 0
        guard undecoded < frame.size.pixels else {
            throw MediaError(
                .decoding, step: .decode, reason: "\(codec.decoder): \(FFmpeg.firstLogged ?? "no image was decoded")")
        }
        try FFmpeg.check(
            av_frame_apply_cropping(frame.pointer, Int32(AV_FRAME_CROP_UNALIGNED)), .decoding, step: .decode,
            subject: codec.decoder)
        // A decoder may fill blocks beyond the end of truncated data with noise.
        let missing = Int((missingShare * Double(frame.size.pixels)).rounded(.up))
        return try CodedImage(frame, layout, undecodedPixels: max(undecoded, missing))
    }

    /// Returns the frame of the last sample, and the share of bytes that a truncated sample lacks, 0 to 1.
    private func lastFrame(
        _ samples: [UnsafeRawBufferPointer], _ task: TaskContext
    ) throws(MediaError) -> (frame: Frame, missingShare: Double) {
        let frame = try Frame()
        var missingShare = 0.0
        var (failed, received): (Int32, Int32) = (0, ffmpeg_again)
        // The end of the stream makes the decoder return delayed frames.
        for (number, sample) in (samples + [nil]).enumerated() {
            try task.check()
            let packet = try sample.map { (bytes) throws(MediaError) in try self.packet(bytes, number, &missingShare) }
            // A decoder may report an error for a damaged sample and still return a frame.
            let sent = try decoder.send(packet)
            if sent < 0, failed == 0 { failed = sent }
            repeat {
                received = try decoder.receive(frame).status
                if received >= 0, frame.pointer.pointee.pts == Int64(samples.count - 1) { return (frame, missingShare) }
            } while received >= 0
        }
        try FFmpeg.check(
            received == ffmpeg_end ? failed : received, .decoding, step: .decode, subject: codec.decoder)
        throw MediaError(.decoding, step: .decode, reason: "\(codec.decoder): no image was decoded")
    }

    /// Creates a packet of a sample, whose `number` becomes the timestamp of its frame. Raises `missingShare` to the
    /// share of an incomplete sample.
    private func packet(
        _ bytes: UnsafeRawBufferPointer, _ number: Int, _ missingShare: inout Double
    ) throws(MediaError) -> Packet {
        guard !bytes.isEmpty else { throw MediaError(.decoding, step: .decode, reason: "a coded image is empty") }
        let packet = try Packet(bytes)
        packet.presentationTime = Int64(number)
        let copy = UnsafeMutableRawBufferPointer(start: packet.pointer.pointee.data, count: bytes.count)
        if codec == .hevc { missingShare = max(missingShare, prepareUnits(copy)) }
        return packet
    }

    /// The types of NAL units with video, sequence and picture parameter sets (H.265, table 7-1).
    private static let parameterSets = 32...34

    /// Looks for parameter sets among NAL units, and shortens the last unit to the end of `bytes` if it is truncated:
    /// FFmpeg would decode none of it. Returns the share of the declared bytes that are missing.
    private func prepareUnits(_ bytes: UnsafeMutableRawBufferPointer) -> Double {
        let lengthBytes = configuration.count > 21 ? Int(configuration[21] & 3) + 1 : 4
        var offset = 0
        while offset + lengthBytes < bytes.count {
            let body = offset + lengthBytes
            let length = bytes[offset..<body].reduce(0) { $0 << 8 | Int($1) }
            let left = bytes.count - body
            if Self.parameterSets.contains(Int(bytes[body] >> 1 & 0x3F)) { hasForeignParameterSets = true }
            guard length > left else {
                offset = body + length
                continue
            }
            for index in 0..<lengthBytes {
                bytes[offset + index] = UInt8(truncatingIfNeeded: left >> (8 * (lengthBytes - 1 - index)))
            }
            return Double(length - left) / (Double(body) + Double(length))
        }
        return 0
    }
}

extension UnsafeMutablePointer<AVCodecContext> {
    /// Sets the codec configuration, followed by the padding that decoders read.
    fileprivate func setExtraData(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
        guard let count = Int32(exactly: bytes.count), let memory = av_malloc(bytes.count + padding) else {
            throw MediaError(.limit, step: .decode, reason: "no memory for a configuration of \(bytes.count) bytes")
        }
        memory.copyMemory(from: start, byteCount: bytes.count)
        (memory + bytes.count).initializeMemory(as: UInt8.self, repeating: 0, count: padding)
        // Freed with the context.
        pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        pointee.extradata_size = count
    }
}

/// A decoded image in read-only planes.
package struct CodedImage: @unchecked Sendable {
    private let frame: Frame
    package let layout: PlanarLayout
    /// The planes, valid as long as the image.
    package let planes: [FramePlane]
    /// Number of pixels that could not be decoded, which are grey; an estimate for truncated data, whose end a decoder
    /// may fill.
    package let undecodedPixels: Int

    package var size: PixelSize { frame.size }

    init(_ frame: Frame, _ layout: PlanarLayout, undecodedPixels: Int) throws(MediaError) {
        self.frame = frame
        self.layout = layout
        planes = try frame.withPlanes { $0 }
        self.undecodedPixels = undecodedPixels
    }
}

/// The layout of a decoded image's planes.
///
/// The planes are luma, Cb and Cr; luma only for a monochrome image; green, blue and red if the matrix is the identity.
/// Samples are UInt8 for a depth of 8, otherwise UInt16 in native byte order with the value in the low bits.
package struct PlanarLayout: Hashable, Sendable {
    /// The position of 4:2:0 and 4:2:2 chroma between the columns or rows of luma.
    package enum Siting: Sendable {
        /// Chroma is at the first of two columns or rows.
        case cosited
        /// Chroma is midway between two columns or rows.
        case centered
    }

    /// Bits of a sample, 8 to 16.
    package let depth: Int
    package let isMonochrome: Bool
    /// Whether chroma has half the columns, and half the rows.
    package let halvesColumns: Bool
    package let halvesRows: Bool
    package let columnSiting: Siting
    package let rowSiting: Siting
    /// H.273's matrix coefficients in the coded data; 2 if unspecified.
    package let matrix: Int
    /// Whether samples are full range; nil if the coded data does not specify it.
    package let isFullRange: Bool?

    package var bytesPerSample: Int { depth > 8 ? 2 : 1 }

    /// Returns nil for other pixel formats.
    init?(_ frame: Frame) {
        let format = frame.descriptor
        let (components, first) = (Int(format.nb_components), format.comp.0)
        guard [1, 3].contains(components), first.shift == 0, (8...16).contains(first.depth),
            !frame.has(AV_PIX_FMT_FLAG_PAL), !frame.has(AV_PIX_FMT_FLAG_FLOAT), !frame.has(AV_PIX_FMT_FLAG_BITSTREAM),
            first.depth == 8 || frame.has(AV_PIX_FMT_FLAG_BE) == Self.isBigEndian,
            components == 1 || frame.has(AV_PIX_FMT_FLAG_PLANAR), format.log2_chroma_w <= 1,
            format.log2_chroma_h <= 1, first.step == (first.depth > 8 ? 2 : 1)
        else { return nil }
        depth = Int(first.depth)
        isMonochrome = components == 1
        halvesColumns = format.log2_chroma_w == 1
        halvesRows = format.log2_chroma_h == 1
        let location = frame.pointer.pointee.chroma_location
        // 4:2:2 states none, because it has one position only (ITU-T H.265, figure 6-2).
        let isLeft = [AVCHROMA_LOC_LEFT, AVCHROMA_LOC_TOPLEFT].contains(location)
        columnSiting = isLeft || !halvesRows ? .cosited : .centered
        rowSiting = location == AVCHROMA_LOC_TOP || location == AVCHROMA_LOC_TOPLEFT ? .cosited : .centered
        matrix = frame.has(AV_PIX_FMT_FLAG_RGB) ? 0 : Int(frame.pointer.pointee.colorspace.rawValue)
        isFullRange =
            switch frame.pointer.pointee.color_range {
            case AVCOL_RANGE_JPEG: true
            case AVCOL_RANGE_MPEG: false
            // FFmpeg's yuvj formats are full range by definition.
            default: frame.pixelFormatName.hasPrefix("yuvj") ? true : nil
            }
    }

    private static var isBigEndian: Bool {
        #if _endian(little)
            false
        #else
            true
        #endif
    }
}
