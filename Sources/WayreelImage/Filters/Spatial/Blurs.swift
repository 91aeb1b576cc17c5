internal import Glibc
internal import WayreelCore
internal import WayreelKernels

/// A separable blur, equal along rows and columns.
struct SeparableBlur: SpatialFilter {
    enum Shape: Sendable { case gaussian, box }
    var shape: Shape
    /// Standard deviation of a Gaussian, half the width of a box.
    var radius: Length

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        let pixels = radius.inPixels(on: image.size)
        guard let blur = shape == .gaussian ? LineBlur.gaussian(sigma: pixels) : LineBlur.box(radius: pixels) else {
            return
        }
        try image.withMutablePlanes { planes throws(MediaError) in
            for index in 0..<planes.count {
                try blur.apply(
                    to: planes.row(0, plane: index), stride: planes.stride, size: planes.size, task: task)
            }
        }
    }
}

/// The mean over a disc, as in an out-of-focus lens. The disc's edge is softened over one pixel along rows.
struct DiscBlur: SpatialFilter {
    var radius: Length

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        let radius = radius.inPixels(on: image.size)
        guard radius > 0.05 else { return }
        let spans = Self.spans(radius: radius)
        let below = spans.count - 1
        // A span w covers 2w + 1 pixels of a row and a fraction of the next ones.
        let area = spans.enumerated().reduce(0) { $0 + ($1.offset == 0 ? 1 : 2) * (2 * $1.element + 1) }
        let margin = Int(radius.rounded(.up)) + 2
        try image.withMutablePlanes { planes throws(MediaError) in
            let width = planes.width
            for index in 0..<planes.count {
                let plane = try ScratchPlane(copying: planes, plane: index, margin: margin)
                let sums = try RunningSums(plane: plane, rows: 2 * below + 1, margin: margin)
                for y in 0..<planes.height {
                    try task.check()
                    let out = planes.row(y, plane: index)
                    out.update(repeating: 0, count: width)
                    for dy in -below...below {
                        let reach = spans[abs(dy)]
                        wr_add_span(
                            out, sums.row(y + dy), plane.row(y + dy), width, Int(reach),
                            Float(reach - reach.rounded(.down)))
                    }
                    wr_scale(out, width, Float(1 / area))
                }
            }
        }
    }

    /// Half-width of the disc on each row from its centre downwards.
    static func spans(radius: Double) -> [Double] {
        (0...Int(radius)).map { dy in (radius * radius - Double(dy * dy)).squareRoot() }
    }
}

/// Prefix sums of the rows in a sliding window, computed once per row.
private final class RunningSums {
    private let plane: ScratchPlane
    private let margin: Int
    private let length: Int
    /// The row in each slot.
    private var owners: [Int]
    private let sums: AlignedMemory

    /// Throws a `limit` error if memory for the sums is exhausted.
    init(plane: ScratchPlane, rows: Int, margin: Int) throws(MediaError) {
        self.plane = plane
        self.margin = margin
        length = plane.size.width + 2 * margin + 1
        let slots = min(rows, plane.size.height)
        owners = Array(repeating: -1, count: slots)
        sums = try AlignedMemory(Double.self, count: slots * length, step: .filter)
    }

    /// Sums of row `y`, clamped to the plane: element i + 1 less element j is the sum of the values j…i.
    func row(_ y: Int) -> UnsafePointer<Double> {
        let y = min(max(y, 0), plane.size.height - 1)
        let slot = y % owners.count
        let row = sums.pointer(to: Double.self) + slot * length
        if owners[slot] != y {
            wr_running_sum(plane.row(y) - margin, row, length - 1)
            owners[slot] = y
        }
        return UnsafePointer(row + margin)
    }
}

