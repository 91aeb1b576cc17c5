import Testing
import WayreelCore
import WayreelDrawing

@Suite struct CanvasTests {
    /// Returns the pixel at (`x`, `y`) as alpha, red, green, blue.
    private func pixel(_ surface: PixelSurface, _ x: Int, _ y: Int) -> [Int] {
        surface.withBytes { bytes in
            let value = bytes.load(fromByteOffset: y * surface.stride + 4 * x, as: UInt32.self)
            return [24, 16, 8, 0].map { Int(value >> UInt32($0) & 255) }
        }
    }

    private func coverage(_ surface: PixelSurface) -> [[Int]] {
        surface.withBytes { bytes in
            (0..<surface.size.height).map { y in
                (0..<surface.size.width).map { Int(bytes[y * surface.stride + $0]) }
            }
        }
    }

    @Test func fillsARectangleToThePixel() throws {
        let surface = try PixelSurface(size: PixelSize(width: 7, height: 5))
        let canvas = Canvas(on: surface)
        canvas.rectangle(Rectangle(x: 2, y: 1, width: 3, height: 2))
        canvas.fill(RGBColor(red: 1, green: 0.2, blue: 0, alpha: 1))
        try canvas.finish()
        for y in 0..<5 {
            for x in 0..<7 {
                let inside = (2..<5).contains(x) && (1..<3).contains(y)
                #expect(pixel(surface, x, y) == (inside ? [255, 255, 51, 0] : [0, 0, 0, 0]))
            }
        }
    }

    @Test func premultiplies() throws {
        let surface = try PixelSurface(size: PixelSize(width: 1, height: 1))
        let canvas = Canvas(on: surface)
        canvas.rectangle(Rectangle(x: 0, y: 0, width: 1, height: 1))
        canvas.fill(RGBColor(red: 1, green: 0, blue: 0, alpha: 0.4))
        try canvas.finish()
        #expect(pixel(surface, 0, 0) == [102, 102, 0, 0])
    }

    @Test func roundsCorners() throws {
        let surface = try PixelSurface(size: PixelSize(width: 20, height: 20), format: .coverage8)
        let canvas = Canvas(on: surface)
        canvas.rectangle(Rectangle(x: 0, y: 0, width: 20, height: 20), radius: 6)
        canvas.fill(.black)
        try canvas.finish()
        let rows = coverage(surface)
        // The part of their squares that the four quarter circles leave: (4 − π)·r².
        let area = rows.joined().reduce(0, +) / 255
        #expect(abs(Double(area) - (400 - (4 - Double.pi) * 36)) < 2)
        #expect(rows[0][0] == 0 && rows[19][19] == 0 && rows[0][10] == 255 && rows[10][0] == 255)
    }

    @Test func strokesHalfOnEitherSide() throws {
        let surface = try PixelSurface(size: PixelSize(width: 11, height: 11), format: .coverage8)
        let canvas = Canvas(on: surface)
        canvas.move(toX: 0, y: 5)
        canvas.line(toX: 11, y: 5)
        canvas.stroke(.black, width: 4)
        try canvas.finish()
        #expect(coverage(surface).map { $0[5] } == [0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0])
    }

    @Test func erasesInAGroupOnly() throws {
        let surface = try PixelSurface(size: PixelSize(width: 4, height: 1))
        let canvas = Canvas(on: surface)
        canvas.rectangle(Rectangle(x: 0, y: 0, width: 4, height: 1))
        canvas.fill(.white)
        canvas.withGroup {
            canvas.rectangle(Rectangle(x: 0, y: 0, width: 4, height: 1))
            canvas.fill(.black)
            canvas.rectangle(Rectangle(x: 1, y: 0, width: 2, height: 1))
            canvas.erase()
        }
        try canvas.finish()
        #expect((0..<4).map { pixel(surface, $0, 0)[1] } == [0, 255, 255, 0])
    }

    @Test(arguments: [PixelSize(width: 0, height: 1), PixelSize(width: 40_000, height: 1)])
    func rejectsSizes(size: PixelSize) {
        #expect(throws: MediaError.self) { try PixelSurface(size: size) }
    }

    @Test(arguments: [0.8, 1.7, 3, 8.5], [(61, 61), (1, 61), (61, 1)])
    func blursLikeAGaussian(sigma: Double, size: (width: Int, height: Int)) throws {
        let surface = try PixelSurface(size: PixelSize(width: size.width, height: size.height), format: .coverage8)
        let (left, top) = (size.width / 2, size.height / 2)
        let (wide, high) = (min(size.width, 9), min(size.height, 9))
        let canvas = Canvas(on: surface)
        canvas.rectangle(Rectangle(x: Double(left), y: Double(top), width: Double(wide), height: Double(high)))
        canvas.fill(.black)
        try canvas.finish()
        let before = coverage(surface)
        try surface.blurCoverage(sigma: sigma)
        let after = coverage(surface)
        let kernel = (-60...60).map { Gaussian.share(of: $0, sigma: sigma) }
        var worst = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                var expected = 0.0
                for sourceY in 0..<size.height where abs(sourceY - y) <= 60 {
                    for sourceX in 0..<size.width where before[sourceY][sourceX] > 0 {
                        expected += 255 * kernel[sourceY - y + 60] * kernel[sourceX - x + 60]
                    }
                }
                worst = max(worst, abs(Double(after[y][x]) - expected))
            }
        }
        // Three boxes are within 2 % of full coverage; the narrower, the coarser.
        #expect(worst <= 255 * (sigma < 1 ? 0.05 : 0.02), "off by \(worst) of 255")
    }

    @Test func blursNothingIntoNothing() throws {
        let surface = try PixelSurface(size: PixelSize(width: 5, height: 3), format: .coverage8)
        try surface.blurCoverage(sigma: 500)
        #expect(coverage(surface).joined().allSatisfy { $0 == 0 })
    }
}

private enum Gaussian {
    /// Returns the sampled, normalised Gaussian.
    static func share(of offset: Int, sigma: Double) -> Double {
        let weight = { (x: Int) in exponential(-Double(x * x) / (2 * sigma * sigma)) }
        return weight(offset) / (-60...60).map(weight).reduce(0, +)
    }

    /// Returns eˣ by its series on a halved argument, so that the test needs no C library.
    private static func exponential(_ x: Double) -> Double {
        guard x > -700 else { return 0 }
        var term = 1.0, sum = 1.0
        for n in 1...12 {
            term *= x / 1024 / Double(n)
            sum += term
        }
        return (0..<10).reduce(sum) { value, _ in value * value }
    }
}
