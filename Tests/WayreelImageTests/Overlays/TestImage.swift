import TestSupport
import WayreelCore
import WayreelImage

extension Image {
    /// Returns an image of one colour; `color` contains red, green, blue and, for an image with alpha, alpha.
    static func filled(_ size: PixelSize, _ color: [Float]) throws -> Image {
        var image = try Image(size: size, hasAlpha: color.count == 4)
        image.set { _, _, plane in color[plane] }
        return image
    }

    /// Returns all that a reader reads, at another size if one is given.
    static func resampled(
        _ reader: any RowReader, to size: PixelSize? = nil, task: TaskContext = TaskContext()
    ) throws -> Image {
        var plan = ResamplingPlan(unchanged: reader.header.size)
        plan.output = size ?? plan.output
        return try Resampling.resample(reader, plan: plan, task: task)
    }

    static func random(_ size: PixelSize, using random: inout SeededRandom) throws -> Image {
        var image = try Image(size: size)
        image.set { _, _, _ in Float.random(in: 0...1, using: &random) }
        return image
    }

    /// Sets every value from its column, row and plane.
    mutating func set(_ value: (Int, Int, Int) -> Float) {
        withMutablePlanes { planes in
            for plane in 0..<planes.count {
                for y in 0..<planes.height {
                    for x in 0..<planes.width { planes.row(y, plane: plane)[x] = value(x, y, plane) }
                }
            }
        }
    }

    func value(_ x: Int, _ y: Int, _ plane: Int) -> Float { withPlanes { $0.row(y, plane: plane)[x] } }

    /// Returns the largest difference from the expected values at each column, row and plane.
    func worst(_ expected: (Int, Int, Int) -> Double) -> Double {
        withPlanes { planes in
            var worst = 0.0
            for plane in 0..<planes.count {
                for y in 0..<planes.height {
                    for x in 0..<planes.width {
                        let distance = abs(Double(planes.row(y, plane: plane)[x]) - expected(x, y, plane))
                        worst = distance.isNaN ? .infinity : max(worst, distance)
                    }
                }
            }
            return worst
        }
    }

    /// The values of all planes, without the padding of rows.
    var values: [Float] {
        withPlanes { planes in
            (0..<planes.count).flatMap { plane in
                (0..<planes.height).flatMap { y in
                    (0..<planes.width).map { planes.row(y, plane: plane)[$0] }
                }
            }
        }
    }

    /// Returns the smallest rectangle of columns and rows around the pixels that satisfy `isInk`, which receives red,
    /// green, blue.
    func bounds(where isInk: (SIMD3<Float>) -> Bool) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
        var xs: [Int] = []
        var ys: [Int] = []
        withPlanes { planes in
            for y in 0..<planes.height {
                for x in 0..<planes.width {
                    let pixel = SIMD3((0..<3).map { planes.row(y, plane: $0)[x] })
                    if isInk(pixel) {
                        xs.append(x)
                        ys.append(y)
                    }
                }
            }
        }
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return nil }
        return (left...right, top...bottom)
    }

    /// Returns the number of pixels that satisfy `isInk`.
    func count(where isInk: (SIMD3<Float>) -> Bool) -> Int {
        withPlanes { planes in
            var count = 0
            for y in 0..<planes.height {
                for x in 0..<planes.width where isInk(SIMD3((0..<3).map { planes.row(y, plane: $0)[x] })) {
                    count += 1
                }
            }
            return count
        }
    }
}
