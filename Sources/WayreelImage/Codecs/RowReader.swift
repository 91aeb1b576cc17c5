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
    /// Returns all rows, decoded at the first call.
    func decoded() throws(MediaError) -> DecodedPixels
}

extension WholeImageReader {
    package func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        row.copyMemory(from: try decoded().row(nextRow), byteCount: header.rowBytes)
        nextRow += 1
    }
}

/// An image at a smaller size than it is stored.
package struct ReducedImage {
    /// Reads the rows.
    package var reader: any RowReader
    /// Pixels of the stored image for one of these, counted from the edge of the first one.
    package var spacing: Double
}
