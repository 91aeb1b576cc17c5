internal import Glibc
internal import WayreelCore

extension Image {
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
