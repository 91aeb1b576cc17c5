package import WayreelCore

/// A rectangle on the pixel grid.
package struct PixelRectangle: Hashable, Sendable {
    package var columns: Range<Int>
    package var rows: Range<Int>

    package init(columns: Range<Int>, rows: Range<Int>) {
        self.columns = columns
        self.rows = rows
    }

    /// Creates a rectangle that covers an image of `size`.
    init(_ size: PixelSize) { self.init(columns: 0..<size.width, rows: 0..<size.height) }

    package var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }
}
