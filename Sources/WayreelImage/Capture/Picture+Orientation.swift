package import WayreelCore
internal import WayreelKernels

extension Picture {
    /// The picture, which is stored as `orientation` says, turned upright. All planes are turned alike.
    ///
    /// Throws a `limit` error where the machine has no memory for the new one.
    package func turned(upright orientation: Orientation) throws(MediaError) -> Picture {
        guard orientation != .upright else { return self }
        var turned = try Picture(unset: orientation.upright(size), hasAlpha: hasAlpha)
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
    /// Where in the stored picture the upright one's first pixel lies, and how far it is from there, in values, to its next
    /// pixel and to its next row (EXIF 2.32, section 4.6.4: what row 0 and column 0 are).
    fileprivate func walk(over stored: PicturePlanes) -> (x: Int, y: Int, stepX: Int, stepY: Int) {
        let fromRight = [.mirrored, .halfTurn, .transversed, .quarterTurnCounterclockwise].contains(self)
        let fromBottom = [.halfTurn, .flipped, .quarterTurnClockwise, .transversed].contains(self)
        let (column, row) = (fromRight ? -1 : 1, fromBottom ? -stored.stride : stored.stride)
        return (
            fromRight ? stored.width - 1 : 0, fromBottom ? stored.height - 1 : 0, swapsSides ? row : column,
            swapsSides ? column : row
        )
    }
}
