internal import Glibc
package import WayreelCore

/// Decodes an image row by row from the top, on one thread.
package protocol RowReader: AnyObject {
    var header: ImageHeader { get }

    /// Decodes the next row into `row`, which holds `header.rowBytes` and 64 further bytes that may be overwritten.
    ///
    /// Throws a `decoding` error if nothing can be decoded. Partial damage does not throw: affected rows are
    /// approximated and `damage` is set. Must not be called more than `size.height` times.
    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError)

    /// Skips `count` rows as cheaply as the format allows.
    func skipRows(_ count: Int) throws(MediaError)

    /// Announces that the next rows are read and then reduced to a `reduction`th in both directions. The reader may
    /// start to decode on the task's other threads, and leave out what such a reduction hides. Called before the first
    /// row is read, or not at all.
    func prepare(reduction: Double)

    /// Decodes the image at a smaller size that is enough for `plan`, if that takes less time than all of its rows. Nil
    /// if rows are to be read from this reader. Called before the first row is read and none is skipped, or not at all.
    func reduced(for plan: ResamplingPlan) throws(MediaError) -> ReducedImage?

    /// The reader itself if it can also give the planes of Y′CbCr. A cast would search all conformances of the program.
    var planar: (any PlanarRowReader)? { get }

    /// Damage found so far.
    var damage: Damage? { get }
}

extension RowReader {
    package func prepare(reduction: Double) {}
    package func reduced(for plan: ResamplingPlan) throws(MediaError) -> ReducedImage? { nil }
    package var planar: (any PlanarRowReader)? { nil }
}

/// A reader that skips rows without decoding them.
protocol SeekableRowReader: RowReader {
    /// The row that is read next, from 0.
    var nextRow: Int { get set }
}

extension SeekableRowReader {
    package func skipRows(_ count: Int) { nextRow += count }
}

/// A reader whose codec decodes whole images only.
protocol WholeImageReader: SeekableRowReader {
    /// The rows, once they are decoded.
    var pixels: DecodedPixels? { get set }

    /// Decodes all rows into zeroed memory. Called once unless it throws.
    func decode(into pixels: DecodedPixels) throws(MediaError)
}

extension WholeImageReader {
    package func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        row.copyMemory(from: try decoded().row(nextRow), byteCount: header.rowBytes)
        nextRow += 1
    }

    private func decoded() throws(MediaError) -> DecodedPixels {
        if let pixels { return pixels }
        let pixels = try DecodedPixels(header)
        try decode(into: pixels)
        self.pixels = pixels
        return pixels
    }
}

/// An image at a smaller size than it is stored.
package struct ReducedImage {
    /// Reads the rows.
    package var reader: any RowReader
    /// Pixels of the stored image for one of these, counted from the edge of the first one.
    package var spacing: Double
}

/// A reader that can also give the rows of an 8-bit Y′CbCr image as they are coded.
package protocol PlanarRowReader: RowReader {
    /// Decodes the next rows, and returns how chroma is sampled; nil if rows can only be read as R′G′B′.
    func chromaSampling() throws(MediaError) -> ChromaSampling?

    /// Copies row `y` of a plane (0 luma, 1 Cb, 2 Cr) into `row`. Rows of luma are read in order, and each row of chroma
    /// after the first row of luma that it belongs to.
    func readRow(_ y: Int, ofPlane plane: Int, into row: UnsafeMutableRawPointer) throws(MediaError)

    /// Converts rows of an image of the planes, whose codes 0…255 are 0…1, to R′G′B′.
    func convertToRGB(_ image: inout Image, rows: Range<Int>)
}

/// The columns and rows of chroma in comparison with those of luma.
package struct ChromaSampling: Hashable, Sendable {
    package enum Axis: Sendable {
        /// As many as of luma.
        case full
        /// Half as many, each midway between two of luma.
        case centered
        /// Half as many, each at the first of two of luma.
        case cosited
    }

    package var columns: Axis
    package var rows: Axis

    package init(columns: Axis, rows: Axis) {
        self.columns = columns
        self.rows = rows
    }
}

/// Pixels of a codec that decodes whole images only, read by rows.
final class DecodedPixels {
    let base: UnsafeMutableRawPointer
    /// Bytes from one row to the next.
    let stride: Int
    let size: PixelSize

    /// Allocates zeroed memory for the image that `header` describes.
    ///
    /// Throws a `limit` error if memory is exhausted.
    init(_ header: ImageHeader) throws(MediaError) {
        size = header.size
        // Sixteen bytes of slack: codecs store whole vectors.
        let (rowBytes, overflow) = size.width.multipliedReportingOverflow(
            by: header.layout.components * (header.rowBits / 8))
        let (count, tooLarge) = rowBytes.multipliedReportingOverflow(by: size.height)
        guard !overflow, !tooLarge, let memory = calloc(count + 16, 1) else {
            throw MediaError(
                .limit, step: .decode, reason: "no memory for the pixels of an image of \(size)",
                advice: "run fewer at once")
        }
        base = memory
        stride = rowBytes
    }

    deinit { free(base) }

    func row(_ y: Int) -> UnsafeMutableRawPointer { base + y * stride }
}

extension ImageHeader {
    /// Fills `count` bytes of missing pixels: transparent with alpha, otherwise grey.
    func fillMissing(_ pixels: UnsafeMutableRawPointer, count: Int) {
        pixels.initializeMemory(as: UInt8.self, repeating: layout == .rgba ? 0 : 0x80, count: count)
    }
}
