internal import CFFmpeg
package import WayreelCore

/// The first frame of a still image in any format that FFmpeg decodes from one packet.
package final class StillFrame {
    /// The decoder of a format.
    package struct Codec: Sendable {
        /// FFmpeg's name of the decoder.
        package let decoder: String
        /// Private options of the decoder.
        package let options: KeyValuePairs<String, String>
        /// Whether floating-point colours are linear light, premultiplied by alpha. Other formats store straight alpha.
        package let isLinearLight: Bool

        package init(
            _ decoder: String, options: KeyValuePairs<String, String> = [:], isLinearLight: Bool = false
        ) {
            self.decoder = decoder
            self.options = options
            self.isLinearLight = isLinearLight
        }
    }

    /// The colour model of the encoded pixels.
    package enum Model: Sendable {
        case grey, palette, rgb, yCbCr
    }

    package let size: PixelSize
    package let hasAlpha: Bool
    package let model: Model
    /// Bits of a component in the file.
    package let depth: Int
    /// Bits of a component after conversion: 8 or 16.
    package var bits: Int { depth > 8 ? 16 : 8 }
    /// Whether converted rows are linear light.
    package let isLinearLight: Bool
    /// The embedded ICC profile.
    package let profile: [UInt8]?
    /// The first error of a decoder that still returned a frame.
    package let decoderMessage: String?
    private let frame: Frame

    /// Decodes the first frame of `bytes`.
    ///
    /// Throws a `limit` error if the image exceeds `limits`, a `decoding` error if there is none, an `unsupported`
    /// error if FFmpeg lacks the decoder, an `io` error if FFmpeg is not installed.
    package init(
        _ bytes: UnsafeRawBufferPointer, codec: Codec, limits: Limits
    ) throws(MediaError) {
        try FFmpeg.load(.scaler, step: .decode)
        let decoder = try Decoder(
            Decoder.codec(named: codec.decoder, advice: "convert the file to PNG or TIFF"), name: codec.decoder,
            options: codec.options
        ) { context in
            // The exact size is checked below.
            context.pointee.max_pixels = Int64(Decoder.maxPixels(for: limits.pixels))
        }
        FFmpeg.forgetLog()
        do {
            frame = try decoder.firstFrame(of: bytes)
        } catch {
            if let size = FFmpeg.refusedSize { try limits.check(size: size) }
            throw error.advising("send the whole file, or convert it to PNG first")
        }
        size = frame.size
        try limits.check(size: size)
        let components = frame.descriptor
        let isFloat = frame.has(AV_PIX_FMT_FLAG_FLOAT)
        model =
            frame.has(AV_PIX_FMT_FLAG_PAL)
            ? .palette : components.nb_components <= 2 ? .grey : frame.has(AV_PIX_FMT_FLAG_RGB) ? .rgb : .yCbCr
        depth = isFloat ? 16 : Int(components.comp.0.depth)
        hasAlpha = frame.usesAlpha
        isLinearLight = isFloat && codec.isLinearLight
        profile = frame.sideData(AV_FRAME_DATA_ICC_PROFILE)
        decoderMessage = FFmpeg.firstLogged ?? (frame.isDamaged ? "the data is broken" : nil)
    }

    /// Writes the pixels as rows of `stride` bytes: RGB, or RGBA with straight alpha, of ``bits`` bits in native byte
    /// order.
    package func convert(into rows: UnsafeMutableRawPointer, stride: Int) throws(MediaError) {
        guard !isLinearLight else { return convertLinearLight(into: rows, stride: stride) }
        try PixelFormatConverter(from: frame, to: targetFormat).convert(frame, into: rows, stride: stride)
    }

    /// Clips linear light at white, and divides it by alpha.
    private func convertLinearLight(into rows: UnsafeMutableRawPointer, stride: Int) {
        let components = frame.descriptor
        let (first, second, third) = (components.comp.0, components.comp.1, components.comp.2)
        let colors = (model == .grey ? [first, first, first] : [first, second, third]).map { Int($0.plane) }
        for y in 0..<size.height {
            let values = (rows + y * stride).assumingMemoryBound(to: UInt16.self)
            let planes = colors.map { frame.floats(ofRow: y, plane: $0) }
            let alphas = hasAlpha ? frame.floats(ofRow: y, plane: Int(components.comp.3.plane)) : nil
            let count = hasAlpha ? 4 : 3
            for x in 0..<size.width {
                let alpha = alphas?[x] ?? 1
                for c in 0..<3 {
                    let premultiplied = planes[c]?[x] ?? 0
                    values[x * count + c] = Self.word(alpha > 0 && alpha < 1 ? premultiplied / alpha : premultiplied)
                }
                if hasAlpha { values[x * count + 3] = Self.word(alpha) }
            }
        }
    }

    /// Scales 0 to 1 to 16 bits; NaN → 0.
    private static func word(_ value: Float) -> UInt16 { UInt16(min(max(0, value), 1) * 65535 + 0.5) }

    private var targetFormat: AVPixelFormat {
        guard bits == 16 else { return hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24 }
        #if _endian(little)
            return hasAlpha ? AV_PIX_FMT_RGBA64LE : AV_PIX_FMT_RGB48LE
        #else
            return hasAlpha ? AV_PIX_FMT_RGBA64BE : AV_PIX_FMT_RGB48BE
        #endif
    }
}

