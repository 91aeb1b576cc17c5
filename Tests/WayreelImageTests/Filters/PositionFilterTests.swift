import Glibc
import Testing
import WayreelCore
import WayreelImage

/// Filters whose colours depend on the position.
@Suite struct PositionFilterTests {
    private func smoothstep(_ t: Double) -> Double {
        let t = min(max(t, 0), 1)
        return t * t * (3 - 2 * t)
    }

    private func clamp(_ v: Double) -> Double { min(max(v, 0), 1) }

    @Test(arguments: Samples.awkwardSizes, [(0.6, 1.0), (-0.5, 0.4), (1, 0)])
    func vignette(size: (Int, Int), settings: (intensity: Double, radius: Double)) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        let (w, h) = (Double(size.0), Double(size.1))
        let radius = max(settings.radius, 0.001)
        let expected = input.mappedColors { x, y, c in
            let d = hypot(Double(x) + 0.5 - w / 2, Double(y) + 0.5 - h / 2) / hypot(w / 2, h / 2)
            return c * (1 - settings.intensity * smoothstep((d - 0.3 * radius) / (0.85 * radius)))
        }
        let output = try input.filtered(.vignette(intensity: settings.intensity, radius: settings.radius))
        #expect(output.difference(from: expected) < 5e-6)
    }

    @Test(arguments: Samples.awkwardSizes) func vignetteEffect(size: (Int, Int)) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        let expected = input.mappedColors { x, y, c in
            let d = hypot(Double(x) + 0.5 - 4, Double(y) + 0.5 - 0.25 * Double(size.1))
            return c * (1 - 0.8 * smoothstep((d - 3.5) / 7))
        }
        let filter = Filter("vignette-effect", ["center": "4px,25%", "radius": 7, "intensity": 0.8])
        #expect(try input.filtered(filter).difference(from: expected) < 5e-6)
    }

    @Test(arguments: Samples.awkwardSizes) func lightLeak(size: (Int, Int)) throws {
        let input = Samples.colors(width: size.0, height: size.1, range: -0.2...1.6)
        // From the bottom, over the lower half.
        let expected = input.mappedColors { _, y, c in
            let t = (Double(y) + 0.5) / Double(size.1) * 2 - 1
            let light = 0.5 * smoothstep(t) * smoothstep(t)
            return SIMD3(
                c.x + light * (1 - clamp(c.x)), c.y + light * 0.5 * (1 - clamp(c.y)), c.z)
        }
        let filter = Filter("light-leak", ["angle": 90, "reach": 0.5, "intensity": 0.5, "color": [1, 0.5, 0]])
        #expect(try input.filtered(filter).difference(from: expected) < 2e-6)
    }

    @Test(
        arguments: [
            "dot-screen", "line-screen", "hatched-screen", "circular-screen", "cmyk-halftone",
        ], Samples.awkwardSizes)
    func screens(name: String, size: (Int, Int)) throws {
        let input = Samples.colors(width: size.0, height: size.1, range: -0.2...1.6)
        let (center, angle, width) = (SIMD2(3.0, 5.5), 0.4, 9.0)
        let contrast = min(1 / (1 - 0.7), width / 3)
        func printed(_ v: Double, _ t: Double) -> Double { clamp((v - t) * contrast + 0.5) }
        func line(_ u: Double) -> Double { 0.5 + 0.46 * cos(2 * .pi * u / width) }
        func dots(_ d: SIMD2<Double>, _ angle: Double) -> Double {
            let u = d.x * cos(angle) + d.y * sin(angle)
            let v = d.y * cos(angle) - d.x * sin(angle)
            return 0.5 + 0.23 * (cos(2 * .pi * u / width) + cos(2 * .pi * v / width))
        }
        let expected = input.mappedColors { x, y, c in
            let d = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - center
            let along = d.y * cos(angle) - d.x * sin(angle)
            let across = d.x * cos(angle) + d.y * sin(angle)
            switch name {
            case "dot-screen": return SIMD3(repeating: printed(luma(c), dots(d, angle)))
            case "line-screen": return SIMD3(repeating: printed(luma(c), line(along)))
            case "circular-screen": return SIMD3(repeating: printed(luma(c), line(hypot(d.x, d.y))))
            case "hatched-screen":
                return SIMD3(
                    repeating: min(printed(luma(c) / 0.85, line(along)), printed(luma(c) / 0.5, line(across))))
            default:
                let c = c.clamped(lowerBound: .zero, upperBound: .one)
                let paper = 1 - 0.8 * (1 - c.max())
                let key = printed(paper, dots(d, angle + .pi / 4))
                // A rotated screen: cyan by 15°, magenta by 75°, yellow not at all.
                let inks = [15.0, 75, 0].map { angle + $0 * .pi / 180 }
                return key
                    * SIMD3(
                        printed(c.x / paper, dots(d, inks[0])), printed(c.y / paper, dots(d, inks[1])),
                        printed(c.z / paper, dots(d, inks[2])))
            }
        }
        let filter = Filter(
            name, ["center": [3, 5.5], "angle": "0.4rad", "width": 9, "sharpness": 0.7])
        #expect(try input.filtered(filter).difference(from: expected) < 2e-5)
    }

    private func grey(_ value: Double) -> Samples {
        let plane = [Double](repeating: value, count: 256 * 256)
        return Samples(width: 256, height: 256, planes: [plane, plane, plane])
    }

    @Test(arguments: [1, 2.5, 6.0]) func grainIsCentredAndBounded(size: Double) throws {
        let noise = try grey(0.5).filtered(.filmGrain(intensity: 0.2, size: .pixels(size))).planes[0].map { $0 - 0.5 }
        let mean = noise.reduce(0, +) / Double(noise.count)
        let deviation = (noise.reduce(0) { $0 + $1 * $1 } / Double(noise.count)).squareRoot()
        #expect(mean.magnitude < 0.005)
        // A triangular distribution of half width 0.2 deviates by 0.2 / √6.
        #expect((deviation - 0.2 / 6.0.squareRoot()).magnitude < 0.008)
        #expect(noise.allSatisfy { $0.magnitude <= 0.4 })
    }

    @Test func grainIsWeakerInBlackAndWhite() throws {
        for value in [0.0, 1.0] {
            let noise = try grey(value).filtered(.filmGrain(intensity: 0.2)).planes[0].map { ($0 - value).magnitude }
            #expect(noise.max()! <= 0.2 * 0.15 * 1.001)
        }
    }

    /// Neighbouring grains are uncorrelated, along rows, columns and between seeds.
    @Test func grainHasNoPattern() throws {
        let noise = try grey(0.5).filtered(.filmGrain(size: .pixels(1))).planes[1].map { $0 - 0.5 }
        let other = try grey(0.5).filtered(Filter("film-grain", ["size": 1, "seed": 2])).planes[1].map { $0 - 0.5 }
        let power = noise.reduce(0) { $0 + $1 * $1 }
        for shift in [1, 2, 16, 256, 257, 512] {
            let overlap = zip(noise, noise.dropFirst(shift)).reduce(0) { $0 + $1.0 * $1.1 }
            #expect((overlap / power).magnitude < 0.02)
        }
        #expect((zip(noise, other).reduce(0) { $0 + $1.0 * $1.1 } / power).magnitude < 0.02)
    }

    @Test func ditherIsCentred() throws {
        let output = try grey(0.5).filtered(Filter("dither", ["intensity": 0.1]))
        let mean = output.planes[0].reduce(0, +) / 65536
        #expect((mean - 0.5).magnitude < 1e-3)
        #expect(output.planes[0].allSatisfy { ($0 - 0.5).magnitude <= 0.05001 })
    }

    /// The same input gives the same bits, independently of previously filtered images.
    @Test(arguments: FilterCatalog.all.filter { $0.name != "color-cube" }.map(\.name))
    func sameInputSameBits(name: String) throws {
        let input = Samples.colors(width: 65, height: 34, hasAlpha: true)
        let first = try input.filtered(Filter(name))
        _ = try Samples.colors(width: 90, height: 11, seed: 99).filtered(Filter(name))
        #expect(try input.filtered(Filter(name)).difference(from: first) == 0)
    }
}