/// The mean along a line through each pixel, as with a moving camera.
struct MotionBlur: SpatialFilter {
    /// Half the length of the line.
    var radius: Length
    /// Degrees, clockwise from the horizontal.
    var angle: Double

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        let radius = radius.inPixels(on: image.size)
        guard radius > 0.05 else { return }
        let weights = Self.weights(radius: radius, angle: angle)
        let margin = Int(radius.rounded(.up)) + 2
        try image.withMutablePlanes { planes throws(MediaError) in
            for index in 0..<planes.count {
                let plane = try ScratchPlane(copying: planes, plane: index, margin: margin)
                for y in 0..<planes.height {
                    try task.check()
                    let out = planes.row(y, plane: index)
                    out.update(repeating: 0, count: planes.width)
                    for (offset, weight) in weights {
                        wr_add_scaled(out, plane.row(y + offset.y) + offset.x, planes.width, weight)
                    }
                }
            }
        }
    }

    /// Points half a pixel apart along the line, distributed bilinearly to pixels.
    static func weights(radius: Double, angle: Double) -> [(offset: SIMD2<Int>, weight: Float)] {
        let count = Int((2 * radius).rounded(.up))
        let direction = SIMD2(cos(angle * .pi / 180), sin(angle * .pi / 180))
        var weights: [SIMD2<Int>: Double] = [:]
        for step in -count...count {
            let point = direction * (radius * Double(step) / Double(count))
            let corner = point.rounded(.down)
            let share = point - corner
            for (dx, wx) in [(0, 1 - share.x), (1, share.x)] {
                for (dy, wy) in [(0, 1 - share.y), (1, share.y)] where wx * wy > 1e-9 {
                    weights[SIMD2(Int(corner.x) + dx, Int(corner.y) + dy), default: 0] += wx * wy
                }
            }
        }
        let total = Double(2 * count + 1)
        return weights.map { (offset: $0.key, weight: Float($0.value / total)) }
            .sorted { ($0.offset.y, $0.offset.x) < ($1.offset.y, $1.offset.x) }
    }
}

/// The mean of the image at several magnifications, as with a zooming lens.
struct ZoomBlur: SpatialFilter {
    var center: ImagePoint
    /// Magnification at the end of the exposure in percent.
    var amount: Double

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        guard amount > 0 else { return }
        let size = image.size
        let center = center.inPixels(on: size)
        let scales = Self.scales(amount: amount, size: size)
        try image.withMutablePlanes { planes throws(MediaError) in
            let width = planes.width
            let columns = scales.map { Sampling(count: width, center: center.x, scale: $0) }
            let rows = scales.map { Sampling(count: planes.height, center: center.y, scale: $0) }
            let between = try ScratchFloats(count: planes.stride + 16)
            for index in 0..<planes.count {
                let plane = try ScratchPlane(copying: planes, plane: index, margin: 16)
                for y in 0..<planes.height {
                    try task.check()
                    let out = planes.row(y, plane: index)
                    out.update(repeating: 0, count: width)
                    for (column, row) in zip(columns, rows) {
                        let above = Int(row.index[y])
                        wr_lerp_rows(plane.row(above), plane.row(above + 1), between.base, width + 1, row.share[y])
                        wr_add_sampled(out, between.base, column.index, column.share, width)
                    }
                    wr_scale(out, width, 1 / Float(scales.count))
                }
            }
        }
    }

    /// Factors for distances from the centre, from 1 downwards: one per pixel of motion at the farthest corner, 8 to
    /// 64.
    static func scales(amount: Double, size: PixelSize) -> [Double] {
        let end = 1 / (1 + amount / 100)
        let farthest = (1 - end) * Double(size.width * size.width + size.height * size.height).squareRoot()
        let count = min(max(Int(farthest), 8), 64)
        return (0..<count).map { 1 - (1 - end) * Double($0) / Double(count - 1) }
    }

    /// A sampling position: the pixel before it and the weight of the next.
    private struct Sampling {
        var index: [Int32] = []
        var share: [Float] = []

        init(count: Int, center: Double, scale: Double) {
            for i in 0..<count {
                let offset = center + (Double(i) + 0.5 - center) * scale - 0.5
                let clamped = min(max(offset, 0), Double(count - 1))
                index.append(Int32(clamped))
                share.append(Float(clamped - clamped.rounded(.down)))
            }
        }
    }
}

func cosine(degrees: Double) -> Double { cos(degrees * .pi / 180) }
func sine(degrees: Double) -> Double { sin(degrees * .pi / 180) }

/// Light from the bright parts of an image, blurred by a Gaussian and screened over it.
struct Glow: SpatialFilter {
    var radius: Length
    var intensity: Double

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        guard intensity > 0 else { return }
        let blur = LineBlur.gaussian(sigma: radius.inPixels(on: image.size))
        try image.withMutablePlanes { planes throws(MediaError) in
            // Computed before the first plane changes: luma weights the light.
            let luma = try ScratchPlane(lumaOf: planes)
            let glow = try ScratchPlane(size: planes.size)
            for index in 0..<3 {
                for y in 0..<planes.height {
                    wr_glow_source(planes.row(y, plane: index), luma.row(y), glow.row(y), planes.width)
                }
                try blur?.apply(to: glow, task: task)
                for y in 0..<planes.height {
                    wr_screen_with(planes.row(y, plane: index), glow.row(y), planes.width, Float(intensity))
                }
            }
        }
    }
}
