internal import CFFmpeg
package import WayreelCore

/// The first frame of a still picture in any of the formats that FFmpeg decodes from one packet.
package final class StillFrame {
    /// How a format is to be decoded.
    package struct Codec: Sendable {
        /// FFmpeg's name of the decoder.
        package let decoder: String
        /// Private options of the decoder.
        package let options: KeyValuePairs<String, String>
        /// Whether its colour is premultiplied by an alpha that is not wanted: the picture then lies on black.
        package let dropsAlpha: Bool

        package init(_ decoder: String, options: KeyValuePairs<String, String> = [:], dropsAlpha: Bool = false) {
            self.decoder = decoder
            self.options = options
            self.dropsAlpha = dropsAlpha
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
    /// 8 or 16: bits of a component after conversion.
    package var bits: Int { depth > 8 ? 16 : 8 }
    /// The embedded ICC profile.
    package let profile: [UInt8]?
    /// What the decoder complained about, where it handed out a picture all the same.
    package let complaint: String?
    private let frame: Frame

    /// Decodes the first frame of `bytes`.
    ///
    /// Throws a `limit` error where the picture is over `limits`, a `decoding` error where there is none, an
    /// `unsupported` error where FFmpeg is not installed or lacks the decoder.
    package init(
        _ bytes: UnsafeRawBufferPointer, codec: Codec, limits: Limits
    ) throws(MediaError) {
        // FFmpeg checks sizes that it has rounded up; the exact one is checked below.
        let (maxPixels, overflow) = limits.pixels.addingReportingOverflow(Self.padding)
        let decoder = try Decoder(
            named: codec.decoder, options: codec.options, maxPixels: overflow ? limits.pixels : maxPixels)
        FFmpeg.forgetLog()
        do {
            frame = try decoder.decode(bytes)
        } catch {
            if let size = Self.refusedSize { try limits.check(size: size) }
            var advised = error
            advised.advice = error.advice ?? "send the whole file, or convert it to PNG first"
            throw advised
        }
        size = frame.size
        try limits.check(size: size)
        let components = frame.descriptor
        let isFloat = frame.has(AV_PIX_FMT_FLAG_FLOAT)
        model =
            frame.has(AV_PIX_FMT_FLAG_PAL)
            ? .palette : components.nb_components <= 2 ? .grey : frame.has(AV_PIX_FMT_FLAG_RGB) ? .rgb : .yCbCr
        depth = isFloat ? 16 : Int(components.comp.0.depth)
        hasAlpha = !codec.dropsAlpha && frame.usesAlpha
        profile = frame.sideData(AV_FRAME_DATA_ICC_PROFILE)
        complaint = FFmpeg.firstLogged ?? (frame.isMarkedDamaged ? "the data is broken" : nil)
    }

    /// The most that FFmpeg adds to the pixels of an image when it rounds its sides up: 128 columns of 65 536 rows.
    private static let padding = 128 * 65_536

    /// The size that FFmpeg has just refused to decode, from its log: the only place where it tells.
    private static var refusedSize: PixelSize? {
        guard let log = FFmpeg.firstLogged, log.hasPrefix("Image size ") else { return nil }
        return PixelSize(log.dropFirst("Image size ".count).prefix { $0 != " " })
    }

    /// Writes the pixels as rows of `stride` bytes: RGB or, with alpha, RGBA (straight), of `bits` in the machine's
    /// order.
    package func convert(into rows: UnsafeMutableRawPointer, stride: Int) throws(MediaError) {
        try Scaler(from: frame, to: targetFormat).convert(frame, into: rows, stride: stride)
    }

    private var targetFormat: AVPixelFormat {
        guard bits == 16 else { return hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24 }
        #if _endian(little)
            return hasAlpha ? AV_PIX_FMT_RGBA64LE : AV_PIX_FMT_RGB48LE
        #else
            return hasAlpha ? AV_PIX_FMT_RGBA64BE : AV_PIX_FMT_RGB48BE
        #endif
    }
}
