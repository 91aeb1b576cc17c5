internal import WayreelCore

extension Image {
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
}
