internal import WayreelCore
internal import WayreelKernels

/// Adds `intensity` times the difference from a blurred copy to each plane.
struct UnsharpMask: SpatialFilter {
    var radius: Length
    var intensity: Double

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        guard intensity > 0, let blur = LineBlur.gaussian(sigma: radius.inPixels(on: image.size)) else { return }
        try image.withMutablePlanes { planes throws(MediaError) in
            for index in 0..<3 {
                let soft = try ScratchPlane(copying: planes, plane: index)
                try blur.apply(to: soft, task: task)
                for y in 0..<planes.height {
                    wr_sharpen(planes.row(y, plane: index), soft.row(y), planes.width, Float(intensity))
                }
            }
        }
    }
}

/// An unsharp mask on luma, added equally to red, green and blue, which keeps the hue.
struct LumaSharpening: SpatialFilter {
    var radius: Length
    var sharpness: Double

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        guard sharpness > 0, let blur = LineBlur.gaussian(sigma: radius.inPixels(on: image.size)) else { return }
        try image.withMutablePlanes { planes throws(MediaError) in
            let soft = try ScratchPlane(lumaOf: planes)
            try blur.apply(to: soft, task: task)
            for y in 0..<planes.height {
                wr_sharpen_luma(
                    planes.row(y, plane: 0), planes.row(y, plane: 1), planes.row(y, plane: 2), soft.row(y),
                    planes.width, Float(sharpness))
            }
        }
    }
}

extension ScratchPlane {
    /// Creates a plane with the luma of the image (BT.709 weights on its values).
    convenience init(lumaOf planes: ImagePlanes, margin: Int = 0) throws(MediaError) {
        try self.init(size: planes.size, margin: margin)
        for y in 0..<planes.height {
            wr_luma_plane(
                planes.row(y, plane: 0), planes.row(y, plane: 1), planes.row(y, plane: 2), row(y), planes.width)
            extendRow(y)
        }
    }
}

/// The guided filter with each plane as its own guide: smooths areas with a variance below `noise`², keeps edges. K.
/// He, J. Sun, X. Tang, "Guided Image Filtering", 2010.
struct GuidedSmoothing: SpatialFilter {
    var radius: Length
    /// Standard deviation of noise, 0 to 1.
    var noise: Double

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        guard noise > 0, let window = LineBlur.box(radius: radius.inPixels(on: image.size)) else { return }
        try image.withMutablePlanes { planes throws(MediaError) in
            for index in 0..<3 {
                let offset = try ScratchPlane(copying: planes, plane: index)
                let slope = try ScratchPlane(size: planes.size)
                for y in 0..<planes.height { wr_square(offset.row(y), slope.row(y), slope.stride) }
                try window.apply(to: offset, task: task)
                try window.apply(to: slope, task: task)
                for y in 0..<planes.height {
                    wr_guided_line(offset.row(y), slope.row(y), planes.width, Float(noise * noise))
                }
                try window.apply(to: offset, task: task)
                try window.apply(to: slope, task: task)
                for y in 0..<planes.height {
                    wr_guided_apply(planes.row(y, plane: index), offset.row(y), slope.row(y), planes.width)
                }
            }
        }
    }
}

/// Brightens shadows and darkens highlights by the luma around each pixel, which keeps local contrast.
struct LocalHighlightShadow: SpatialFilter {
    var radius: Length
    var highlights: Double
    var shadows: Double

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        let blur = LineBlur.gaussian(sigma: radius.inPixels(on: image.size))
        try image.withMutablePlanes { planes throws(MediaError) in
            let mask = try ScratchPlane(lumaOf: planes)
            try blur?.apply(to: mask, task: task)
            if planes.count == 4 {
                // Divides the blurred, premultiplied luma by the blurred alpha.
                let alpha = try ScratchPlane(copying: planes, plane: 3)
                try blur?.apply(to: alpha, task: task)
                for y in 0..<planes.height {
                    let (row, share) = (mask.row(y), alpha.row(y))
                    for x in 0..<planes.width { row[x] = share[x] > 0 ? row[x] / share[x] : 0 }
                }
            }
            for y in 0..<planes.height {
                wr_highlight_shadow(
                    planes.row(y, plane: 0), planes.row(y, plane: 1), planes.row(y, plane: 2), mask.row(y),
                    planes.width, Float(highlights), Float(shadows))
            }
        }
    }
}
