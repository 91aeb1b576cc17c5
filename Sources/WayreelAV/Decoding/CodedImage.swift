internal import CFFmpeg
package import WayreelCore

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
