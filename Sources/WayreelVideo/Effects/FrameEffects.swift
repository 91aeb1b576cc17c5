package import WayreelAV
package import WayreelCore
package import WayreelImage
internal import WayreelKernels

/// Applies ``Effects`` to the frames of one rendition. Must be used by one thread at a time.
///
/// Frames are converted to R′G′B′ floats and back. BT.709 values are treated as the sRGB that filters expect, as many
/// players do. Without filters only the areas under overlays are touched.
package final class FrameEffects: @unchecked Sendable {
    private let effects: Effects
    private var stage: Stage?

    package init(_ effects: Effects) { self.effects = effects }

    /// Throws the errors of ``Effects``.
    package convenience init(
        filters: [Filter], overlays: [Overlay], limits: Limits = .standard
    ) throws(MediaError) {
        self.init(try Effects(filters: filters, overlays: overlays, limits: limits))
    }

    /// Whether the effects change no frame.
    package var isIdentity: Bool { effects.isIdentity }

    /// The state for one frame size.
    private struct Stage {
        var layers: OverlayLayers?
        var areas: [FrameArea]
        /// Reused for all frames, so that its memory is allocated only once.
        var image: Image
        let rows: FrameRows
    }

    /// Changes a yuv420p frame in place: BT.709 in limited range with chroma sited left. Pixels that it shares with
    /// another frame are copied first.
    ///
    /// Warnings of overlays are reported once.
    package func apply(to frame: Frame, task: TaskContext) throws(MediaError) {
        guard !isIdentity else { return }
        guard frame.pixelFormatName == "yuv420p", frame.size.width > 0, frame.size.height > 0 else {
            throw MediaError(
                .unsupported, step: .filter,
                reason: "filters and overlays work on yuv420p, not on \(frame.pixelFormatName)")
        }
        if stage?.image.size != frame.size { stage = try makeStage(frame.size, task: task) }
        guard var stage, !stage.areas.isEmpty else { return }
        // The image must be uniquely referenced while it is written to.
        self.stage = nil
        defer { self.stage = stage }
        try frame.makeWritable()
        try frame.withPlanes { (planes) throws(MediaError) in
            stage.image.withMutablePlanes { image in
                for area in stage.areas { stage.rows.read(area, of: planes, into: image) }
            }
            try effects.filters?.apply(to: &stage.image, task: task)
            try stage.layers?.draw(on: &stage.image, task: task)
            stage.image.withPlanes { image in
                for area in stage.areas { stage.rows.write(area, of: image, into: planes) }
            }
        }
    }

    private func makeStage(_ size: PixelSize, task: TaskContext) throws(MediaError) -> Stage {
        let layers = try effects.overlays?.layers(for: size, task: task)
        for warning in layers?.warnings ?? [] { task.warn(.overlay, warning) }
        let touched = effects.filters == nil ? layers?.areas ?? [] : [(0..<size.width, 0..<size.height)]
        return Stage(
            layers: layers, areas: FrameArea.disjoint(touched.map { FrameArea(columns: $0, rows: $1, in: size) }),
            image: try Image(unset: size, hasAlpha: false), rows: FrameRows(width: size.width))
    }
}

/// The checked filters and overlays of videos and posters, with their files loaded.
package struct Effects: Sendable {
    /// The filters; nil for none.
    let filters: FilterChain?
    /// The overlays; nil for none.
    let overlays: OverlayRenderer?

    /// Throws a `parameter` error for an invalid filter or overlay, `io`, `limit` and `decoding` errors for files that
    /// cannot be used.
    package init(filters: [Filter], overlays: [Overlay], limits: Limits = .standard) throws(MediaError) {
        self.filters = filters.isEmpty ? nil : try FilterChain(filters, task: TaskContext(seconds: limits.seconds))
        self.overlays =
            overlays.isEmpty
            ? nil
            : try OverlayRenderer(overlays) { (path) throws(MediaError) in
                try Image.load(path: path, limits: limits)
            }
    }

    /// Whether the effects change nothing.
    package var isIdentity: Bool { filters == nil && overlays == nil }

    /// Applies the effects to one image. `frame` positions the filtered image on the canvas that the overlays are
    /// drawn on.
    func apply(
        to image: inout Image, task: TaskContext,
        frame: (Image) throws(MediaError) -> Image = { (image) throws(MediaError) in image }
    ) throws(MediaError) {
        try filters?.apply(to: &image, task: task)
        image = try frame(image)
        try overlays?.draw(on: &image, task: task)
    }
}

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
