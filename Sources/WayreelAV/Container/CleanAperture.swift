package import WayreelCore

/// A crop rectangle (`clap`: ISO/IEC 14496-12, section 12.1.4), given by its size and the offset of its centre from the
/// image's.
package struct CleanAperture: Sendable {
    /// In pixels; NaN for a denominator of 0.
    package let width: Double
    package let height: Double
    package let offsetX: Double
    package let offsetY: Double

    /// Reads the content of a box; nil if it ends early.
    package init?(_ box: UnsafeRawBufferPointer) {
        var cursor = ByteCursor(box)
        (width, height) = (cursor.readFraction(), cursor.readFraction())
        (offsetX, offsetY) = (cursor.readFraction(), cursor.readFraction())
        guard !cursor.isPastEnd else { return nil }
    }

    /// Whether its values are numbers and it is not empty.
    package var isValid: Bool { width > 0 && height > 0 && offsetX.isFinite && offsetY.isFinite }

    /// Returns the pixels kept of an image of `size`; nil for invalid values.
    ///
    /// Edges between pixels are rounded as in libheif.
    package func pixels(of size: PixelSize) -> (columns: Range<Int>, rows: Range<Int>)? {
        func span(_ length: Double, _ offset: Double, _ side: Int) -> Range<Int>? {
            let middle = offset + Double(side - 1) / 2
            let first = (middle - (length - 1) / 2).rounded(.down)
            let last = (middle + (length - 1) / 2).rounded()
            guard first.magnitude < 1e9, last.magnitude < 1e9 else { return nil }
            let (start, end) = (max(0, Int(first)), min(side, Int(last) + 1))
            return start < end ? start..<end : nil
        }
        guard width >= 1, height >= 1, let columns = span(width, offsetX, size.width),
            let rows = span(height, offsetY, size.height)
        else { return nil }
        return (columns, rows)
    }
}

extension ByteCursor {
    /// Returns a signed numerator and an unsigned denominator of four bytes each.
    fileprivate mutating func readFraction() -> Double {
        let numerator = Int32(truncatingIfNeeded: read(4))
        let denominator = read(4)
        return denominator == 0 ? .nan : Double(numerator) / Double(denominator)
    }
}
