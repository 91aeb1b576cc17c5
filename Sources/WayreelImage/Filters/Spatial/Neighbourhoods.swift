internal import WayreelCore
internal import WayreelKernels

/// An operation on each plane over 3 × 3 neighbourhoods.
struct Neighbourhood: SpatialFilter {
    enum Operation: Sendable {
        /// The median of the nine.
        case median
        /// The magnitude of Sobel's gradient, times a factor.
        case sobel(Double)
    }
    var operation: Operation

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        try image.withMutablePlanes { planes throws(MediaError) in
            for index in 0..<3 {
                let plane = try ScratchPlane(copying: planes, plane: index, margin: 1)
                for y in 0..<planes.height {
                    if y % 16 == 0 { try task.check() }
                    let (above, row, below) = (plane.row(y - 1), plane.row(y), plane.row(y + 1))
                    let out = planes.row(y, plane: index)
                    switch operation {
                    case .median: wr_median(above, row, below, out, planes.width)
                    case .sobel(let scale): wr_sobel(above, row, below, out, planes.width, Float(scale))
                    }
                }
            }
        }
    }
}

/// Ink lines by the extended difference of Gaussians. H. Winnemöller, "XDoG: Advanced Image Stylization with eXtended
/// Difference-of-Gaussians", 2011.
struct InkLines: SpatialFilter {
    /// Standard deviation of the narrower Gaussian; the wider one has 1.6 times that.
    var radius: Length
    /// Weight of the difference relative to luma.
    var gain: Double
    /// Sharpened luma below which there is ink.
    var threshold: Double
    /// Slope of the transition from ink to paper.
    var contrast: Double
    /// Whether the image is kept under the ink or replaced by paper.
    var keepsImage: Bool

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        let sigma = max(radius.inPixels(on: image.size), 0.3)
        try image.withMutablePlanes { planes throws(MediaError) in
            let ink = try ScratchPlane(lumaOf: planes)
            let coarse = try ScratchPlane(lumaOf: planes)
            try LineBlur.gaussian(sigma: sigma)?.apply(to: ink, task: task)
            try LineBlur.gaussian(sigma: 1.6 * sigma)?.apply(to: coarse, task: task)
            for y in 0..<planes.height {
                wr_ink(ink.row(y), coarse.row(y), planes.width, Float(gain), Float(threshold), Float(contrast))
                for index in 0..<3 {
                    let out = planes.row(y, plane: index)
                    let share = ink.row(y)
                    // Paper has the image's alpha.
                    let paper: UnsafeMutablePointer<Float>? =
                        keepsImage ? out : planes.count == 4 ? planes.row(y, plane: 3) : nil
                    for x in 0..<planes.width { out[x] = share[x] * (paper?[x] ?? 1) }
                }
            }
        }
    }
}

/// Rotates the image about its centre and enlarges it so that no corner is empty.
struct Straightening: SpatialFilter {
    /// In degrees, clockwise.
    var angle: Double

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        guard angle != 0 else { return }
        let geometry = Geometry(angle: angle, size: image.size)
        try image.withMutablePlanes { planes throws(MediaError) in
            for index in 0..<planes.count {
                let plane = try ScratchPlane(copying: planes, plane: index)
                for y in 0..<planes.height {
                    if y % 16 == 0 { try task.check() }
                    let start = geometry.source(x: 0, y: y)
                    wr_sample_cubic(
                        plane.row(0), Int32(plane.stride), Int32(planes.width), Int32(planes.height),
                        planes.row(y, plane: index), planes.width, Float(start.x), Float(start.y),
                        Float(geometry.step.x), Float(geometry.step.y))
                }
            }
        }
    }

    /// Maps pixels of the result to the source.
    struct Geometry {
        private let center: SIMD2<Double>
        /// Source offset of one pixel to the right.
        let step: SIMD2<Double>

        init(angle: Double, size: PixelSize) {
            let (width, height) = (Double(size.width), Double(size.height))
            let (c, s) = (cosine(degrees: angle), sine(degrees: angle))
            let zoom = c + abs(s) * max(width / height, height / width)
            center = SIMD2(width - 1, height - 1) / 2
            step = SIMD2(c, -s) / zoom
        }

        /// In pixels from the centre of the first pixel.
        func source(x: Int, y: Int) -> SIMD2<Double> {
            let offset = SIMD2(Double(x), Double(y)) - center
            return center + SIMD2(offset.x * step.x - offset.y * step.y, offset.x * step.y + offset.y * step.x)
        }
    }
}
