package import WayreelCore
internal import WayreelKernels

extension Image {
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

extension Orientation {
    /// Returns the position of the upright image's first pixel in the stored image, and the distances in values to its
    /// next pixel and to its next row (EXIF 2.32, section 4.6.4).
    fileprivate func walk(over stored: ImagePlanes) -> (x: Int, y: Int, stepX: Int, stepY: Int) {
        let fromRight = [.mirrored, .halfTurn, .transversed, .quarterTurnCounterclockwise].contains(self)
        let fromBottom = [.halfTurn, .flipped, .quarterTurnClockwise, .transversed].contains(self)
        let (column, row) = (fromRight ? -1 : 1, fromBottom ? -stored.stride : stored.stride)
        return (
            fromRight ? stored.width - 1 : 0, fromBottom ? stored.height - 1 : 0, swapsSides ? row : column,
            swapsSides ? column : row
        )
    }
}
