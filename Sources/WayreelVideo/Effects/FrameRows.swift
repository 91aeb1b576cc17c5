internal import WayreelAV
internal import WayreelCore
internal import WayreelKernels

/// Converts areas of yuv420p frames to R′G′B′ and back.
final class FrameRows {
    private let width: Int
    /// Chroma of two rows at full resolution: Cb of the upper and the lower row, then Cr of both.
    private let wideChroma: UnsafeMutablePointer<Float>
    /// A row of a frame with its margins.
    private let row: UnsafeMutablePointer<UInt8>

    /// Creates buffers for frames of `width`.
    init(width: Int) {
        self.width = width
        wideChroma = .allocate(capacity: 4 * width)
        row = .allocate(capacity: width + 1)
    }

    deinit {
        wideChroma.deallocate()
        row.deallocate()
    }

    private func wideRow(_ index: Int) -> UnsafeMutablePointer<Float> { wideChroma + index * width }

    /// Returns the columns of an area, and the adjacent ones that its chroma is interpolated from.
    private func withMargin(_ area: FrameArea, in width: Int) -> Range<Int> {
        max(area.columns.lowerBound - 2, 0)..<min(area.columns.upperBound + 2, width)
    }

    /// Reads the area, and a margin beside it.
    func read(_ area: FrameArea, of planes: [FramePlane], into image: ImagePlanes) {
        let columns = withMargin(area, in: image.width)
        let x = columns.lowerBound
        let lastChroma = (image.height + 1) / 2 - 1
        for y in area.rows {
            let near = y / 2
            let far = min(max(y % 2 == 0 ? near - 1 : near + 1, 0), lastChroma)
            let rows = { (plane: FramePlane) in [near, far].map { Optional(UnsafePointer(plane.row($0) + x / 2)) } }
            wr_rgb_from_yuv420(
                planes[0].row(y) + x, rows(planes[1]), rows(planes[2]), image.row(y, plane: 0) + x,
                image.row(y, plane: 1) + x, image.row(y, plane: 2) + x, columns.count)
        }
    }

    /// Writes the area, without a margin.
    func write(_ area: FrameArea, of image: ImagePlanes, into planes: [FramePlane]) {
        let columns = withMargin(area, in: image.width)
        let x = columns.lowerBound
        let margin = area.columns.lowerBound - x
        for upper in stride(from: area.rows.lowerBound, to: area.rows.upperBound, by: 2) {
            // The last row of an odd height has no second row.
            let lower = min(upper + 1, area.rows.upperBound - 1)
            for (index, y) in [upper, lower].enumerated() {
                wr_yuv_from_rgb(
                    image.row(y, plane: 0) + x, image.row(y, plane: 1) + x, image.row(y, plane: 2) + x, row,
                    wideRow(index), wideRow(2 + index), columns.count)
                (planes[0].row(y) + area.columns.lowerBound).update(from: row + margin, count: area.columns.count)
            }
            for plane in 1...2 {
                wr_chroma420(wideRow(2 * plane - 2), wideRow(2 * plane - 1), row, columns.count)
                (planes[plane].row(upper / 2) + area.columns.lowerBound / 2).update(
                    from: row + margin / 2, count: (area.columns.count + 1) / 2)
            }
        }
    }
}
