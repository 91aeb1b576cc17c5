internal import WayreelCore
internal import WayreelKernels

/// An operation on each plane in which a value depends on the 3 × 3 around it.
struct Neighbourhood: SpatialFilter {
    enum Operation: Sendable {
        /// The median of the nine.
        case median
        /// The length of Sobel's gradient, times a factor.
        case sobel(Double)
    }
    var operation: Operation

    func apply(to picture: inout Picture, watch: TaskWatch) throws(MediaError) {
        try picture.withMutablePlanes { planes throws(MediaError) in
            for index in 0..<3 {
                let plane = try ScratchPlane(copying: planes, plane: index, margin: 1)
                for y in 0..<planes.height {
                    if y % 16 == 0 { try watch.check() }
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

/// Ink lines where the luma falls off, by the extended difference of Gaussians.
/// H. Winnemöller, "XDoG: Advanced Image Stylization with eXtended Difference-of-Gaussians", 2011.
struct InkLines: SpatialFilter {
    /// The standard deviation of the narrower Gaussian; the wider one is 1.6 times as wide.
    var radius: Length
    /// How much the difference of the two counts against the luma itself.
    var gain: Double
    /// The luma, sharpened so, below which there is ink.
    var threshold: Double
    /// The slope of the step from ink to paper.
    var contrast: Double
    /// Whether the picture stays under the ink, or gives way to paper.
    var keepsPicture: Bool

    func apply(to picture: inout Picture, watch: TaskWatch) throws(MediaError) {
        let sigma = max(radius.inPixels(on: picture.size), 0.3)
        try picture.withMutablePlanes { planes throws(MediaError) in
            let ink = try ScratchPlane(lumaOf: planes)
            let coarse = try ScratchPlane(lumaOf: planes)
            try LineBlur.gaussian(sigma: sigma)?.apply(to: ink, watch: watch)
            try LineBlur.gaussian(sigma: 1.6 * sigma)?.apply(to: coarse, watch: watch)
            for y in 0..<planes.height {
                wr_ink(ink.row(y), coarse.row(y), planes.width, Float(gain), Float(threshold), Float(contrast))
                for index in 0..<3 {
                    let out = planes.row(y, plane: index)
                    let share = ink.row(y)
                    // Paper is as opaque as the picture was.
                    let paper: UnsafeMutablePointer<Float>? =
                        keepsPicture ? out : planes.count == 4 ? planes.row(y, plane: 3) : nil
                    for x in 0..<planes.width { out[x] = share[x] * (paper?[x] ?? 1) }
                }
            }
        }
    }
}

/// Turns the picture about its centre and enlarges it just so far that no corner is empty.
struct Straightening: SpatialFilter {
    /// In degrees, clockwise.
    var angle: Double

    func apply(to picture: inout Picture, watch: TaskWatch) throws(MediaError) {
        guard angle != 0 else { return }
        let geometry = Geometry(angle: angle, size: picture.size)
        try picture.withMutablePlanes { planes throws(MediaError) in
            for index in 0..<planes.count {
                let plane = try ScratchPlane(copying: planes, plane: index)
                for y in 0..<planes.height {
                    if y % 16 == 0 { try watch.check() }
                    let start = geometry.source(x: 0, y: y)
                    wr_sample_cubic(
                        plane.row(0), Int32(plane.stride), Int32(planes.width), Int32(planes.height),
                        planes.row(y, plane: index), planes.width, Float(start.x), Float(start.y),
                        Float(geometry.step.x), Float(geometry.step.y))
                }
            }
        }
    }

    /// Where each pixel of the result lies in the source.
    struct Geometry {
        private let center: SIMD2<Double>
        /// The way in the source for one pixel to the right.
        let step: SIMD2<Double>

        init(angle: Double, size: PixelSize) {
            let (width, height) = (Double(size.width), Double(size.height))
            let (c, s) = (cosine(degrees: angle), sine(degrees: angle))
            let zoom = c + abs(s) * max(width / height, height / width)
            center = SIMD2(width - 1, height - 1) / 2
            step = SIMD2(c, -s) / zoom
        }

        /// In pixels from the centre of the first one.
        func source(x: Int, y: Int) -> SIMD2<Double> {
            let place = SIMD2(Double(x), Double(y)) - center
            return center + SIMD2(place.x * step.x - place.y * step.y, place.x * step.y + place.y * step.x)
        }
    }
}
