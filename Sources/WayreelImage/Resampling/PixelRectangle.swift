package import WayreelCore

/// A part of an image whose edges lie on pixels'.
package struct PixelRectangle: Hashable, Sendable {
    package var columns: Range<Int>
    package var rows: Range<Int>

    package init(columns: Range<Int>, rows: Range<Int>) {
        self.columns = columns
        self.rows = rows
    }

    /// All of an image of `size`.
    init(_ size: PixelSize) { self.init(columns: 0..<size.width, rows: 0..<size.height) }

    package var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }
}
