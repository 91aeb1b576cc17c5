internal import WayreelCore
internal import WayreelDrawing
internal import WayreelKernels

/// A rendered overlay for images of one size. Copies share their pixels.
struct OverlayLayer: CacheableLayer {
    enum Pixels: Sendable {
        /// Invisible.
        case none
        case drawing(FinishedDrawing)
        case image(Image)
    }

    var pixels: Pixels
    /// Position of its top left corner on the image; may be outside.
    var x = 0
    var y = 0
    /// Whether it is repeated over the whole image.
    var isTiled = false
    /// Warnings that are reported each time the layer is drawn.
    var warnings: [String] = []

    var byteCount: Int {
        switch pixels {
        case .none: 0
        case .drawing(let drawing): drawing.byteCount
        case .image(let image): image.planeCount * image.stride * image.height * MemoryLayout<Float>.stride
        }
    }

    /// Blends the layer into `image` within their intersection.
    func composite(
        over image: inout Image, blend: BlendMode, opacity: Double, task: TaskContext
    ) throws(MediaError) {
        try image.withMutablePlanes { planes throws(MediaError) in
            switch pixels {
            case .none:
                break
            case .image(let source):
                // Opaque alpha for an overlay without alpha.
                let opaque = [Float](repeating: 1, count: source.width)
                try source.withPlanes { from throws(MediaError) in
                    try opaque.withUnsafeBufferPointer { opaque throws(MediaError) in
                        try composite(from.size, over: planes, blend: blend, opacity: opacity, task: task) {
                            (row, x, _, pointers) in
                            for plane in 0..<3 { pointers[plane] = UnsafePointer(from.row(row, plane: plane) + x) }
                            pointers[3] =
                                from.count == 4
                                ? UnsafePointer(from.row(row, plane: 3) + x) : opaque.baseAddress! + x
                        }
                    }
                }
            case .drawing(let drawing):
                let width = drawing.size.width
                var unpacked = [Float](repeating: 0, count: 4 * width)
                try unpacked.withUnsafeMutableBufferPointer { unpacked throws(MediaError) in
                    let base = unpacked.baseAddress!
                    var planesOfRow: [UnsafeMutablePointer<Float>?] = (0..<4).map { base + $0 * width }
                    try composite(drawing.size, over: planes, blend: blend, opacity: opacity, task: task) {
                        (row, x, count, pointers) in
                        drawing.withRow(row) { wr_unpack_bgra8($0 + x, &planesOfRow, count) }
                        for plane in 0..<4 { pointers[plane] = UnsafePointer(base + plane * width) }
                    }
                }
            }
        }
    }

    /// Blends a source of `size` row by row. `row` receives a source row, the first column and the number of pixels,
    /// and sets pointers to red, green, blue and alpha.
    private func composite(
        _ size: PixelSize, over planes: ImagePlanes, blend: BlendMode, opacity: Double, task: TaskContext,
        row: (Int, Int, Int, UnsafeMutableBufferPointer<UnsafePointer<Float>?>) -> Void
    ) throws(MediaError) {
        let (columns, rows) = area(on: planes.size)
        let mode = blend.kernel
        try withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: 4) { source throws(MediaError) in
            source.initialize(repeating: nil)
            try withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>?.self, capacity: 4) {
                target throws(MediaError) in
                target.initialize(repeating: nil)
                for targetY in rows {
                    if targetY & 31 == 0 { try task.check() }
                    var targetX = columns.lowerBound
                    while targetX < columns.upperBound {
                        // Without tiling, the row starts inside the source and the remainder has no effect.
                        let sourceX = remainder(targetX - x, size.width)
                        let count = min(size.width - sourceX, columns.upperBound - targetX)
                        row(remainder(targetY - y, size.height), sourceX, count, source)
                        for plane in 0..<planes.count { target[plane] = planes.row(targetY, plane: plane) + targetX }
                        wr_composite(mode, source.baseAddress, target.baseAddress, count, Float(opacity))
                        targetX += count
                    }
                }
            }
        }
    }

    /// Returns the columns and rows that the layer covers on an image of size `image`.
    func area(on image: PixelSize) -> (columns: Range<Int>, rows: Range<Int>) {
        guard let size else { return (0..<0, 0..<0) }
        return (
            covered(of: image.width, from: x, count: size.width),
            covered(of: image.height, from: y, count: size.height)
        )
    }

    /// nil if it is invisible.
    private var size: PixelSize? {
        switch pixels {
        case .none: nil
        case .drawing(let drawing): drawing.size
        case .image(let image): image.size
        }
    }

    /// Returns the part of 0..<`length` covered by `count` pixels from `start`.
    private func covered(of length: Int, from start: Int, count: Int) -> Range<Int> {
        if isTiled { return 0..<length }
        let first = min(max(start, 0), length)
        return first..<min(max(start + count, first), length)
    }

    /// Returns the remainder of a floored division: 0 ..< `divisor`.
    private func remainder(_ value: Int, _ divisor: Int) -> Int {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }
}

extension BlendMode {
    fileprivate var kernel: wr_blend {
        switch self {
        case .normal: WR_BLEND_NORMAL
        case .multiply: WR_BLEND_MULTIPLY
        case .screen: WR_BLEND_SCREEN
        case .overlay: WR_BLEND_OVERLAY
        case .softLight: WR_BLEND_SOFT_LIGHT
        }
    }
}
