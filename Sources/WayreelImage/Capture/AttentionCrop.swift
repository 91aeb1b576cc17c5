internal import Glibc
package import WayreelCore

/// Finds the salient part of an image: edges, saturated colours and skin.
///
/// Works on a small copy. Pixel weights fall towards the edges of the crop window, so that a single object is centred
/// in the crop.
package struct AttentionCrop {
    /// Saliency of each pixel of the small copy, in rows.
    private let saliency: [Float]
    private let size: PixelSize

    /// Longer side of the small copy in pixels.
    private static let side = 96

    /// `toSRGB` converts the colours of `image` to sRGB.
    package init(_ image: Image, toSRGB: [ColorOp] = [], task: TaskContext) throws(MediaError) {
        let shrinking = min(1, Double(Self.side) / Double(image.size.longerSide))
        size = PixelSize(
            width: max(1, Int((Double(image.width) * shrinking).rounded())),
            height: max(1, Int((Double(image.height) * shrinking).rounded())))
        var small = try ImageScaler.scale(image, to: size, task: task)
        try ColorPipeline(toSRGB).apply(to: &small, task: task)
        saliency = Self.saliency(small)
    }

    /// Returns the top left corner of the crop of size `canvas` with the highest score within `image`.
    package func origin(of canvas: PixelSize, in image: PixelSize) -> (x: Int, y: Int) {
        func sums(_ count: Int, _ other: Int, _ value: (Int, Int) -> Float) -> [Double] {
            (0..<count).map { at in (0..<other).reduce(0) { $0 + Double(value(at, $1)) } }
        }
        let columns = sums(size.width, size.height) { saliency[$1 * size.width + $0] }
        let rows = sums(size.height, size.width) { saliency[$0 * size.width + $1] }
        return (
            Self.best(columns, kept: canvas.width, of: image.width),
            Self.best(rows, kept: canvas.height, of: image.height)
        )
    }

    /// Returns the start of the window of `kept` out of `all` pixels with the highest sum of `profile`, which spans all
    /// of them.
    private static func best(_ profile: [Double], kept: Int, of all: Int) -> Int {
        guard kept < all else { return 0 }
        let unit = Double(profile.count) / Double(all)
        let length = Double(kept) * unit
        let free = Double(profile.count) - length
        // Quarter-pixel steps of the small copy make the crop move smoothly.
        let steps = max(1, Int((free * 4).rounded(.up)))
        func gathered(_ start: Double) -> Double {
            let middle = start + length / 2
            return profile.indices.reduce(0) { sum, at in
                let distance = (Double(at) + 0.5 - middle) / (length / 2)
                return distance.magnitude < 1 ? sum + profile[at] * (1 - distance * distance) : sum
            }
        }
        var best = (start: free / 2, gathered: gathered(free / 2) * 1.001)
        for step in 0...steps {
            let start = free * Double(step) / Double(steps)
            let gathered = gathered(start)
            if gathered > best.gathered { best = (start, gathered) }
        }
        return min(all - kept, max(0, Int((best.start / unit).rounded())))
    }

    /// Saliency of each pixel.
    private static func saliency(_ small: Image) -> [Float] {
        let (width, height) = (small.width, small.height)
        return small.withPlanes { planes in
            func color(_ x: Int, _ y: Int) -> SIMD3<Float> {
                let (x, y) = (min(max(x, 0), width - 1), min(max(y, 0), height - 1))
                return SIMD3(
                    planes.row(y, plane: 0)[x], planes.row(y, plane: 1)[x], planes.row(y, plane: 2)[x])
            }
            return (0..<height).flatMap { y in
                (0..<width).map { x in
                    let here = color(x, y)
                    let around = color(x - 1, y) + color(x + 1, y) + color(x, y - 1) + color(x, y + 1)
                    let edge = abs((4 * here - around).luma)
                    let saturation = (here.max() - here.min()) * (1 - abs(here.max() + here.min() - 1))
                    return 2 * edge + 0.3 * saturation + (here.isSkin ? 0.5 : 0)
                }
            }
        }
    }
}

extension SIMD3<Float> {
    /// Rec. 709 luma.
    fileprivate var luma: Float { 0.2126 * x + 0.7152 * y + 0.0722 * z }

    /// Whether it is a skin colour under daylight: Kovač, Peer and Solina, "Human skin color clustering for face
    /// detection" (EUROCON 2003).
    fileprivate var isSkin: Bool {
        let c = self * 255
        return c.x > 95 && c.y > 40 && c.z > 20 && c.max() - c.min() > 15 && c.x - c.y > 15 && c.x > c.z
    }
}

/// Finds the content of an image inside a border of uniform colour.
///
/// The border colour is that of the top left pixel. A pixel belongs to the border if none of its components differs by
/// more than the tolerance; colours of fully transparent pixels are equal. One pass over the image with one row in
/// memory.
struct BorderScan {
    private let header: ImageHeader
    private let tolerance: Int
    private var border: SIMD4<Int32>?
    private var columns: Range<Int>?
    private var rows: Range<Int>?

    /// Returns the smallest rectangle that contains everything but the border; nil for an image of one colour.
    ///
    /// `tolerance` is in 1/255 of a component's range.
    static func window(
        of reader: any RowReader, tolerance: Double, task: TaskContext
    ) throws(MediaError) -> PixelRectangle? {
        var scan = BorderScan(reader.header, tolerance: tolerance)
        let row = try AlignedMemory(zeroed: reader.header.rowBytes + 64, step: .decode)
        for y in 0..<reader.header.size.height {
            if y % 32 == 0 { try task.check() }
            try reader.readRow(into: row.base)
            scan.add(row.base, y: y)
        }
        guard let columns = scan.columns, let rows = scan.rows else { return nil }
        return PixelRectangle(columns: columns, rows: rows)
    }

    private init(_ header: ImageHeader, tolerance: Double) {
        self.header = header
        self.tolerance = Int((tolerance / 255 * Double((1 << header.rowBits) - 1)).rounded(.down))
    }

    private mutating func add(_ row: UnsafeMutableRawPointer, y: Int) {
        let found =
            header.rowBits == 8
            ? extent(UnsafePointer(row.assumingMemoryBound(to: UInt8.self)))
            : extent(UnsafePointer(row.assumingMemoryBound(to: UInt16.self)))
        guard let found else { return }
        rows = (rows?.lowerBound ?? y)..<y + 1
        columns =
            min(
                columns?.lowerBound ?? found.lowerBound, found.lowerBound)..<max(
                columns?.upperBound ?? found.upperBound, found.upperBound)
    }

    /// First to last pixel of a row outside the border.
    private mutating func extent<Component: FixedWidthInteger>(_ row: UnsafePointer<Component>) -> Range<Int>? {
        let width = header.size.width, count = header.layout.components, hasAlpha = header.layout == .rgba
        let tolerance = Int32(self.tolerance)
        func pixel(_ x: Int) -> SIMD4<Int32> {
            let at = row + x * count
            return SIMD4(Int32(at[0]), Int32(at[1]), Int32(at[2]), count == 4 ? Int32(at[3]) : 0)
        }
        let border = self.border ?? pixel(0)
        self.border = border
        func isBorder(_ x: Int) -> Bool {
            let pixel = pixel(x)
            if hasAlpha, pixel.w <= tolerance, border.w <= tolerance { return true }
            let distance = pixel &- border
            return distance.max() <= tolerance && distance.min() >= -tolerance
        }
        guard let first = (0..<width).first(where: { !isBorder($0) }) else { return nil }
        let last = (first..<width).last { !isBorder($0) } ?? first
        return first..<last + 1
    }
}
