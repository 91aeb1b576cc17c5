internal import Glibc
internal import WayreelCore

/// A loaded and checked image overlay.
struct ImageLayerSource: LayerSource {
    private let overlay: ImageOverlay
    private let image: Image

    init(_ overlay: ImageOverlay, image: Image) throws(MediaError) {
        do throws(MediaError) {
            try OverlayChecks.opacity(overlay.opacity)
            try OverlayChecks.length(overlay.x, "the horizontal offset", signed: true)
            try OverlayChecks.length(overlay.y, "the vertical offset", signed: true)
            guard overlay.rotation.isFinite else {
                throw OverlayChecks.fault("a rotation", "a number of degrees", overlay.rotation.shortDescription)
            }
            switch overlay.scale {
            case .factor(let factor):
                guard factor > 0, factor.isFinite else {
                    throw OverlayChecks.fault("scale", "above 0", factor.shortDescription)
                }
            case .widthShare(let share):
                guard share > 0, share <= 1 else {
                    throw OverlayChecks.fault("width", "above 0 and at most the image's", share.shortDescription)
                }
            }
        } catch {
            throw error.naming(overlay.path)
        }
        self.overlay = overlay
        self.image = image
    }

    func layer(for size: PixelSize, task: TaskContext) throws(MediaError) -> OverlayLayer {
        let scaled = try scaledSize(on: size)
        var pixels = scaled == image.size ? image : try ImageScaler.scale(image, to: scaled, task: task)
        pixels = try pixels.turned(by: overlay.rotation, task: task)
        let covered = pixels.size
        var layer = OverlayLayer(
            pixels: .none,
            x: origin(size.width, covered.width, overlay.gravity.x, overlay.x.bounded(on: size)),
            y: origin(size.height, covered.height, overlay.gravity.y, overlay.y.bounded(on: size)),
            isTiled: overlay.tile)
        if overlay.tile {
            pixels = try pixels.repeatedToRun()
        } else if layer.x >= size.width || layer.y >= size.height || layer.x + covered.width <= 0
            || layer.y + covered.height <= 0
        {
            layer.warnings.append("'\(overlay.path)' lies outside the image of \(size) and cannot be seen")
            return layer
        } else if covered.width > size.width || covered.height > size.height {
            layer.warnings.append(
                "'\(overlay.path)' is \(covered), larger than the image of \(size), and is clipped")
        }
        layer.pixels = .image(pixels)
        return layer
    }

    /// Returns the overlay's size on an image of `size`, at least one pixel per side.
    private func scaledSize(on size: PixelSize) throws(MediaError) -> PixelSize {
        let factor =
            switch overlay.scale {
            case .factor(let factor): factor
            case .widthShare(let share): share * Double(size.width) / Double(image.width)
            }
        let (width, height) = (Double(image.width) * factor, Double(image.height) * factor)
        guard factor <= 1 || width * height <= 4 * Double(max(size.pixels, 1 << 20)) else {
            throw MediaError(
                .parameter, step: .overlay, subject: overlay.path,
                reason: "scaled by \(factor.shortDescription), it is more than four times as large as the image",
                advice: "reduce the scale")
        }
        return PixelSize(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
    }

    /// First row or column of an overlay of `own` pixels on `all`: `offset` from an edge, or from the centre.
    private func origin(_ all: Int, _ own: Int, _ share: Double, _ offset: Double) -> Int {
        let offset = Int(offset.rounded())
        return switch share {
        case 0: offset
        case 1: all - own - offset
        default: Int((Double(all - own) / 2).rounded(.down)) + offset
        }
    }
}

extension Image {
    /// Repeats a small image horizontally, so that tiling runs over rows of useful length.
    fileprivate func repeatedToRun() throws(MediaError) -> Image {
        let copies = min(256 / width, (1 << 18) / size.pixels)
        guard copies > 1 else { return self }
        var run = try Image(size: PixelSize(width: width * copies, height: height), hasAlpha: hasAlpha)
        withPlanes { source in
            run.withMutablePlanes { target in
                for plane in 0..<source.count {
                    for y in 0..<source.height {
                        for copy in 0..<copies {
                            (target.row(y, plane: plane) + copy * source.width)
                                .update(from: source.row(y, plane: plane), count: source.width)
                        }
                    }
                }
            }
        }
        return run
    }

    /// Returns the image rotated clockwise by `degrees` about its centre, on a transparent canvas that contains all of
    /// it.
    ///
    /// Pixels are interpolated between four neighbours, with transparency beyond the edges, which smooths them. Throws
    /// a `limit` error if memory is exhausted.
    func turned(by degrees: Double, task: TaskContext) throws(MediaError) -> Image {
        let angle = degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
        guard angle != 0 else { return self }
        let (sine, cosine) = (sin(angle), cos(angle))
        // Subtracts a small tolerance before rounding up, so that a quarter turn is exact.
        let across = (Double(width) * abs(cosine) + Double(height) * abs(sine) - 1e-6).rounded(.up)
        let down = (Double(width) * abs(sine) + Double(height) * abs(cosine) - 1e-6).rounded(.up)
        var turned = try Image(size: PixelSize(width: Int(across), height: Int(down)), hasAlpha: true)
        try withPlanes { source throws(MediaError) in
            try turned.withMutablePlanes { target throws(MediaError) in
                for y in 0..<target.height {
                    if y & 31 == 0 { try task.check() }
                    for x in 0..<target.width {
                        let (dx, dy) = (Double(x) + 0.5 - across / 2, Double(y) + 0.5 - down / 2)
                        let column = dx * cosine + dy * sine + Double(width) / 2 - 0.5
                        let row = dy * cosine - dx * sine + Double(height) / 2 - 0.5
                        source.interpolate(column, row, to: target, x, y)
                    }
                }
            }
        }
        return turned
    }
}

extension ImagePlanes {
    /// Sets the pixel (`x`, `y`) of `target` to the interpolated value at (`column`, `row`) of the source, in
    /// coordinates between pixel centres.
    fileprivate func interpolate(_ column: Double, _ row: Double, to target: ImagePlanes, _ x: Int, _ y: Int) {
        guard column > -1, row > -1, column < Double(width), row < Double(height) else { return }
        let (left, top) = (Int(column.rounded(.down)), Int(row.rounded(.down)))
        let (right, below) = (Float(column - Double(left)), Float(row - Double(top)))
        for (dy, rowShare) in [(0, 1 - below), (1, below)] where (0..<height).contains(top + dy) {
            for (dx, columnShare) in [(0, 1 - right), (1, right)] where (0..<width).contains(left + dx) {
                let share = rowShare * columnShare
                for plane in 0..<3 {
                    target.row(y, plane: plane)[x] += share * self.row(top + dy, plane: plane)[left + dx]
                }
                target.row(y, plane: 3)[x] += share * (count == 4 ? self.row(top + dy, plane: 3)[left + dx] : 1)
            }
        }
    }
}
