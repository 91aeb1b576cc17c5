import Glibc
import Testing
import WayreelCore
import WayreelDrawing

/// The colours of streams, with the differences that people see: CIEDE2000 (Sharma, Wu, Dalal: "The CIEDE2000
/// color-difference formula", 2005), also with one kind of cone missing (Machado, Oliveira, Fernandes: "A
/// Physiologically-based Model for Simulation of Color Vision Deficiency", 2009).
@Suite struct StreamColorsTests {
    private static let views: [(name: String, matrix: [[Double]])] = [
        ("all cones", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        (
            "protanopia",
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
        ),
        (
            "deuteranopia",
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
        ),
        (
            "tritanopia",
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
        ),
    ]

    private static func linear(_ color: RGBColor) -> [Double] {
        [color.red, color.green, color.blue].map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    }

    private static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    /// CIELAB of linear sRGB, for D65.
    private static func lab(_ linear: [Double]) -> [Double] {
        let matrix = [
            [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041],
        ]
        let white = product(matrix, [1, 1, 1])
        let f = zip(product(matrix, linear.map { min(max($0, 0), 1) }), white).map { value, white in
            let t = value / white
            return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116
        }
        return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
    }

    private static func difference(_ one: [Double], _ other: [Double]) -> Double {
        let degrees = Double.pi / 180
        let mean = (hypot(one[1], one[2]) + hypot(other[1], other[2])) / 2
        let g = 0.5 * (1 - (pow(mean, 7) / (pow(mean, 7) + pow(25, 7))).squareRoot())
        let (a1, a2) = (one[1] * (1 + g), other[1] * (1 + g))
        let (c1, c2) = (hypot(a1, one[2]), hypot(a2, other[2]))
        func hue(_ a: Double, _ b: Double) -> Double {
            let angle = a == 0 && b == 0 ? 0 : atan2(b, a) / degrees
            return angle < 0 ? angle + 360 : angle
        }
        let (h1, h2) = (hue(a1, one[2]), hue(a2, other[2]))
        var (turn, middle) = (h2 - h1, h1 + h2)
        if c1 * c2 == 0 {
            turn = 0
        } else if abs(h2 - h1) <= 180 {
            middle = (h1 + h2) / 2
        } else {
            turn += turn > 180 ? -360 : 360
            middle = (h1 + h2 + (h1 + h2 < 360 ? 360 : -360)) / 2
        }
        let (dl, dc) = (other[0] - one[0], c2 - c1)
        let dh = 2 * (c1 * c2).squareRoot() * sin(turn / 2 * degrees)
        let (l, c) = ((one[0] + other[0]) / 2, (c1 + c2) / 2)
        let t =
            1 - 0.17 * cos((middle - 30) * degrees) + 0.24 * cos(2 * middle * degrees)
            + 0.32 * cos((3 * middle + 6) * degrees) - 0.2 * cos((4 * middle - 63) * degrees)
        let sl = 1 + 0.015 * (l - 50) * (l - 50) / (20 + (l - 50) * (l - 50)).squareRoot()
        let (sc, sh) = (1 + 0.045 * c, 1 + 0.015 * c * t)
        let rotation =
            -2 * (pow(c, 7) / (pow(c, 7) + pow(25, 7))).squareRoot()
            * sin(60 * exp(-pow((middle - 275) / 25, 2)) * degrees)
        let (x, y, z) = (dl / sl, dc / sc, dh / sh)
        return (x * x + y * y + z * z + rotation * y * z).squareRoot()
    }

    /// Pairs of the paper's table 1.
    @Test(
        arguments: [
            ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425), ([50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0),
            ([50, 2.5, 0], [73, 25, -18], 27.1492), ([50, 2.5, 0], [50, 3.2592, 0.3350], 1.0),
            ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
            ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
        ] as [([Double], [Double], Double)])
    func theFormulaIsThatOfThePaper(one: [Double], other: [Double], expected: Double) {
        #expect(abs(Self.difference(one, other) - expected) < 5e-5)
    }

    @Test(arguments: [ChartTheme.light, .dark])
    func sixteenStreamsStayApartForEveryEye(theme: ChartTheme) {
        #expect(theme.streams.count == 16)
        for (name, matrix) in Self.views {
            let seen = theme.streams.map { Self.lab(Self.product(matrix, Self.linear($0))) }
            for (index, color) in seen.enumerated() {
                for other in seen[..<index] {
                    let difference = Self.difference(color, other)
                    #expect(difference >= (name == "all cones" ? 18 : 11), "\(name): \(index), \(difference)")
                    // The first ones are further apart.
                    if index < 5 { #expect(difference >= 18, "\(name): \(index), \(difference)") }
                }
            }
        }
    }

    /// What is behind a filtered line differs from it.
    @Test(arguments: [ChartTheme.light, .dark])
    func linesBehindTheirFilteredOnesDiffer(theme: ChartTheme) {
        for (name, matrix) in Self.views {
            let lab = { (color: RGBColor) in Self.lab(Self.product(matrix, Self.linear(color))) }
            for color in theme.streams {
                let difference = Self.difference(lab(theme.unfiltered), lab(color))
                #expect(difference >= (name == "all cones" ? 14 : 7), "\(name): \(difference)")
            }
        }
    }

    /// Lines are seen on the background (WCAG 2.1, 1.4.11).
    @Test(arguments: [ChartTheme.light, .dark])
    func streamsAreSeenOnTheBackground(theme: ChartTheme) {
        func luminance(_ color: RGBColor) -> Double { Self.product([[0.2126, 0.7152, 0.0722]], Self.linear(color))[0] }
        let ground = luminance(theme.background)
        for color in theme.streams + [theme.unfiltered] {
            let (light, dark) = (max(luminance(color), ground), min(luminance(color), ground))
            #expect((light + 0.05) / (dark + 0.05) >= 3)
        }
    }
}
