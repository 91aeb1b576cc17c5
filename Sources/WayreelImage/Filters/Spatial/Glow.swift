internal import WayreelCore
internal import WayreelKernels

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
