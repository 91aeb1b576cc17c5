internal import WayreelCore

/// Finds the content of an image inside a border of uniform colour.
///
/// The border colour is that of the top left pixel. A pixel belongs to the border if none of its components differs by
/// more than the tolerance; colours of fully transparent pixels are equal. One pass over the image with one row in
/// memory.
struct BorderScan {
    private let header: ImageHeader
    private let tolerance: Int
    private var border: SIMD4<Int32>?
    private var columns: Range<Int>?
    private var rows: Range<Int>?

    /// Returns the smallest rectangle that contains everything but the border; nil for an image of one colour.
    ///
    /// `tolerance` is in 1/255 of a component's range.
    static func window(
        of reader: any RowReader, tolerance: Double, task: TaskContext
    ) throws(MediaError) -> PixelRectangle? {
        var scan = BorderScan(reader.header, tolerance: tolerance)
        let row = try AlignedMemory(zeroed: reader.header.rowBytes + 64, step: "decode")
        for y in 0..<reader.header.size.height {
            if y % 32 == 0 { try task.check() }
            try reader.readRow(into: row.base)
            scan.add(row.base, y: y)
        }
        guard let columns = scan.columns, let rows = scan.rows else { return nil }
        return PixelRectangle(columns: columns, rows: rows)
    }

    private init(_ header: ImageHeader, tolerance: Double) {
        self.header = header
        self.tolerance = Int((tolerance / 255 * Double((1 << header.rowBits) - 1)).rounded(.down))
    }

    private mutating func add(_ row: UnsafeMutableRawPointer, y: Int) {
        let found =
            header.rowBits == 8
            ? extent(UnsafePointer(row.assumingMemoryBound(to: UInt8.self)))
            : extent(UnsafePointer(row.assumingMemoryBound(to: UInt16.self)))
        guard let found else { return }
        rows = (rows?.lowerBound ?? y)..<y + 1
        columns =
            min(
                columns?.lowerBound ?? found.lowerBound, found.lowerBound)..<max(
                columns?.upperBound ?? found.upperBound, found.upperBound)
    }

    /// First to last pixel of a row outside the border.
    private mutating func extent<Component: FixedWidthInteger>(_ row: UnsafePointer<Component>) -> Range<Int>? {
        let width = header.size.width, count = header.layout.components, hasAlpha = header.layout == .rgba
        let tolerance = Int32(self.tolerance)
        func pixel(_ x: Int) -> SIMD4<Int32> {
            let at = row + x * count
            return SIMD4(Int32(at[0]), Int32(at[1]), Int32(at[2]), count == 4 ? Int32(at[3]) : 0)
        }
        let border = self.border ?? pixel(0)
        self.border = border
        func isBorder(_ x: Int) -> Bool {
            let pixel = pixel(x)
            if hasAlpha, pixel.w <= tolerance, border.w <= tolerance { return true }
            let distance = pixel &- border
            return distance.max() <= tolerance && distance.min() >= -tolerance
        }
        guard let first = (0..<width).first(where: { !isBorder($0) }) else { return nil }
        let last = (first..<width).last { !isBorder($0) } ?? first
        return first..<last + 1
    }
}
