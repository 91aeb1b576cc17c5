internal import WayreelCore

/// A picture overlay, loaded and checked.
struct ImageLayerSource: LayerSource {
    private let overlay: ImageOverlay
    private let picture: Picture

    init(_ overlay: ImageOverlay, picture: Picture) throws(MediaError) {
        do throws(MediaError) {
            try OverlayChecks.opacity(overlay.opacity)
            try OverlayChecks.length(overlay.x, "the horizontal offset", signed: true)
            try OverlayChecks.length(overlay.y, "the vertical offset", signed: true)
            switch overlay.scale {
            case .factor(let factor):
                guard factor > 0, factor.isFinite else {
                    throw OverlayChecks.fault("scale", "above 0", factor.shortDescription)
                }
            case .widthShare(let share):
                guard share > 0, share <= 1 else {
                    throw OverlayChecks.fault("width", "above 0 and at most the picture's", share.shortDescription)
                }
            }
        } catch {
            throw error.naming(overlay.path)
        }
        self.overlay = overlay
        self.picture = picture
    }

    func layer(for size: PixelSize, watch: TaskWatch) throws(MediaError) -> OverlayLayer {
        let scaled = try scaledSize(on: size)
        var pixels = scaled == picture.size ? picture : try PictureScaler.scale(picture, to: scaled, watch: watch)
        var layer = OverlayLayer(
            pixels: .none,
            x: place(size.width, scaled.width, overlay.gravity.x, overlay.x.bounded(on: size)),
            y: place(size.height, scaled.height, overlay.gravity.y, overlay.y.bounded(on: size)),
            isTiled: overlay.tile)
        if overlay.tile {
            pixels = try pixels.repeatedToRun()
        } else if layer.x >= size.width || layer.y >= size.height || layer.x + scaled.width <= 0
            || layer.y + scaled.height <= 0
        {
            layer.warnings.append("'\(overlay.path)' lies outside the picture of \(size) and cannot be seen")
            return layer
        } else if scaled.width > size.width || scaled.height > size.height {
            layer.warnings.append(
                "'\(overlay.path)' is \(scaled), larger than the picture of \(size), and is clipped")
        }
        layer.pixels = .picture(pixels)
        return layer
    }

    /// The overlay's size on a picture of `size`, at least one pixel a side.
    private func scaledSize(on size: PixelSize) throws(MediaError) -> PixelSize {
        let factor =
            switch overlay.scale {
            case .factor(let factor): factor
            case .widthShare(let share): share * Double(size.width) / Double(picture.width)
            }
        let (width, height) = (Double(picture.width) * factor, Double(picture.height) * factor)
        guard factor <= 1 || width * height <= 4 * Double(max(size.pixels, 1 << 20)) else {
            throw MediaError(
                .parameter, step: "overlay", subject: overlay.path,
                reason: "scaled by \(factor.shortDescription) it is more than four times as large as the picture",
                advice: "scale it less")
        }
        return PixelSize(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
    }

    /// The first row or column of an overlay of `own` pixels on `all`: `offset` inwards from an edge, or on from the centre.
    private func place(_ all: Int, _ own: Int, _ share: Double, _ offset: Double) -> Int {
        let offset = Int(offset.rounded())
        return switch share {
        case 0: offset
        case 1: all - own - offset
        default: Int((Double(all - own) / 2).rounded(.down)) + offset
        }
    }
}

extension Picture {
    /// Several copies side by side where the picture is narrow and small, so that tiling runs over rows of a useful length.
    fileprivate func repeatedToRun() throws(MediaError) -> Picture {
        let copies = min(256 / width, (1 << 18) / size.pixels)
        guard copies > 1 else { return self }
        var run = try Picture(size: PixelSize(width: width * copies, height: height), hasAlpha: hasAlpha)
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
