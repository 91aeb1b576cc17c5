import Glibc
import Testing
import WayreelImage

/// A colour filter and its expected effect on a colour, as a formula.
struct ColorCase: Sendable, CustomTestStringConvertible {
    var filter: Filter
    var tolerance = 2e-6
    var formula: @Sendable (SIMD3<Double>) -> SIMD3<Double>
    var testDescription: String { "\(filter.name) \(filter.arguments)" }

    init(
        _ name: String, _ arguments: [String: FilterArgument] = [:], tolerance: Double = 2e-6,
        _ formula: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>
    ) {
        filter = Filter(name, arguments)
        self.tolerance = tolerance
        self.formula = formula
    }
}

private func each(_ c: SIMD3<Double>, _ f: (Double) -> Double) -> SIMD3<Double> { SIMD3(f(c.x), f(c.y), f(c.z)) }
private func clamp(_ v: Double, _ low: Double = 0, _ high: Double = 1) -> Double { min(max(v, low), high) }
private func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
private func saturate(_ c: SIMD3<Double>, _ s: Double) -> SIMD3<Double> {
    SIMD3(repeating: luma(c)) + (c - SIMD3(repeating: luma(c))) * s
}

private func sepia(_ c: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
        dot(c, SIMD3(0.393, 0.769, 0.189)), dot(c, SIMD3(0.349, 0.686, 0.168)), dot(c, SIMD3(0.272, 0.534, 0.131)))
}

@Suite struct ColorFilterTests {
    static let cases: [ColorCase] = [
        ColorCase("sepia-tone") { sepia($0) },
        ColorCase("CISepiaTone", ["inputIntensity": 0.25]) { 0.75 * $0 + 0.25 * sepia($0) },
        ColorCase("color-controls", ["saturation": 1.5, "brightness": 0.1, "contrast": 1.3]) { c in
            each(saturate(c, 1.5)) { ($0 + 0.1 - 0.5) * 1.3 + 0.5 }
        },
        ColorCase("saturation", ["amount": 0.3]) { saturate($0, 0.3) },
        ColorCase("grayscale") { SIMD3(repeating: luma($0)) },
        ColorCase("brightness", ["amount": 1.5]) { $0 * 1.5 },
        ColorCase("contrast", ["amount": 0.5]) { ($0 - 0.5) * 0.5 + 0.5 },
        ColorCase("exposure-adjust", ["EV": 1.5], tolerance: 4e-6) { c in
            each(c) { ($0.linear * pow(2, 1.5)).encoded }
        },
        ColorCase("exposure-adjust", ["ev": -4], tolerance: 4e-6) { c in each(c) { ($0.linear / 16).encoded } },
        ColorCase("gamma-adjust", ["power": 2.2]) { c in each(c) { copysign(pow($0.magnitude, 2.2), $0) } },
        ColorCase("gamma-adjust", ["power": 0.25]) { c in each(c) { copysign(pow($0.magnitude, 0.25), $0) } },
        ColorCase("hue-adjust", ["angle": 180]) { c in
            SIMD3(
                dot(c, SIMD3(-0.574, 1.430, 0.144)), dot(c, SIMD3(0.426, 0.430, 0.144)),
                dot(c, SIMD3(0.426, 1.430, -0.856)))
        },
        ColorCase("hue-adjust", ["angle": "0.25turn"]) { c in
            SIMD3(
                dot(c, SIMD3(0, 0, 1)), dot(c, SIMD3(0.356, 0.855, -0.211)), dot(c, SIMD3(-0.574, 1.43, 0.144)))
        },
        ColorCase("vibrance", ["amount": 0.6]) { c in
            saturate(c, 1 + 0.6 * (1 - clamp(c.max() - c.min())))
        },
        ColorCase("highlight-shadow-adjust", ["shadowAmount": 0.5, "highlightAmount": 0.6]) { c in
            let m = clamp(luma(c))
            return c * (1 + 0.75 * (1 - m) * (1 - m)) * (1 - 0.18 * m * m)
        },
        ColorCase("highlight-shadow-adjust", ["shadow-amount": -1]) { c in
            c * (1 - 0.75 * pow(1 - clamp(luma(c)), 2))
        },
        ColorCase("white-point-adjust", ["color": "#ff8000"], tolerance: 4e-6) { c in
            SIMD3(c.x, (c.y.linear * (128.0 / 255).linear).encoded, 0)
        },
        ColorCase("color-matrix", ["rVector": [0.5, 0.25, 0], "bVector": "0,0,-1", "inputBiasVector": [0, 0.1, 1]]) {
            c in
            SIMD3(0.5 * c.x + 0.25 * c.y, c.y + 0.1, 1 - c.z)
        },
        ColorCase("color-polynomial", ["red-coefficients": [0.1, 0.5, -1, 2], "greenCoefficients": [0, 0, 0, 1]]) { c in
            SIMD3(0.1 + 0.5 * c.x - c.x * c.x + 2 * c.x * c.x * c.x, c.y * c.y * c.y, c.z)
        },
        ColorCase("color-clamp", ["minComponents": [0.2, 0, -10], "max-components": [0.6, 0.5, 10]]) { c in
            SIMD3(clamp(c.x, 0.2, 0.6), clamp(c.y, 0, 0.5), c.z)
        },
        ColorCase("color-monochrome", ["intensity": 0.5]) { c in 0.5 * c + 0.5 * luma(c) * SIMD3(0.6, 0.45, 0.3) },
        ColorCase("false-color") { c in SIMD3(0.3, 0, 0) + luma(c) * SIMD3(0.7, 0.9, 0.8) },
        ColorCase("color-posterize", ["levels": 4]) { c in each(c) { (clamp($0) * 3 + 0.5).rounded(.down) / 3 } },
        ColorCase("color-invert") { 1 - $0 },
        ColorCase("color-threshold", ["threshold": 0.4]) { c in SIMD3(repeating: luma(c) >= 0.4 ? 1 : 0) },
        // The identity: a straight line through the points.
        ColorCase("tone-curve", tolerance: 1e-6) { c in each(c) { clamp($0) } },
        ColorCase("tone-curve", ["point1": [0.25, 0.1], "point2": [0.5, 0.6], "point4": [1, 0.9]], tolerance: 5e-5) {
            c in
            each(c) { fritschCarlson([(0, 0), (0.25, 0.1), (0.5, 0.6), (0.75, 0.75), (1, 0.9)], clamp($0)) }
        },
        // Solved independently below.
        ColorCase("temperature-and-tint", ["target-neutral": [4000, 10]], tolerance: 2e-5) { c in
            let adapted = bradford(from: (6500, 0), to: (4000, 10))
            let linear = each(c, \.linear)
            return each(SIMD3(dot(adapted[0], linear), dot(adapted[1], linear), dot(adapted[2], linear)), \.encoded)
        },
    ]

