package import WayreelCore

extension PixelSurface {
    /// Blurs 8-bit coverage with a Gaussian of standard deviation `sigma` in pixels; outside is empty.
    ///
    /// Applies three extended box filters in a row (Gwosdek, Grewenig, Bruhn, Weickert: "Theoretical foundations of
    /// Gaussian convolution by extended box filtering", 2011), whose variances add up to the Gaussian's exactly; the
    /// time does not depend on `sigma`.
    ///
    /// Throws a `limit` error if memory for two lines is exhausted.
    package func blurCoverage(sigma: Double) throws(MediaError) {
        precondition(format == .coverage8, "only coverage is blurred")
        guard sigma > 0.01 else { return }
        let box = ExtendedBox(variance: sigma * sigma / 3)
        // The margin holds the values that a pass spreads beyond the edge, which the next pass reads.
        let margin = box.radius + 1
        let memory = try AlignedMemory(Float.self, count: 2 * (size.longerSide + 4 * margin), step: .draw)
        defer { withExtendedLifetime(memory) {} }
        let scratch = memory.pointer(to: Float.self)
        withBytes { bytes in
            let pixels = bytes.assumingMemoryBound(to: UInt8.self).baseAddress!
            func blur(_ first: UnsafeMutablePointer<UInt8>, count: Int, step: Int) {
                let line = scratch + 2 * margin
                let other = line + count + 4 * margin
                scratch.update(repeating: 0, count: 2 * (count + 4 * margin))
                for i in 0..<count { line[i] = Float(first[i * step]) }
                let widened = count + 2 * margin
                box.filter(line - margin, into: other - margin, count: widened)
                box.filter(other - margin, into: line - margin, count: widened)
                box.filter(line, into: other, count: count)
                for i in 0..<count { first[i * step] = UInt8(min(max(other[i] + 0.5, 0), 255)) }
            }
            for y in 0..<size.height { blur(pixels + y * stride, count: size.width, step: 1) }
            for x in 0..<size.width { blur(pixels + x, count: size.height, step: stride) }
        }
    }
}

/// A box of 2·`radius` + 1 samples with full weight and a fractional sample at either end, which makes its variance
/// exact.
private struct ExtendedBox {
    let radius: Int
    /// Weight of the end samples, 0 to 1, and sum of all weights.
    private let end: Float
    private let total: Float

    init(variance: Double) {
        let whole = (((12 * variance + 1).squareRoot() - 1) / 2).rounded(.down)
        let length = 2 * whole + 1
        let end = length * (variance - whole * (whole + 1) / 3) / (2 * ((whole + 1) * (whole + 1) - variance))
        radius = Int(whole)
        self.end = Float(end)
        total = Float(length + 2 * end)
    }

    /// Filters `count` samples; reads `radius` + 1 more on either side.
    func filter(_ source: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, count: Int) {
        // Double precision, so that additions and subtractions cancel.
        var sum = 0.0
        for i in -radius - 1..<radius { sum += Double(source[i]) }
        for i in 0..<count {
            let (left, right) = (source[i - radius - 1], source[i + radius + 1])
            sum += Double(source[i + radius])
            sum -= Double(left)
            target[i] = (Float(sum) + end * (left + right)) / total
        }
    }
}
