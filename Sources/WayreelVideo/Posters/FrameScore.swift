internal import Glibc
internal import WayreelAV
internal import WayreelCore

/// Scores how well a frame represents its video, from a small copy.
struct FrameScore {
    /// The mean and standard deviation of the luma, in code values of limited range.
    let mean: Double
    let deviation: Double
    /// The mean magnitude of the luma's Laplacian, in code values: low for a blurred frame.
    let detail: Double
    /// The shares of pixels by luma (64 bins), Cb and Cr (32 bins each).
    let histogram: [Double]

    /// The length of the small copy's longer side in pixels.
    static let side = 320
    /// FFmpeg filters that make the small copy.
    static let chain =
        "scale=\(side):\(side):force_original_aspect_ratio=decrease:flags=area:out_range=limited,format=yuv444p"

    private static let lumaBins = 64
    private static let chromaBins = 32

    /// Scores a frame that has passed ``chain``.
    init(_ frame: Frame) throws(MediaError) {
        let (width, height) = (frame.size.width, frame.size.height)
        var bins = [Int](repeating: 0, count: Self.lumaBins + 2 * Self.chromaBins)
        var (sum, squares, laplacian) = (0, 0, 0)
        try frame.withPlanes { planes in
            for y in 0..<height {
                let luma = planes[0].row(y)
                let (blue, red) = (planes[1].row(y), planes[2].row(y))
                for x in 0..<width {
                    let value = Int(luma[x])
                    sum += value
                    squares += value * value
                    bins[value >> 2] += 1
                    bins[Self.lumaBins + Int(blue[x]) >> 3] += 1
                    bins[Self.lumaBins + Self.chromaBins + Int(red[x]) >> 3] += 1
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
        histogram = bins.map { Double($0) / count }
    }

    /// Whether the frame has usable content: it is neither black nor white nor of a single tone.
    var isUsable: Bool { (30...225).contains(mean) && deviation >= 8 && peak < 0.8 }

    /// The largest share of pixels within sixteen neighbouring luma values.
    private var peak: Double {
        (0...Self.lumaBins - 4).map { histogram[$0..<$0 + 4].reduce(0, +) }.max() ?? 1
    }

    /// Returns the index of the most representative frame, the first one if several are equal.
    ///
    /// It is the frame nearest to the mean histogram, as in FFmpeg's filter `thumbnail`, with penalties for less
    /// detail than the sharpest frames and less contrast than the others: a blurred frame, or one within a fade. If
    /// none is usable, it is the frame with the highest contrast.
    static func best(of scores: [FrameScore]) -> Int? {
        let usable = scores.indices.filter { scores[$0].isUsable }
        guard !usable.isEmpty else { return scores.indices.max { scores[$0].deviation < scores[$1].deviation } }
        let shown = usable.map { scores[$0] }
        let mean = shown[0].histogram.indices.map { bin in
            shown.reduce(0) { $0 + $1.histogram[bin] } / Double(shown.count)
        }
        let distances = shown.map { score in
            zip(score.histogram, mean).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        }
        // Most of a video may be blurred, so the detail of the sharpest frames is the reference.
        let (distance, detail, contrast) = (
            quantile(distances, 0.5), quantile(shown.map(\.detail), 0.8), quantile(shown.map(\.deviation), 0.5)
        )
        let costs = zip(shown, distances).map { score, own in
            let far = distance > 0 ? own / distance : 0
            return far + shortfall(score.detail, detail) + shortfall(score.deviation, contrast)
        }
        let minimum = costs.min() ?? 0
        // A later frame is not preferred for an invisible difference.
        return zip(usable, costs).first { $0.1 <= minimum + 0.05 }?.0
    }

    /// Returns the penalty of a value below a reference: 0 at the reference, 1 at half of it, 2 at a quarter.
    private static func shortfall(_ value: Double, _ reference: Double) -> Double {
        guard value < reference else { return 0 }
        return value > reference / 256 ? log2(reference / value) : 8
    }

    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        values.sorted()[Int(Double(values.count) * share)]
    }
}
