import Glibc
import Testing
import WayreelCore
import WayreelImage

@Suite struct SpatialFilterTests {
    static let sizes = Samples.awkwardSizes

    /// Returns a plain convolution along rows, then along columns.
    private func convolved(_ input: Samples, _ kernel: [Double]) -> Samples {
        let radius = kernel.count / 2
        let rows = input.mapped { x, y, p in
            (-radius...radius).reduce(0) { $0 + kernel[$1 + radius] * input.at(x + $1, y, p) }
        }
        return rows.mapped { x, y, p in
            (-radius...radius).reduce(0) { $0 + kernel[$1 + radius] * rows.at(x, y + $1, p) }
        }
    }

    private func gaussian(_ sigma: Double) -> [Double] {
        let radius = Int((6 * sigma).rounded(.up)) + 1
        let weights = (-radius...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        return weights.map { $0 / weights.reduce(0, +) }
    }

    @Test(arguments: sizes, [0.3, 1, 2, 2.1, 3.7, 10, 40])
    func gaussianBlur(size: (Int, Int), sigma: Double) throws {
        let input = Samples.colors(width: size.0, height: size.1, hasAlpha: sigma == 3.7)
        let output = try input.filtered(.gaussianBlur(radius: .pixels(sigma)))
        // A tenth of an 8-bit step.
        #expect(output.difference(from: convolved(input, gaussian(sigma))) < 4e-4)
    }

    /// The response to a single point, at its worst position, and the total light.
    @Test(arguments: [1, 2.01, 5, 20]) func gaussianOfAPoint(sigma: Double) throws {
        let side = 2 * Int(5 * sigma) + 1
        var plane = [Double](repeating: 0, count: side * side)
        plane[side * side / 2] = 1
        let output = try Samples(width: side, height: side, planes: [plane, plane, plane])
            .filtered(.gaussianBlur(radius: .pixels(sigma)))
        let kernel = gaussian(sigma)
        let peak = kernel[kernel.count / 2] * kernel[kernel.count / 2]
        #expect((output.at(side / 2, side / 2, 0) - peak).magnitude < 1e-3 * peak)
        #expect((output.planes[0].reduce(0, +) - 1).magnitude < 1e-3)
    }

    @Test(arguments: ["gaussian-blur", "box-blur", "disc-blur", "motion-blur", "zoom-blur", "straighten"], sizes)
    func flatStaysFlat(name: String, size: (Int, Int)) throws {
        let count = size.0 * size.1
        let flat = Samples(
            width: size.0, height: size.1,
            planes: [0.8, 0.4, 0.1].map { Array(repeating: Double(Float($0)), count: count) })
        let filter = Filter(name, name == "straighten" ? ["angle": 12] : name == "zoom-blur" ? [:] : ["radius": 6.4])
        #expect(try flat.filtered(filter).difference(from: flat) < 3e-6)
    }

    @Test(arguments: sizes, [0.5, 1, 2.25, 7]) func boxBlur(size: (Int, Int), radius: Double) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        let whole = Int(radius)
        var kernel = [Double](repeating: 1, count: 2 * whole + 3)
        kernel[0] = radius - Double(whole)
        kernel[2 * whole + 2] = kernel[0]
        let expected = convolved(input, kernel.map { $0 / (2 * radius + 1) })
        #expect(try input.filtered(Filter("box-blur", ["radius": .number(radius)])).difference(from: expected) < 1e-6)
    }

