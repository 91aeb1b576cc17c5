internal import Glibc
internal import WayreelAV
internal import WayreelCore

/// What a small copy of a picture tells about how well it would stand for its video.
struct FrameScore {
    /// Of the luma, in codes of limited range.
    let mean: Double
    let deviation: Double
    /// The mean size of the luma's Laplacian, in codes: low where the picture is blurred.
    let detail: Double
    /// Shares of the pixels by luma (64 classes), and by blue and red chroma (32 each).
    let histogram: [Double]

    /// FFmpeg filters that make the small copy.
    static let chain = "scale=320:320:force_original_aspect_ratio=decrease:flags=area:out_range=limited,format=yuv444p"

    private static let lumaClasses = 64
    private static let chromaClasses = 32

    /// Of a frame that has passed ``chain``.
    init(_ frame: Frame) throws(MediaError) {
        let (width, height) = (frame.size.width, frame.size.height)
        var classes = [Int](repeating: 0, count: Self.lumaClasses + 2 * Self.chromaClasses)
        var (sum, squares, laplacian) = (0, 0, 0)
        try frame.withPlanes { planes in
            for y in 0..<height {
                let luma = planes[0].row(y)
                let (blue, red) = (planes[1].row(y), planes[2].row(y))
                for x in 0..<width {
                    let value = Int(luma[x])
                    sum += value
                    squares += value * value
                    classes[value >> 2] += 1
                    classes[Self.lumaClasses + Int(blue[x]) >> 3] += 1
                    classes[Self.lumaClasses + Self.chromaClasses + Int(red[x]) >> 3] += 1
                }
                guard y > 0, y + 1 < height, width > 2 else { continue }
                let (above, below) = (planes[0].row(y - 1), planes[0].row(y + 1))
                for x in 1..<width - 1 {
                    let around = Int(luma[x - 1]) + Int(luma[x + 1]) + Int(above[x]) + Int(below[x])
                    laplacian += abs(4 * Int(luma[x]) - around)
                }
            }
        }
        let count = Double(max(1, width * height))
        let inner = Double(max(1, (width - 2) * (height - 2)))
        mean = Double(sum) / count
        deviation = max(0, Double(squares) / count - mean * mean).squareRoot()
        detail = Double(laplacian) / inner
        histogram = classes.map { Double($0) / count }
    }

    /// Whether there is something to see: neither black nor white nor of one tone.
    var isUsable: Bool { (30...225).contains(mean) && deviation >= 8 && peak < 0.8 }

    /// The share of the pixels in the sixteen codes of luma that hold most.
    private var peak: Double {
        (0...Self.lumaClasses - 4).map { histogram[$0..<$0 + 4].reduce(0, +) }.max() ?? 1
    }

    /// The place of the picture that stands best for all; of equals the first.
    ///
    /// Near to the mean histogram, as FFmpeg's filter `thumbnail` has it, but less so where detail is below that of the
    /// sharpest or contrast below that of the others: a picture that is blurred, or within a fade. Where none is usable, the
    /// one with the most contrast.
    static func best(of merits: [FrameScore]) -> Int? {
        let usable = merits.indices.filter { merits[$0].isUsable }
        guard !usable.isEmpty else { return merits.indices.max { merits[$0].deviation < merits[$1].deviation } }
        let shown = usable.map { merits[$0] }
        let mean = shown[0].histogram.indices.map { place in
            shown.reduce(0) { $0 + $1.histogram[place] } / Double(shown.count)
        }
        let distances = shown.map { merit in
            zip(merit.histogram, mean).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        }
        // Of a video that is blurred for the most part, what is sharp is not usual.
        let (distance, detail, contrast) = (
            quantile(distances, 0.5), quantile(shown.map(\.detail), 0.8), quantile(shown.map(\.deviation), 0.5)
        )
        let costs = zip(shown, distances).map { merit, own in
            let far = distance > 0 ? own / distance : 0
            return far + shortfall(merit.detail, detail) + shortfall(merit.deviation, contrast)
        }
        let least = costs.min() ?? 0
        // Differences that nobody sees shall not push the picture towards the end.
        return zip(usable, costs).first { $0.1 <= least + 0.05 }?.0
    }

    /// 0 where `value` is not below `usual`, 1 where it is half of it, 2 at a quarter.
    private static func shortfall(_ value: Double, _ usual: Double) -> Double {
        guard value < usual else { return 0 }
        return value > usual / 256 ? log2(usual / value) : 8
    }

    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        values.sorted()[Int(Double(values.count) * share)]
    }
}
