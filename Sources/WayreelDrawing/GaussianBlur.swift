internal import WayreelCore

extension PixelSurface {
    /// Blurs 8-bit coverage with a Gaussian of standard deviation `sigma` in pixels; outside is empty.
    ///
    /// Three extended box filters in a row (Gwosdek, Grewenig, Bruhn, Weickert: "Theoretical foundations of Gaussian
    /// convolution by extended box filtering", 2011), whose variances add up to the Gaussian's exactly; the time does not
    /// depend on `sigma`.
    package func blurCoverage(sigma: Double) {
        precondition(format == .coverage8, "only coverage is blurred")
        guard sigma > 0.01 else { return }
        let box = ExtendedBox(variance: sigma * sigma / 3)
        // What a pass spreads beyond the edge, the next brings back.
        let margin = box.radius + 1
        var line = [Float](repeating: 0, count: size.longerSide + 2 * margin)
        var other = line
        withBytes { bytes in
            let pixels = bytes.assumingMemoryBound(to: UInt8.self).baseAddress!
            func blur(_ first: UnsafeMutablePointer<UInt8>, count: Int, step: Int) {
                for i in 0..<margin { (line[i], line[margin + count + i]) = (0, 0) }
                for i in 0..<count { line[margin + i] = Float(first[i * step]) }
                box.filter(line, into: &other, count: count + 2 * margin)
                box.filter(other, into: &line, count: count + 2 * margin)
                box.filter(line, into: &other, count: count + 2 * margin)
                for i in 0..<count { first[i * step] = UInt8(min(max(other[margin + i] + 0.5, 0), 255)) }
            }
            for y in 0..<size.height { blur(pixels + y * stride, count: size.width, step: 1) }
            for x in 0..<size.width { blur(pixels + x, count: size.height, step: stride) }
        }
    }
}

/// A box of 2·`radius` + 1 samples of full weight, with one fainter sample at either end that makes its variance exact.
private struct ExtendedBox {
    let radius: Int
    /// The weight of the samples at the ends, 0 to 1, and of all samples together.
    let end: Float
    let total: Float

    init(variance: Double) {
        let whole = (((12 * variance + 1).squareRoot() - 1) / 2).rounded(.down)
        let length = 2 * whole + 1
        let end = length * (variance - whole * (whole + 1) / 3) / (2 * ((whole + 1) * (whole + 1) - variance))
        radius = Int(whole)
        self.end = Float(end)
        total = Float(length + 2 * end)
    }

    func filter(_ source: [Float], into target: inout [Float], count: Int) {
        // In double precision, so that what is added and taken away again leaves nothing behind.
        var sum = 0.0
        for i in 0..<min(radius, count) { sum += Double(source[i]) }
        func sample(_ i: Int) -> Float { i >= 0 && i < count ? source[i] : 0 }
        for i in 0..<count {
            sum += Double(sample(i + radius)) - Double(sample(i - radius - 1))
            target[i] = (Float(sum) + end * (sample(i - radius - 1) + sample(i + radius + 1))) / total
        }
    }
}