    @Test(arguments: sizes, [0.5, 3.3, 8]) func discBlur(size: (Int, Int), radius: Double) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        let linear = input.mapped { x, y, p in input.at(x, y, p).linear }
        let reach = Int(radius) + 1
        let expected = input.mapped { x, y, p in
            var (sum, weights) = (0.0, 0.0)
            for dy in -reach...reach where Double(abs(dy)) <= radius {
                let half = (radius * radius - Double(dy * dy)).squareRoot()
                for dx in -reach...reach {
                    // Whole pixels inside, a fraction of the next ones.
                    let weight = min(
                        max(half.rounded(.down) == half && abs(dx) <= Int(half) ? 1 : half - Double(abs(dx)) + 1, 0), 1)
                    let counted = abs(dx) <= Int(half) ? 1 : weight
                    sum += counted * linear.at(x + dx, y + dy, p)
                    weights += counted
                }
            }
            return (sum / weights).encoded
        }
        #expect(try input.filtered(Filter("disc-blur", ["radius": .number(radius)])).difference(from: expected) < 1e-5)
    }

    @Test(arguments: sizes, [0, 30, 90, 135, -60.0]) func motionBlur(size: (Int, Int), angle: Double) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        let linear = input.mapped { x, y, p in input.at(x, y, p).linear }
        let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        // Eleven points over a radius of 2.5: steps of half a pixel.
        let expected = input.mapped { x, y, p in
            let sum = (-5...5).reduce(0.0) {
                $0 + linear.at(Double(x) + c * Double($1) / 2, Double(y) + s * Double($1) / 2, p)
            }
            return (sum / 11).encoded
        }
        let filter = Filter("motion-blur", ["radius": 2.5, "angle": .number(angle)])
        #expect(try input.filtered(filter).difference(from: expected) < 1e-5)
    }

    @Test(arguments: sizes) func zoomBlur(size: (Int, Int)) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        let linear = input.mapped { x, y, p in input.at(x, y, p).linear }
        let center = (x: 0.25 * Double(size.0), y: 3.0)
        let expected = input.mapped { x, y, p in
            // An image of this size moves by less than eight pixels: eight samples, from 1 to 1 / 1.2.
            let sum = (0..<8).reduce(0.0) { sum, i in
                let scale = 1 - (1 - 1 / 1.2) * Double(i) / 7
                let u = center.x + (Double(x) + 0.5 - center.x) * scale - 0.5
                let v = center.y + (Double(y) + 0.5 - center.y) * scale - 0.5
                return sum + linear.at(min(max(u, 0), Double(size.0 - 1)), min(max(v, 0), Double(size.1 - 1)), p)
            }
            return (sum / 8).encoded
        }
        let filter = Filter("zoom-blur", ["center": "25%,3"])
        #expect(try input.filtered(filter).difference(from: expected) < 1e-5)
    }

    @Test(arguments: sizes) func medianFilter(size: (Int, Int)) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        let expected = input.mapped { x, y, p in
            (0..<9).map { input.at(x + $0 % 3 - 1, y + $0 / 3 - 1, p) }.sorted()[4]
        }
        #expect(try input.filtered(Filter("CIMedianFilter")).difference(from: expected) == 0)
    }

    @Test(arguments: sizes) func edges(size: (Int, Int)) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        let expected = input.mapped { x, y, p in
            func v(_ dx: Int, _ dy: Int) -> Double { input.at(x + dx, y + dy, p) }
            let gx = v(1, -1) + 2 * v(1, 0) + v(1, 1) - v(-1, -1) - 2 * v(-1, 0) - v(-1, 1)
            let gy = v(-1, 1) + 2 * v(0, 1) + v(1, 1) - v(-1, -1) - 2 * v(0, -1) - v(1, -1)
            return 0.5 * hypot(gx, gy)
        }
        #expect(try input.filtered(Filter("edges", ["intensity": 0.5])).difference(from: expected) < 1e-6)
    }

    @Test(arguments: sizes) func unsharpMask(size: (Int, Int)) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        let soft = convolved(input, gaussian(1.5))
        let expected = input.mapped { x, y, p in input.at(x, y, p) + 0.8 * (input.at(x, y, p) - soft.at(x, y, p)) }
        let output = try input.filtered(.unsharpMask(radius: .pixels(1.5), intensity: 0.8))
        #expect(output.difference(from: expected) < 4e-4)
    }

    @Test(arguments: sizes) func sharpenLuminance(size: (Int, Int)) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        let soft = convolved(input, gaussian(1.5))
        let expected = input.mappedColors { x, y, c in
            c + 2 * (luma(c) - luma(soft.color(y * size.0 + x)))
        }
        let output = try input.filtered(.sharpenLuminance(2, radius: .pixels(1.5)))
        #expect(output.difference(from: expected) < 1e-3)
    }

    @Test(arguments: sizes) func bloomAndGloom(size: (Int, Int)) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        func bloom(_ image: Samples) -> Samples {
            let light = convolved(image.mappedColors { _, _, c in c * luma(c) }, gaussian(3))
            return image.mapped { x, y, p in 1 - (1 - image.at(x, y, p)) * (1 - 0.6 * light.at(x, y, p)) }
        }
        let output = try input.filtered(.bloom(radius: .pixels(3), intensity: 0.6))
        #expect(output.difference(from: bloom(input)) < 4e-4)
        let negative = bloom(input.mapped { x, y, p in 1 - input.at(x, y, p) })
        let gloom = try input.filtered(Filter("gloom", ["radius": 3, "intensity": 0.6]))
        #expect(gloom.difference(from: negative.mapped { x, y, p in 1 - negative.at(x, y, p) }) < 4e-4)
    }

    @Test(arguments: sizes) func noiseReduction(size: (Int, Int)) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        let box = [Double](repeating: 0.2, count: 5)
        let mean = convolved(input, box)
        let square = convolved(input.mapped { x, y, p in input.at(x, y, p) * input.at(x, y, p) }, box)
        let slope = input.mapped { x, y, p in
            let variance = max(square.at(x, y, p) - mean.at(x, y, p) * mean.at(x, y, p), 0)
            return variance / (variance + 0.01)
        }
        let offset = input.mapped { x, y, p in (1 - slope.at(x, y, p)) * mean.at(x, y, p) }
        let (slopes, offsets) = (convolved(slope, box), convolved(offset, box))
        let expected = input.mapped { x, y, p in slopes.at(x, y, p) * input.at(x, y, p) + offsets.at(x, y, p) }
        let filter = Filter("noise-reduction", ["noiseLevel": 0.1, "sharpness": 0, "radius": 2])
        #expect(try input.filtered(filter).difference(from: expected) < 2e-5)
    }

    @Test(arguments: sizes) func localShadows(size: (Int, Int)) throws {
        for hasAlpha in [false, true] {
            let input = Samples.colors(width: size.0, height: size.1, hasAlpha: hasAlpha)
            let soft = convolved(input, gaussian(4))
            let expected = input.mappedColors { x, y, c in
                let i = y * size.0 + x
                let alpha = hasAlpha ? soft.planes[3][i] : 1
                let m = alpha > 0 ? min(max(luma(soft.color(i)) / alpha, 0), 1) : 0
                return c * (1 + 0.75 * (1 - m) * (1 - m))
            }
            let filter = Filter("highlight-shadow-adjust", ["shadow-amount": 0.5, "radius": 4])
            #expect(try input.filtered(filter).difference(from: expected) < 1e-3)
        }
    }

    /// Cells of four pixels from the centre of one on: every square of the result is the mean of the same square.
    @Test(arguments: sizes) func pixellate(size: (Int, Int)) throws {
        let input = Samples.colors(width: size.0, height: size.1, hasAlpha: true)
        let expected = input.mapped { x, y, p in
            let cells = (0..<4).flatMap { dy in (0..<4).map { dx in (x / 4 * 4 + dx, y / 4 * 4 + dy) } }
                .filter { $0.0 < size.0 && $0.1 < size.1 }
            return cells.reduce(0) { $0 + input.at($1.0, $1.1, p) } / Double(cells.count)
        }
        let output = try input.filtered(Filter("pixellate", ["scale": 4, "center": [2, 2]]))
        #expect(output.difference(from: expected) < 1e-6)
    }

    /// Away from borders, a mosaic has no more colours than cells, and keeps the mean of the image.
    @Test(arguments: ["hexagonal-pixellate", "crystallize"]) func mosaicKeepsTheMean(name: String) throws {
        let input = Samples.colors(width: 160, height: 90)
        let key = name == "crystallize" ? "radius" : "scale"
        let output = try input.filtered(Filter(name, [key: 12]))
        for plane in 0..<3 {
            let before = input.planes[plane].reduce(0, +)
            let after = output.planes[plane].reduce(0, +)
            #expect((before - after).magnitude / 14400 < 2e-3)
        }
        var counts: [Double: Int] = [:]
        for value in output.planes[0] { counts[value, default: 0] += 1 }
        let flat = counts.values.filter { $0 > 20 }.reduce(0, +)
        #expect(flat > 14400 * 6 / 10)
    }

    @Test func pointillizePaperIsWhiteOrNothing() throws {
        let black = [Double](repeating: 0, count: 60 * 40)
        let opaque = try Samples(width: 60, height: 40, planes: [black, black, black])
            .filtered(Filter("pointillize", ["radius": 10]))
        #expect(opaque.planes[0].contains(1) && opaque.planes[0].contains(0))
        let ones = black.map { _ in 1.0 }
        let clear = try Samples(width: 60, height: 40, planes: [ones, ones, ones, ones])
            .filtered(Filter("pointillize", ["radius": 10]))
        #expect(clear.planes[3].contains(0) && clear.planes[3].contains(1))
    }

    @Test(arguments: sizes, [-45, -0.5, 11, 45.0]) func straighten(size: (Int, Int), angle: Double) throws {
        let input = Samples.colors(width: size.0, height: size.1)
        let (w, h) = (Double(size.0), Double(size.1))
        let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        let zoom = c + abs(s) * max(w / h, h / w)
        func keys(_ t: Double) -> Double {
            let t = t.magnitude
            return t < 1 ? 1.5 * t * t * t - 2.5 * t * t + 1 : t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 : 0
        }
        let expected = input.mapped { x, y, p in
            let (dx, dy) = (Double(x) - (w - 1) / 2, Double(y) - (h - 1) / 2)
            // A clockwise rotation of the image (y runs down) looks up positions rotated counterclockwise.
            let (turnedX, turnedY) = ((c * dx + s * dy) / zoom, (-s * dx + c * dy) / zoom)
            // No corner is empty: every centre is on the image, at most half a pixel beyond the outermost centres.
            #expect(abs(turnedX) <= w / 2 && abs(turnedY) <= h / 2)
            let u = min(max((w - 1) / 2 + turnedX, 0), w - 1)
            let v = min(max((h - 1) / 2 + turnedY, 0), h - 1)
            let (i, j) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
            var sum = 0.0
            for m in -1...2 {
                for n in -1...2 {
                    sum += input.at(i + n, j + m, p) * keys(u - Double(i + n)) * keys(v - Double(j + m))
                }
            }
            return sum
        }
        #expect(try input.filtered(.straighten(angle)).difference(from: expected) < 3e-5)
    }

    @Test func edgeWorkIsBlackAndWhite() throws {
        let input = Samples(
            width: 64, height: 32,
            planes: (0..<3).map { _ in (0..<2048).map { $0 % 64 < 32 ? 0.05 : 0.95 } })
        let output = try input.filtered(Filter("edge-work", ["radius": 1]))
        #expect(output.at(4, 16, 0) == 0 && output.at(60, 16, 0) == 1)
        #expect(output.planes[0] == output.planes[1])
    }

    @Test(
        arguments: [
            "comic-effect", "edge-work", "crystallize", "pointillize", "hexagonal-pixellate", "noise-reduction",
        ], sizes)
    func worksAtAnySize(name: String, size: (Int, Int)) throws {
        for hasAlpha in [false, true] {
            let input = Samples.colors(width: size.0, height: size.1, hasAlpha: hasAlpha)
            let output = try input.filtered(Filter(name))
            #expect(output.planes.joined().allSatisfy { $0.isFinite && (-0.5...2).contains($0) })
        }
    }

    @Test func radiusZeroIsNothing() throws {
        let input = Samples.colors(width: 21, height: 9)
        for name in ["gaussian-blur", "box-blur", "disc-blur", "motion-blur", "unsharp-mask"] {
            #expect(try input.filtered(Filter(name, ["radius": 0])).difference(from: input) < 2e-6)
        }
    }
}
