package import WayreelCore
internal import WayreelKernels

extension Image {
    /// Returns the image on a canvas of `size`, aligned by `gravity`: padded if the canvas is larger, cropped if it is
    /// smaller.
    ///
    /// `background` fills the canvas and shows through transparency; with nil, transparency is kept and padding is
    /// black. Throws a `limit` error if memory is exhausted.
    package func onCanvas(
        _ canvas: PixelSize, gravity: Gravity = .center, background: RGBColor? = nil
    ) throws(MediaError) -> Image {
        let x = Int((Double(canvas.width - width) * gravity.x).rounded(.down))
        let y = Int((Double(canvas.height - height) * gravity.y).rounded(.down))
        return try onCanvas(canvas, x: x, y: y, background: background)
    }

    /// The same with the image's top left corner at `x`, `y` of the canvas.
    package func onCanvas(
        _ canvas: PixelSize, x: Int, y: Int, background: RGBColor? = nil
    ) throws(MediaError) -> Image {
        guard canvas != size || (hasAlpha && background != nil) else { return self }
        let isOpaque = background.map { $0.alpha == 1 } ?? !hasAlpha
        var result = try Image(unset: canvas, hasAlpha: !isOpaque)
        let beside = (background ?? .black).premultiplied
        let below = (background ?? .clear).premultiplied
        let columns = max(0, x)..<max(0, x, min(canvas.width, x + width))
        withPlanes { source in
            result.withMutablePlanes { result in
                for row in 0..<canvas.height {
                    let covers = (0..<height).contains(row - y)
                    for plane in 0..<result.count {
                        let to = result.row(row, plane: plane)
                        to.update(repeating: beside[plane], count: canvas.width)
                        guard covers, !columns.isEmpty else { continue }
                        source.copy(
                            row - y, plane: plane, from: columns.lowerBound - x, count: columns.count,
                            over: below[plane], to: to + columns.lowerBound)
                    }
                }
            }
        }
        return result
    }

    /// Drops an alpha plane that is opaque to within half an 8-bit step.
    func withoutFullAlpha() throws(MediaError) -> Image {
        guard hasAlpha, isOpaque else { return self }
        var opaque = try Image(unset: size, hasAlpha: false)
        withPlanes { source in
            opaque.withMutablePlanes { result in
                for plane in 0..<3 {
                    for y in 0..<size.height {
                        result.row(y, plane: plane).update(from: source.row(y, plane: plane), count: size.width)
                    }
                }
            }
        }
        return opaque
    }

    private var isOpaque: Bool {
        withPlanes { planes in
            (0..<planes.height).allSatisfy { y in
                let alpha = planes.row(y, plane: 3)
                return (0..<planes.width).allSatisfy { alpha[$0] > 1 - 1 / 1024 }
            }
        }
    }

    /// Rotates or mirrors all planes of the stored image upright.
    ///
    /// Throws a `limit` error if memory is exhausted.
    package func turned(upright orientation: Orientation) throws(MediaError) -> Image {
        guard orientation != .upright else { return self }
        var turned = try Image(unset: orientation.upright(size), hasAlpha: hasAlpha)
        withPlanes { source in
            turned.withMutablePlanes { result in
                let walk = orientation.walk(over: source)
                for plane in 0..<source.count {
                    let start = source.row(walk.y, plane: plane) + walk.x
                    wr_turn(
                        start, walk.stepX, walk.stepY, result.row(0, plane: plane), result.stride, result.width,
                        result.height)
                }
            }
        }
        return turned
    }
}

extension ImagePlanes {
    /// Copies part of a row over `background`. A missing alpha plane means opaque.
    fileprivate func copy(
        _ y: Int, plane: Int, from x: Int, count: Int, over background: Float, to output: UnsafeMutablePointer<Float>
    ) {
        guard plane < self.count else { return output.update(repeating: 1, count: count) }
        let values = row(y, plane: plane) + x
        guard self.count == 4, background != 0 else { return output.update(from: values, count: count) }
        let alpha = row(y, plane: 3) + x
        for i in 0..<count { output[i] = values[i] + (1 - alpha[i]) * background }
    }
}

extension RGBColor {
    fileprivate var premultiplied: [Float] { [red * alpha, green * alpha, blue * alpha, alpha].map { Float($0) } }

    /// Composited over black.
    package var opaque: RGBColor { RGBColor(red: red * alpha, green: green * alpha, blue: blue * alpha) }
}

extension Orientation {
    /// Returns the position of the upright image's first pixel in the stored image, and the distances in values to its
    /// next pixel and to its next row (EXIF 2.32, section 4.6.4).
    fileprivate func walk(over stored: ImagePlanes) -> (x: Int, y: Int, stepX: Int, stepY: Int) {
        let (column, row) = (startsAtRight ? -1 : 1, startsAtBottom ? -stored.stride : stored.stride)
        return (
            startsAtRight ? stored.width - 1 : 0, startsAtBottom ? stored.height - 1 : 0, swapsSides ? row : column,
            swapsSides ? column : row
        )
    }
}
