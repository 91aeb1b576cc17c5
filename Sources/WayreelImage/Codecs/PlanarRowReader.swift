package import WayreelCore

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
