import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct ColorPipelineTests {
    /// Runs operations over one row of colours.
    private func run(_ ops: [ColorOp], _ input: Samples) throws -> Samples {
        var image = try input.image()
        try FilterChain([]).apply(to: &image, after: ops, task: TaskContext())
        return Samples(image)
    }

    /// Positions in the image, alpha and rows of all bands.
    @Test func threadsDoNotAffectTheResult() throws {
        let input = Samples.colors(width: 700, height: 801, hasAlpha: true)
        let chain = try FilterChain([.sepiaTone(intensity: 0.4), .vignette(), .filmGrain()])
        let results = try [1, 3].map { threads in
            var image = try input.image()
            try chain.apply(to: &image, after: [.decodeSRGB], task: TaskContext(threads: threads))
            return Samples(image)
        }
        #expect(results[0].planes == results[1].planes)
    }

    @Test func transferFunctionsAreAccurate() throws {
        let ramp = (0..<4001).map { Double(Float(-0.5 + Double($0) / 1000)) }
        let input = Samples(width: ramp.count, height: 1, planes: [ramp, ramp, ramp])
        for (op, expected) in [(ColorOp.decodeSRGB, ramp.map(\.linear)), (.encodeSRGB, ramp.map(\.encoded))] {
            let output = try run([op], input)
            for (value, wanted) in zip(output.planes[0], expected) {
                #expect((value - wanted).magnitude <= 1.5e-6 * max(wanted.magnitude, 0.01))
            }
        }
    }

    /// One pass over the fused list equals one pass per filter, within 4e-6.
    @Test func fusedPassesEqualSeparateOnes() throws {
        let filters: [Filter] = [
            .colorControls(saturation: 1.4, brightness: 0.05, contrast: 1.1), .exposure(0.7), .temperature(to: 5200),
            .sepiaTone(intensity: 0.4), .vibrance(0.3), .gamma(1.2), Filter("white-point-adjust", ["color": "#ffeedd"]),
            .exposure(-0.2), .noir, .vignette(), .filmGrain(), Filter("dither"), Filter("color-invert"),
            .hueRotation(40),
        ]
        for hasAlpha in [false, true] {
            let input = Samples.colors(width: 67, height: 31, hasAlpha: hasAlpha)
            var fused = try input.image()
            try FilterChain(filters).apply(to: &fused, task: TaskContext())
            var single = try input.image()
            for filter in filters { try FilterChain([filter]).apply(to: &single, task: TaskContext()) }
            #expect(Samples(fused).difference(from: Samples(single)) < 4e-6)
        }
    }

    @Test func prefixRunsFirst() throws {
        let input = Samples.colors(width: 9, height: 3)
        var image = try input.image()
        let halve = ColorMatrix(
            red: SIMD4(0.5, 0, 0, 0), green: SIMD4(0, 0.5, 0, 0), blue: SIMD4(0, 0, 0.5, 0.25))
        try FilterChain([Filter("color-invert")]).apply(to: &image, after: [.matrix(halve)], task: TaskContext())
        let expected = input.mappedColors { _, _, c in 1 - (c * 0.5 + SIMD3(0, 0, 0.25)) }
        #expect(Samples(image).difference(from: expected) < 1e-6)
    }

    @Test func matricesMultiplyAndOppositesCancel() {
        let matrix = ColorMatrix(red: SIMD4(1, 2, 0, 0.5), green: SIMD4(0, 1, 0, 0), blue: SIMD4(0, 0, 1, 1))
        let twice = ColorPipeline([.matrix(matrix), .matrix(matrix)])
        #expect(twice.ops.count == 1)
        guard case .matrix(let product) = twice.ops[0] else { return #expect(Bool(false)) }
        // Computed by hand: r + 2g + 0.5, then again.
        #expect(product.rows == [SIMD4(1, 4, 0, 1), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 2)])
        #expect(ColorPipeline([.encodeSRGB, .decodeSRGB, .matrix(.identity), .decodeSRGB, .encodeSRGB]).ops.isEmpty)
        #expect(ColorPipeline([.decodeSRGB, .matrix(.identity), .encodeSRGB]).ops.isEmpty)
        #expect(ColorPipeline([.decodeSRGB, .matrix(matrix), .encodeSRGB]).ops.count == 3)
    }

    /// Rows are wider than a block, so that they are divided.
    @Test func wideRowsAreWhole() throws {
        let input = Samples.colors(width: 5003, height: 2)
        let expected = input.mappedColors { _, _, c in 1 - c }
        #expect(try input.filtered(Filter("color-invert")).difference(from: expected) < 1e-6)
        let grey = Samples(
            width: 5003, height: 2, planes: Array(repeating: Array(repeating: 0.5, count: 10006), count: 3))
        let dithered = try grey.filtered(Filter("dither", ["intensity": 1]))
        for (i, value) in dithered.planes[1].enumerated() {
            // The noise wraps around, and single precision may move it to the other side.
            let off = (value - gradientNoise(i % 5003, i / 5003)).magnitude
            #expect(min(off, 1 - off) < 5e-3)
        }
    }

    @Test func curvesAreLinearBetweenSamples() throws {
        let input = Samples.colors(width: 31, height: 9, range: -0.2...1.6)
        let curves = ColorCurves(red: [0, 1, 0.5], green: [1, 0, 0], blue: [0.25, 0.5, 0.75])
        let expected = input.mappedColors { _, _, c in
            func broken(_ v: Double, _ s: [Double]) -> Double {
                let v = min(max(v, 0), 1)
                return v < 0.5 ? s[0] + 2 * v * (s[1] - s[0]) : s[1] + (2 * v - 1) * (s[2] - s[1])
            }
            return SIMD3(broken(c.x, [0, 1, 0.5]), broken(c.y, [1, 0, 0]), broken(c.z, [0.25, 0.5, 0.75]))
        }
        #expect(try run([.curves(curves)], input).difference(from: expected) < 1e-6)
    }

    @Test(arguments: [2, 3, 17, 33]) func cubeIsTetrahedral(size: Int) throws {
        var random = SeededRandom(seed: UInt64(size))
        let table = (0..<size * size * size * 3).map { _ in Float.random(in: 0...1, using: &random) }
        let low = SIMD3<Float>(-0.1, 0, 0.1)
        let high = SIMD3<Float>(1.2, 1, 0.8)
        let input = Samples.colors(width: 47, height: 21, range: -0.3...1.5)
        let expected = input.mappedColors { _, _, color in
            tetrahedral(color, size: size, table: table, low: SIMD3<Double>(low), high: SIMD3<Double>(high))
        }
        let lut = CubeLUT(size: size, table: table, domainMin: low, domainMax: high)
        #expect(try run([.lut(lut)], input).difference(from: expected) < 2e-5)
    }

    @Test func notANumberStaysInsideTheTable() throws {
        var image = try Image(size: PixelSize(width: 3, height: 1))
        image.set { x, _, _ in [.nan, .infinity, -.infinity][x] }
        let corners: [Float] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1]
        let cube = CubeLUT(size: 2, table: corners)
        let curves = ColorCurves(red: [0, 1], green: [0, 1], blue: [0, 1])
        for op in [ColorOp.lut(cube), .curves(curves)] {
            var copy = image
            try FilterChain([]).apply(to: &copy, after: [op], task: TaskContext())
            #expect(Samples(copy).planes[0] == [0, 1, 0])
        }
    }

    @Test func cancellationAndDeadlineStopAPass() throws {
        let cancellation = Cancellation()
        cancellation.cancel()
        var image = try Samples.colors(width: 5, height: 5).image()
        for filter in FilterCatalog.all where filter.parameters.allSatisfy({ $0.defaultValue != nil }) {
            let neutral = ["color-controls", "gamma-adjust", "vibrance", "exposure-adjust", "straighten"]
            guard !neutral.contains(filter.name) else { continue }
            let chain = try FilterChain([Filter(filter.name), Filter("color-invert"), Filter(filter.name)])
            let error = #expect(throws: MediaError.self) {
                try chain.apply(to: &image, task: TaskContext(cancellation: cancellation))
            }
            #expect(error?.kind == .cancelled)
        }
    }
}

