import Testing
import TestSupport
import WayreelCore
import WayreelImage
import WayreelKernels

/// Compared with the formulas of W3C Compositing and Blending Level 1, in straight alpha and double precision.
@Suite struct BlendModeTests {
    /// Returns B(Cb, Cs), section 10.1.
    static func blend(_ mode: BlendMode, _ cb: Double, _ cs: Double) -> Double {
        func hardLight(_ cb: Double, _ cs: Double) -> Double {
            cs <= 0.5 ? blend(.multiply, cb, 2 * cs) : blend(.screen, cb, 2 * cs - 1)
        }
        switch mode {
        case .normal: return cs
        case .multiply: return cb * cs
        case .screen: return cb + cs - cb * cs
        case .overlay: return hardLight(cs, cb)
        case .softLight:
            let d = cb <= 0.25 ? ((16 * cb - 12) * cb + 4) * cb : cb.squareRoot()
            return cs <= 0.5 ? cb - (1 - 2 * cs) * cb * (1 - cb) : cb + (2 * cs - 1) * (d - cb)
        }
    }

    /// Returns the colour, premultiplied, and the alpha of a source over a backdrop, section 9.1.
    static func composite(
        _ mode: BlendMode, cs: Double, alphaS: Double, cb: Double, alphaB: Double
    ) -> (color: Double, alpha: Double) {
        let mixed = (1 - alphaB) * cs + alphaB * blend(mode, cb, cs)
        return (alphaS * mixed + (1 - alphaS) * alphaB * cb, alphaS + alphaB * (1 - alphaS))
    }

    private static let edges = [0.0, 0.25, 0.5, 0.75, 1]

    /// Every combination of the edge values and as many random ones: (Cs, αs, Cb, αb).
    private static let samples: [SIMD4<Double>] = {
        var random = SeededRandom(seed: 7)
        let edge = edges.flatMap { a in
            edges.flatMap { b in edges.flatMap { c in edges.map { d in SIMD4(a, b, c, d) } } }
        }
        return edge + (0..<2000).map { _ in SIMD4.random(in: 0...1, using: &random) }
    }()

    @Test(arguments: BlendMode.allCases, [1.0, 0.3, 0])
    func agreesWithItsDefinition(mode: BlendMode, opacity: Double) throws {
        for isOpaque in [false, true] {
            let samples = Self.samples.map { isOpaque ? SIMD4($0.x, $0.y, $0.z, 1) : $0 }
            let size = PixelSize(width: 131, height: (samples.count + 130) / 131)
            var source = try Image(size: size, hasAlpha: true)
            var image = try Image(size: size, hasAlpha: !isOpaque)
            // The planes contain the colour, its half and its square, so that all three differ.
            func tint(_ c: Double, _ plane: Int) -> Double { [c, c / 2, c * c][plane] }
            source.set { x, y, plane in
                let s = samples[(y * size.width + x) % samples.count]
                return Float(plane == 3 ? s.y : tint(s.x, plane) * s.y)
            }
            image.set { x, y, plane in
                let s = samples[(y * size.width + x) % samples.count]
                return Float(plane == 3 ? s.w : tint(s.z, plane) * s.w)
            }
            let renderer = try OverlayRenderer(
                [.image(ImageOverlay(path: "source", opacity: opacity, blend: mode))]
            ) { _ in source }
            try renderer.draw(on: &image, task: TaskContext())
            let worst = image.worst { x, y, plane in
                let s = samples[(y * size.width + x) % samples.count]
                let expected = Self.composite(
                    mode, cs: tint(s.x, plane % 3), alphaS: s.y * opacity, cb: tint(s.z, plane % 3), alphaB: s.w)
                return plane == 3 ? expected.alpha : expected.color
            }
            #expect(worst < 2e-6, "off by \(worst)")
        }
    }

    @Test(arguments: BlendMode.allCases)
    func opaqueSourceNeedsNoAlpha(mode: BlendMode) throws {
        var random = SeededRandom(seed: 3)
        let size = PixelSize(width: 33, height: 3)
        let source = try Image.random(size, using: &random)
        let below = try Image.random(size, using: &random)
        var image = below
        try OverlayRenderer([.image(ImageOverlay(path: "source", blend: mode))]) { _ in source }
            .draw(on: &image, task: TaskContext())
        let worst = image.worst { x, y, plane in
            Self.blend(mode, Double(below.value(x, y, plane)), Double(source.value(x, y, plane)))
        }
        #expect(worst < 2e-6)
    }

    /// Filters may leave values out of range; uncovered pixels are not changed.
    @Test(arguments: BlendMode.allCases)
    func keepsUncoveredPixels(mode: BlendMode) throws {
        let size = PixelSize(width: 5, height: 1)
        let clear = try Image(size: size, hasAlpha: true)
        let values: [Float] = [-0.5, 0, 0.3, 1, 1.75]
        var image = try Image(size: size)
        image.set { x, _, _ in values[x] }
        try OverlayRenderer([.image(ImageOverlay(path: "clear", blend: mode))]) { _ in clear }
            .draw(on: &image, task: TaskContext())
        for (x, value) in values.enumerated() { #expect(image.value(x, 0, 1) == value) }
    }

    @Test(arguments: BlendMode.allCases)
    func staysFiniteOutOfRange(mode: BlendMode) throws {
        var image = try Image(size: PixelSize(width: 4, height: 1))
        image.set { x, _, _ in [-2, -0.01, 1.01, 3][x] }
        var source = try Image(size: image.size)
        source.set { _, _, plane in Float(plane) / 2 }
        try OverlayRenderer([.image(ImageOverlay(path: "source", opacity: 0.5, blend: mode))]) { _ in source }
            .draw(on: &image, task: TaskContext())
        for x in 0..<4 { for plane in 0..<3 { #expect(image.value(x, 0, plane).isFinite) } }
    }

    @Test(arguments: [1, 3, 16, 257])
    func unpacksPremultipliedPixels(count: Int) {
        var random = SeededRandom(seed: 11)
        let pixels = (0..<count).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
        var values = [Float](repeating: -1, count: 4 * count)
        values.withUnsafeMutableBufferPointer { values in
            var planes: [UnsafeMutablePointer<Float>?] = (0..<4).map { values.baseAddress! + $0 * count }
            wr_unpack_bgra8(pixels, &planes, count)
        }
        for (plane, shift) in [16, 8, 0, 24].enumerated() {
            for x in 0..<count {
                let expected = Double(pixels[x] >> UInt32(shift) & 255) / 255
                #expect(abs(Double(values[plane * count + x]) - expected) < 1e-7)
            }
        }
    }
}