    @Test(arguments: cases) func followsItsFormula(_ colorCase: ColorCase) throws {
        let input = Samples.colors(width: 61, height: 23, range: -0.2...1.6)
        let expected = input.mappedColors { _, _, color in colorCase.formula(color) }
        let scale = max(1, expected.planes.joined().map(\.magnitude).max() ?? 1)
        #expect(try input.filtered(colorCase.filter).difference(from: expected) < colorCase.tolerance * scale)
    }

    @Test(arguments: cases) func worksOnStraightColors(_ colorCase: ColorCase) throws {
        let input = Samples.colors(width: 19, height: 5, hasAlpha: true)
        let output = try input.filtered(colorCase.filter)
        #expect(output.planes[3] == input.planes[3])
        for i in 0..<95 {
            let alpha = input.planes[3][i]
            let expected = alpha > 0 ? colorCase.formula(input.color(i) / alpha) * alpha : .zero
            let difference = output.color(i) - expected
            #expect((difference * difference).sum().squareRoot() < 1e-4)
        }
    }

    @Test func photoEffectsDiffer() throws {
        let input = Samples.colors(width: 20, height: 20)
        let looks = try ["chrome", "fade", "instant", "mono", "noir", "process", "tonal", "transfer"]
            .map { try input.filtered(Filter($0)) }
        for (i, look) in looks.enumerated() {
            for other in looks[..<i] { #expect(look.difference(from: other) > 0.05) }
        }
    }

    @Test func exposureUpAndDownIsNothing() throws {
        let input = Samples.colors(width: 40, height: 10, range: -0.2...1.6)
        #expect(try input.filtered(.exposure(3), .exposure(-3)).difference(from: input) < 1e-6)
    }

    @Test(arguments: [
        "color-controls", "saturation", "brightness", "contrast", "exposure-adjust", "hue-adjust", "vibrance",
    ])
    func defaultLeavesTheImage(name: String) throws {
        let input = Samples.colors(width: 40, height: 10)
        #expect(try input.filtered(Filter(name)).difference(from: input) < 2e-6)
    }
}

/// Returns the monotone cubic interpolation of the paper of 1980, from the definition: mean secant slopes, then the
/// circle of radius 3.
private func fritschCarlson(_ p: [(x: Double, y: Double)], _ x: Double) -> Double {
    let d = (0..<p.count - 1).map { (p[$0 + 1].y - p[$0].y) / (p[$0 + 1].x - p[$0].x) }
    var m = (0..<p.count).map { $0 == 0 ? d[0] : $0 == p.count - 1 ? d[$0 - 1] : (d[$0 - 1] + d[$0]) / 2 }
    for k in d.indices {
        let tau = 3 / hypot(m[k] / d[k], m[k + 1] / d[k])
        if tau < 1 { (m[k], m[k + 1]) = (tau * m[k], tau * m[k + 1]) }
    }
    let k = min((0..<d.count).last { p[$0].x <= x } ?? 0, d.count - 1)
    let h = p[k + 1].x - p[k].x
    let t = (x - p[k].x) / h
    return p[k].y * (2 * t * t * t - 3 * t * t + 1) + h * m[k] * (t * t * t - 2 * t * t + t)
        + p[k + 1].y * (-2 * t * t * t + 3 * t * t) + h * m[k + 1] * (t * t * t - t * t)
}

/// Returns the matrix that adapts linear sRGB between two whites, by rows.
private func bradford(from: (Double, Double), to: (Double, Double)) -> [SIMD3<Double>] {
    func locus(_ t: Double) -> (u: Double, v: Double) {
        (
            (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t) / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t),
            (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t) / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t)
        )
    }
    func white(_ t: Double, _ tint: Double) -> SIMD3<Double> {
        let (a, b) = (locus(t - 0.5), locus(t + 0.5))
        let length = hypot(b.u - a.u, b.v - a.v)
        // u and v decrease with t on this stretch; the normal towards smaller v is (dv, -du) in that direction.
        var normal = ((b.v - a.v) / length, -(b.u - a.u) / length)
        if normal.1 > 0 { normal = (-normal.0, -normal.1) }
        let (u, v) = (locus(t).u + normal.0 * tint / 3000, locus(t).v + normal.1 * tint / 3000)
        return SIMD3(1.5 * u / v, 1, (4 - u - 10 * v) / (2 * v))
    }
    let cone = [SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296)]
    let xyz = [SIMD3(0.4124, 0.3576, 0.1805), SIMD3(0.2126, 0.7152, 0.0722), SIMD3(0.0193, 0.1192, 0.9505)]
    let (source, target) = (white(from.0, from.1), white(to.0, to.1))
    // Columns of the result: the image of each primary, solved by Gaussian elimination.
    let columns = (0..<3).map { i -> [Double] in
        let primary = SIMD3(xyz[0][i], xyz[1][i], xyz[2][i])
        let wanted = cone.map { dot($0, primary) * dot($0, target) / dot($0, source) }
        var rows = cone.map { c in (0..<3).map { j in dot(c, SIMD3(xyz[0][j], xyz[1][j], xyz[2][j])) } }
        for r in 0..<3 { rows[r].append(wanted[r]) }
        for p in 0..<3 {
            for r in 0..<3 where r != p {
                let factor = rows[r][p] / rows[p][p]
                for k in 0..<4 { rows[r][k] -= factor * rows[p][k] }
            }
        }
        return (0..<3).map { rows[$0][3] / rows[$0][$0] }
    }
    return (0..<3).map { SIMD3(columns[0][$0], columns[1][$0], columns[2][$0]) }
}