/// Returns interleaved gradient noise as published: fract(52.9829189 · fract(0.06711056·x + 0.00583715·y)).
func gradientNoise(_ x: Int, _ y: Int) -> Double {
    let inner = 0.06711056 * Double(x) + 0.00583715 * Double(y)
    let outer = 52.9829189 * (inner - inner.rounded(.down))
    return outer - outer.rounded(.down)
}

/// Interpolates with the six tetrahedra written out one by one.
private func tetrahedral(
    _ color: SIMD3<Double>, size: Int, table: [Float], low: SIMD3<Double>, high: SIMD3<Double>
) -> SIMD3<Double> {
    let position = ((color - low) / (high - low)).clamped(lowerBound: .zero, upperBound: .one) * Double(size - 1)
    let cell = position.rounded(.down).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: Double(size - 2)))
    let f = position - cell
    func entry(_ r: Int, _ g: Int, _ b: Int) -> SIMD3<Double> {
        let (column, row, slice) = (Int(cell.x) + r, Int(cell.y) + g, Int(cell.z) + b)
        let i = ((slice * size + row) * size + column) * 3
        return SIMD3(Double(table[i]), Double(table[i + 1]), Double(table[i + 2]))
    }
    let (black, white) = (entry(0, 0, 0), entry(1, 1, 1))
    func walk(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ big: Double, _ middle: Double, _ small: Double) -> SIMD3<Double>
    {
        let dark: SIMD3<Double> = black * (1 - big) + a * (big - middle)
        let light: SIMD3<Double> = b * (middle - small) + white * small
        return dark + light
    }
    if f.x > f.y {
        if f.y > f.z { return walk(entry(1, 0, 0), entry(1, 1, 0), f.x, f.y, f.z) }
        if f.x > f.z { return walk(entry(1, 0, 0), entry(1, 0, 1), f.x, f.z, f.y) }
        return walk(entry(0, 0, 1), entry(1, 0, 1), f.z, f.x, f.y)
    }
    if f.z > f.y { return walk(entry(0, 0, 1), entry(0, 1, 1), f.z, f.y, f.x) }
    if f.z > f.x { return walk(entry(0, 1, 0), entry(0, 1, 1), f.y, f.z, f.x) }
    return walk(entry(0, 1, 0), entry(1, 1, 0), f.y, f.x, f.z)
}
