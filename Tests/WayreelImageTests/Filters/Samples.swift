import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// An image as nested arrays, for formulas written out plainly.
struct Samples {
    var width: Int
    var height: Int
    /// Values by plane, and by row from the top.
    var planes: [[Double]]

    init(width: Int, height: Int, planes: [[Double]]) {
        self.width = width
        self.height = height
        self.planes = planes
    }

    init(_ image: Image) {
        width = image.width
        height = image.height
        let (values, count) = (image.values, image.size.pixels)
        planes = stride(from: 0, to: values.count, by: count).map { values[$0..<$0 + count].map(Double.init) }
    }

    func image() throws -> Image {
        var image = try Image(size: PixelSize(width: width, height: height), hasAlpha: planes.count == 4)
        image.set { x, y, plane in Float(planes[plane][y * width + x]) }
        return image
    }

    /// Returns the value at a position; beyond an edge, that of the edge.
    func at(_ x: Int, _ y: Int, _ plane: Int) -> Double {
        planes[plane][min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
    }

    /// Returns the bilinear interpolation between pixel centres.
    func at(_ x: Double, _ y: Double, _ plane: Int) -> Double {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        let (fx, fy) = (x - left, y - top)
        let (i, j) = (Int(left), Int(top))
        return (at(i, j, plane) * (1 - fx) + at(i + 1, j, plane) * fx) * (1 - fy)
            + (at(i, j + 1, plane) * (1 - fx) + at(i + 1, j + 1, plane) * fx) * fy
    }

    /// Sets every value from its position.
    func mapped(_ body: (_ x: Int, _ y: Int, _ plane: Int) -> Double) -> Samples {
        var result = self
        for plane in planes.indices {
            for y in 0..<height {
                for x in 0..<width { result.planes[plane][y * width + x] = body(x, y, plane) }
            }
        }
        return result
    }

    /// Returns the colour at index `i`.
    func color(_ i: Int) -> SIMD3<Double> { SIMD3(planes[0][i], planes[1][i], planes[2][i]) }

    /// Sets every colour from its position and previous colour; alpha stays.
    func mappedColors(_ body: (_ x: Int, _ y: Int, SIMD3<Double>) -> SIMD3<Double>) -> Samples {
        var result = self
        for y in 0..<height {
            for x in 0..<width {
                let color = body(x, y, color(y * width + x))
                for plane in 0..<3 { result.planes[plane][y * width + x] = color[plane] }
            }
        }
        return result
    }

    /// The same image after filters.
    func filtered(_ filters: Filter...) throws -> Samples {
        var image = try image()
        try FilterChain(filters).apply(to: &image, task: TaskContext())
        return Samples(image)
    }

    /// Returns the largest difference of a value.
    func difference(from other: Samples) -> Double {
        guard width == other.width, height == other.height, planes.count == other.planes.count else { return .infinity }
        return zip(planes, other.planes).flatMap { zip($0, $1).map { ($0 - $1).magnitude } }
            .reduce(0) { $1.isNaN ? .infinity : max($0, $1) }
    }

    /// Random colours, preceded by edge cases: black, white, full channels, values beyond both ends.
    static func colors(
        width: Int, height: Int, hasAlpha: Bool = false, seed: UInt64 = 7, range: ClosedRange<Double> = 0...1
    ) -> Samples {
        var random = SeededRandom(seed: seed)
        let count = width * height
        var planes = (0..<3).map { _ in (0..<count).map { _ in Double.random(in: range, using: &random) } }
        let edges: [[Double]] = [
            [0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0.5], [0.002, 0.04, 0.05],
        ]
        let beyond: [[Double]] = range == 0...1 ? [] : [[1.5, 1.2, 1], [-0.25, 0.5, 1.25]]
        for (i, color) in (edges + beyond).prefix(count).enumerated() {
            for plane in 0..<3 { planes[plane][i] = color[plane] }
        }
        if hasAlpha {
            let alpha = (0..<count).map { i in i % 5 == 0 ? Double(i / 5 % 2) : Double.random(in: 0...1, using: &random)
            }
            planes = planes.map { zip($0, alpha).map { $0 * $1 } } + [alpha]
        }
        // Rounded to floats as in an image.
        return Samples(width: width, height: height, planes: planes.map { $0.map { Double(Float($0)) } })
    }

    /// Sizes that reveal errors at ends of rows, strips and blocks.
    static let awkwardSizes = [(1, 1), (1, 7), (7, 1), (17, 16), (33, 17)]
}

func luma(_ c: SIMD3<Double>) -> Double { 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z }

/// Runs `body` with the path of a file that contains `text`.
@discardableResult
func withTemporaryFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
    var template = Array("/tmp/wayreel-test-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    defer { close(descriptor) }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    try #require(write(descriptor, text, text.utf8.count) == text.utf8.count)
    return try body(path)
}
