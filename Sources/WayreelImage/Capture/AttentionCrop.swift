internal import Glibc
package import WayreelCore

/// Finds the part of an image that draws the eye: edges, saturated colours and skin, weighed towards its middle.
///
/// It is looked for on a small copy. A window keeps what stands in its middle better than what stands at its edges, so the
/// weights of its pixels fall towards them; thus a lone object comes to lie in the middle of the crop.
package struct AttentionCrop {
    /// One value for each pixel of the small copy, row by row.
    private let saliency: [Float]
    private let size: PixelSize

    /// The longer side of the small copy.
    private static let side = 96

    /// `toSRGB` makes the colours of `picture` those of sRGB.
    package init(_ picture: Picture, toSRGB: [ColorOp] = [], watch: TaskWatch) throws(MediaError) {
        let shrinking = min(1, Double(Self.side) / Double(picture.size.longerSide))
        size = PixelSize(
            width: max(1, Int((Double(picture.width) * shrinking).rounded())),
            height: max(1, Int((Double(picture.height) * shrinking).rounded())))
        var small = try PictureScaler.scale(picture, to: size, watch: watch)
        try ColorPipeline(toSRGB).apply(to: &small, watch: watch)
        saliency = Self.saliency(small)
    }

    /// The top left corner of the part of `image`, of the size of `canvas`, that keeps the most.
    package func origin(of canvas: PixelSize, in image: PixelSize) -> (x: Int, y: Int) {
        func sums(_ count: Int, _ other: Int, _ value: (Int, Int) -> Float) -> [Double] {
            (0..<count).map { at in (0..<other).reduce(0) { $0 + Double(value(at, $1)) } }
        }
        let columns = sums(size.width, size.height) { saliency[$1 * size.width + $0] }
        let rows = sums(size.height, size.width) { saliency[$0 * size.width + $1] }
        return (
            Self.best(columns, kept: canvas.width, of: image.width),
            Self.best(rows, kept: canvas.height, of: image.height)
        )
    }

    /// Where a window of `kept` of `all` pixels begins that gathers the most of `profile`, which stretches over all.
    private static func best(_ profile: [Double], kept: Int, of all: Int) -> Int {
        guard kept < all else { return 0 }
        let unit = Double(profile.count) / Double(all)
        let length = Double(kept) * unit
        let free = Double(profile.count) - length
        // Quarters of a small pixel, so that the crop moves smoothly.
        let steps = max(1, Int((free * 4).rounded(.up)))
        func gathered(_ start: Double) -> Double {
            let middle = start + length / 2
            return profile.indices.reduce(0) { sum, at in
                let distance = (Double(at) + 0.5 - middle) / (length / 2)
                return distance.magnitude < 1 ? sum + profile[at] * (1 - distance * distance) : sum
            }
        }
        var best = (start: free / 2, gathered: gathered(free / 2) * 1.001)
        for step in 0...steps {
            let start = free * Double(step) / Double(steps)
            let gathered = gathered(start)
            if gathered > best.gathered { best = (start, gathered) }
        }
        return min(all - kept, max(0, Int((best.start / unit).rounded())))
    }

    /// How much each pixel draws the eye.
    private static func saliency(_ small: Picture) -> [Float] {
        let (width, height) = (small.width, small.height)
        return small.withPlanes { planes in
            func color(_ x: Int, _ y: Int) -> SIMD3<Float> {
                let (x, y) = (min(max(x, 0), width - 1), min(max(y, 0), height - 1))
                return SIMD3(
                    planes.row(y, plane: 0)[x], planes.row(y, plane: 1)[x], planes.row(y, plane: 2)[x])
            }
            return (0..<height).flatMap { y in
                (0..<width).map { x in
                    let here = color(x, y)
                    let around = color(x - 1, y) + color(x + 1, y) + color(x, y - 1) + color(x, y + 1)
                    let edge = abs((4 * here - around).luma)
                    let saturation = (here.max() - here.min()) * (1 - abs(here.max() + here.min() - 1))
                    return 2 * edge + 0.3 * saturation + (here.isSkin ? 0.5 : 0)
                }
            }
        }
    }
}

extension SIMD3<Float> {
    /// Of Rec. 709.
    fileprivate var luma: Float { 0.2126 * x + 0.7152 * y + 0.0722 * z }

    /// Whether it is a colour of skin under daylight: Kovač, Peer and Solina, "Human skin color clustering for face detection"
    /// (EUROCON 2003).
    fileprivate var isSkin: Bool {
        let c = self * 255
        return c.x > 95 && c.y > 40 && c.z > 20 && c.max() - c.min() > 15 && c.x - c.y > 15 && c.x > c.z
    }
}
