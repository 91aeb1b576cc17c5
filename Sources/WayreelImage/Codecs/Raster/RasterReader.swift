internal import WayreelCore

/// A file whose rows can be decoded in any order.
protocol RasterFile {
    var format: ImageFormat { get }
    var size: PixelSize { get }
    /// Bits per component in the file.
    var depth: Int { get }
    var model: ImageHeader.ColorModel { get }
    /// The embedded ICC profile.
    var profile: [UInt8]? { get }
    var alpha: RasterAlpha { get }
    /// The fraction of pixels missing from the file, 0 to 1.
    var missingShare: Double { get }
    /// Whether the data contradict themselves.
    var isBroken: Bool { get }

    /// Writes row `y` (from the top) as red, green, blue and alpha; false if it is missing.
    func decode(row y: Int, into pixels: UnsafeMutablePointer<UInt8>) -> Bool
}

extension RasterFile {
    var isBroken: Bool { false }
}

/// The meaning of the fourth component.
enum RasterAlpha {
    case none, straight, premultiplied
}

/// Reads 8-bit raster files. Drops an alpha channel that is constant (opaque or empty): programs without alpha support
/// write 0 or 255.
final class RasterReader: SeekableRowReader {
    let header: ImageHeader
    let damage: Damage?

    private let file: any RasterFile
    var nextRow = 0
    /// A row with alpha, for images whose alpha is dropped.
    private var scratch: [UInt8]

    /// `frames` is the number of images in the file.
    init(_ file: any RasterFile, frames: Int = 1) throws(MediaError) {
        self.file = file
        var header = ImageHeader(format: file.format, size: file.size)
        header.depth = file.depth
        header.model = file.model
        header.profile = file.profile
        header.frames = frames
        var scratch = [UInt8](repeating: 0, count: file.size.width * 4)
        guard file.missingShare < 1 else {
            throw MediaError(
                .decoding, step: .decode, reason: "\(file.format.name): the file ends before its pixels")
        }
        header.layout = Self.usesAlpha(file, scratch: &scratch) ? .rgba : .rgb
        self.header = header
        self.scratch = scratch
        let reason = file.isBroken ? "the data is broken" : "the file ends early"
        damage =
            file.missingShare > 0
            ? Damage(missingShare: file.missingShare, description: "\(file.format.name): \(reason)") : nil
    }

    private static func usesAlpha(_ file: any RasterFile, scratch: inout [UInt8]) -> Bool {
        guard file.alpha != .none else { return false }
        return scratch.withUnsafeMutableBufferPointer { row in
            var (isOpaque, isEmpty) = (true, true)
            for y in 0..<file.size.height where file.decode(row: y, into: row.baseAddress!) {
                for x in 0..<file.size.width {
                    let alpha = row[4 * x + 3]
                    isOpaque = isOpaque && alpha == 255
                    isEmpty = isEmpty && alpha == 0
                }
                if !isOpaque && !isEmpty { return true }
            }
            return false
        }
    }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        defer { nextRow += 1 }
        let bytes = row.assumingMemoryBound(to: UInt8.self)
        let isPresent =
            header.layout == .rgba ? file.decode(row: nextRow, into: bytes) : decodeOpaque(into: bytes)
        guard isPresent else { return header.fillMissing(row, count: header.rowBytes) }
        if file.alpha == .premultiplied { header.straighten(row) }
    }

    private func decodeOpaque(into bytes: UnsafeMutablePointer<UInt8>) -> Bool {
        let y = nextRow
        return scratch.withUnsafeMutableBufferPointer { pixels in
            guard file.decode(row: y, into: pixels.baseAddress!) else { return false }
            for x in 0..<file.size.width {
                for c in 0..<3 { bytes[3 * x + c] = pixels[4 * x + c] }
            }
            return true
        }
    }
}

/// A component within a pixel's bits.
struct BitField {
    private let shift: Int
    private let maximum: UInt32

    /// The lowest run of ones in `mask`.
    init(mask: UInt32) {
        shift = mask == 0 ? 0 : mask.trailingZeroBitCount
        let run = mask >> UInt32(shift)
        let width = (~run).trailingZeroBitCount
        maximum = width >= 32 ? .max : (1 << UInt32(width)) - 1
    }

    var isEmpty: Bool { maximum == 0 }
    var bits: Int { maximum.nonzeroBitCount }

    /// Returns the component of `pixel` scaled to 0…255; 0 if it does not exist.
    func value(_ pixel: UInt32) -> UInt8 {
        guard maximum > 0 else { return 0 }
        let value = UInt64(pixel >> UInt32(shift) & maximum)
        if maximum == 255 { return UInt8(value) }
        return UInt8((value * 255 + UInt64(maximum) / 2) / UInt64(maximum))
    }
}