extension Decoder {
    /// Returns the first frame of a stream that consists of `bytes`.
    fileprivate func firstFrame(of bytes: UnsafeRawBufferPointer) throws(MediaError) -> Frame {
        try FFmpeg.check(send(Packet(bytes)), .decoding, step: .decode, subject: name)
        let frame = try Frame()
        var output = try receive(frame)
        if case .needsPacket = output {
            // A decoder with delay returns its frames at the end of the stream.
            _ = try send(nil)
            output = try receive(frame)
        }
        try FFmpeg.check(output.status, .decoding, step: .decode, subject: name)
        return frame
    }
}

/// Converts pixel formats without scaling: FFmpeg's SwsContext, owned.
final class PixelFormatConverter {
    private let context: OpaquePointer

    /// Converts from the format, matrix and range of `frame` to `format`, full range.
    ///
    /// Chroma is interpolated to full resolution; sums are rounded exactly. An image of unspecified range is treated as
    /// full range.
    init(from frame: Frame, to format: AVPixelFormat) throws(MediaError) {
        let (width, height) = (frame.pointer.pointee.width, frame.pointer.pointee.height)
        let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
        guard
            let context = sws_getContext(
                width, height, frame.pixelFormat, width, height, format, flags, nil, nil, nil)
        else {
            let name = String(cString: av_get_pix_fmt_name(frame.pixelFormat))
            throw MediaError(.unsupported, step: .decode, reason: "FFmpeg cannot convert pixels of format \(name)")
        }
        self.context = context
        let matrix = sws_getCoefficients(Int32(frame.pointer.pointee.colorspace.rawValue))
        let isFullRange: Int32 = frame.pointer.pointee.color_range == AVCOL_RANGE_MPEG ? 0 : 1
        let one: Int32 = 1 << 16
        // Fails for formats without a range, which do not need it.
        _ = sws_setColorspaceDetails(context, matrix, isFullRange, matrix, 1, 0, one, one)
    }

    deinit { sws_freeContext(context) }

    /// Converts the whole `frame` into rows of `stride` bytes at `rows`.
    func convert(_ frame: Frame, into rows: UnsafeMutableRawPointer, stride: Int) throws(MediaError) {
        let sources = frame.planes.map { $0.map { UnsafePointer($0) } }
        let target: [UnsafeMutablePointer<UInt8>?] = [rows.assumingMemoryBound(to: UInt8.self), nil, nil, nil]
        let height = frame.pointer.pointee.height
        let done = sws_scale(
            context, sources, frame.strides, 0, height, target, [Int32(clamping: stride), 0, 0, 0])
        guard done == height else {
            throw MediaError(.decoding, step: .decode, reason: "FFmpeg converted \(done) of \(height) rows")
        }
    }
}
