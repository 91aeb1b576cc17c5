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
                .parameter, step: "overlay", subject: overlay.path,
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
}
