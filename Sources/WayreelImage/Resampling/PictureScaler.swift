internal import Glibc
package import WayreelCore

/// Resampling with a three-lobed Lanczos kernel, widened to the source's pixels when it makes smaller.
package enum PictureScaler {
    /// A copy of `picture` that is `size` pixels large.
    package static func scale(
        _ picture: Picture, to size: PixelSize, watch: TaskWatch
    ) throws(MediaError) -> Picture {
        let columns = taps(from: picture.width, to: size.width)
        let rows = taps(from: picture.height, to: size.height)
        var wide = try Picture(
            size: PixelSize(width: size.width, height: picture.height), hasAlpha: picture.hasAlpha)
        try watch.check()
        picture.withPlanes { source in
            wide.withMutablePlanes { target in
                for plane in 0..<source.count {
                    for y in 0..<source.height {
                        let (from, to) = (source.row(y, plane: plane), target.row(y, plane: plane))
                        for (x, tap) in columns.enumerated() {
                            var sum: Float = 0
                            for (i, weight) in tap.weights.enumerated() { sum += weight * from[tap.first + i] }
                            to[x] = sum
                        }
                    }
                }
            }
        }
        var scaled = try Picture(size: size, hasAlpha: picture.hasAlpha)
        try watch.check()
        wide.withPlanes { source in
            scaled.withMutablePlanes { target in
                for plane in 0..<source.count {
                    for (y, tap) in rows.enumerated() {
                        let to = target.row(y, plane: plane)
                        for (i, weight) in tap.weights.enumerated() {
                            let from = source.row(tap.first + i, plane: plane)
                            for x in 0..<source.width { to[x] += weight * from[x] }
                        }
                    }
                }
            }
        }
        return scaled
    }

    private static func taps(from source: Int, to target: Int) -> [(first: Int, weights: [Float])] {
        let step = Double(source) / Double(target)
        let widening = max(step, 1)
        return (0..<target).map { i in
            let center = (Double(i) + 0.5) * step - 0.5
            let first = max(0, Int((center - 3 * widening).rounded(.up)))
            let last = min(source - 1, Int((center + 3 * widening).rounded(.down)))
            let weights = (first...last).map { lanczos((Double($0) - center) / widening) }
            let sum = weights.reduce(0, +)
            return (first, weights.map { Float($0 / sum) })
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        if x == 0 { return 1 }
        if abs(x) >= 3 { return 0 }
        return 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
    }
}
