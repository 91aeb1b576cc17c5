internal import WayreelCore

/// A rectangle of a 4:2:0 frame whose edges are between chroma samples, or at the frame's edge.
struct FrameArea: Hashable {
    private(set) var columns: Range<Int>
    private(set) var rows: Range<Int>

    /// The smallest area that contains a rectangle of a frame of `size`, both not empty.
    init(columns: Range<Int>, rows: Range<Int>, in size: PixelSize) {
        self.columns = Self.even(columns, in: size.width)
        self.rows = Self.even(rows, in: size.height)
    }

    private static func even(_ range: Range<Int>, in length: Int) -> Range<Int> {
        range.lowerBound / 2 * 2..<min((range.upperBound + 1) / 2 * 2, length)
    }

    private func overlaps(_ other: FrameArea) -> Bool {
        columns.overlaps(other.columns) && rows.overlaps(other.rows)
    }

    private func union(_ other: FrameArea) -> FrameArea {
        var both = self
        both.columns =
            min(columns.lowerBound, other.columns.lowerBound)..<max(columns.upperBound, other.columns.upperBound)
        both.rows = min(rows.lowerBound, other.rows.lowerBound)..<max(rows.upperBound, other.rows.upperBound)
        return both
    }

    /// Returns areas that contain all of these and do not overlap.
    static func disjoint(_ areas: [FrameArea]) -> [FrameArea] {
        var apart: [FrameArea] = []
        for area in areas {
            var grown = area
            while let index = apart.firstIndex(where: grown.overlaps) { grown = grown.union(apart.remove(at: index)) }
            apart.append(grown)
        }
        return apart
    }
}
