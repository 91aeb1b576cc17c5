package import WayreelCore

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
