internal import WayreelCore

extension ImageHeader {
    /// Divides the premultiplied red, green and blue of a row by alpha.
    func straighten(_ row: UnsafeMutableRawPointer) {
        guard layout == .rgba else { return }
        if rowBits == 16 {
            straighten(row.assumingMemoryBound(to: UInt16.self))
        } else {
            straighten(row.assumingMemoryBound(to: UInt8.self))
        }
    }

    private func straighten<Component: FixedWidthInteger>(_ row: UnsafeMutablePointer<Component>) {
        let full = Int(Component.max)
        for x in 0..<size.width {
            let pixel = row + 4 * x
            let alpha = Int(pixel[3])
            guard alpha > 0, alpha < full else { continue }
            for c in 0..<3 { pixel[c] = Component(min(full, (Int(pixel[c]) * full + alpha / 2) / alpha)) }
        }
    }
}
