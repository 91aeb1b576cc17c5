package import WayreelAV
package import WayreelCore
package import WayreelImage

/// A ``Look`` for the frames of one rendition. Belongs to one thread at a time.
///
/// Frames become floats of R′G′B′ and are made frames again; values of BT.709 are taken as the sRGB that filters expect, as
/// players do that show one as the other. Without filters only the parts that overlays cover are touched.
package final class FrameLook: @unchecked Sendable {
    private let look: Look
    private var stage: Stage?

    package init(_ look: Look) { self.look = look }

    /// Throws what ``Look`` throws.
    package convenience init(
        filters: [Filter], overlays: [Overlay], limits: Limits = .standard
    ) throws(MediaError) {
        self.init(try Look(filters: filters, overlays: overlays, limits: limits))
    }

    /// Whether it changes nothing.
    package var isIdentity: Bool { look.isIdentity }

    /// What is made once for frames of one size.
    private struct Stage {
        var layers: OverlayLayers?
        var areas: [FrameArea]
        /// Kept from frame to frame, so that its memory need not be asked for again.
        var picture: Image
        let rows: FrameRows
    }

    /// Changes a frame of yuv420p, BT.709 in limited range with chroma sited left, in place; pixels that it shares with
    /// another frame are copied first.
    ///
    /// What overlays could not do as asked becomes warnings of the watch, once.
    package func apply(to frame: Frame, watch: TaskWatch) throws(MediaError) {
        guard !isIdentity else { return }
        guard frame.pixelFormatName == "yuv420p", frame.size.width > 0, frame.size.height > 0 else {
            throw MediaError(
                .unsupported, step: "filter",
                reason: "filters and overlays work on yuv420p, not on \(frame.pixelFormatName)")
        }
        if stage?.picture.size != frame.size { stage = try makeStage(frame.size, watch: watch) }
        guard var stage, !stage.areas.isEmpty else { return }
        // The picture must not be shared while it is written to.
        self.stage = nil
        defer { self.stage = stage }
        try frame.makeWritable()
        try frame.withPlanes { (planes) throws(MediaError) in
            stage.picture.withMutablePlanes { picture in
                for area in stage.areas { stage.rows.read(area, of: planes, into: picture) }
            }
            try look.filters?.apply(to: &stage.picture, watch: watch)
            try stage.layers?.draw(on: &stage.picture, watch: watch)
            stage.picture.withPlanes { picture in
                for area in stage.areas { stage.rows.write(area, of: picture, into: planes) }
            }
        }
    }

    private func makeStage(_ size: PixelSize, watch: TaskWatch) throws(MediaError) -> Stage {
        let layers = try look.overlays?.layers(for: size, watch: watch)
        for warning in layers?.warnings ?? [] { watch.warn("overlay", warning) }
        let touched = look.filters == nil ? layers?.areas ?? [] : [(0..<size.width, 0..<size.height)]
        return Stage(
            layers: layers, areas: FrameArea.disjoint(touched.map { FrameArea(columns: $0, rows: $1, in: size) }),
            picture: try Image(unset: size, hasAlpha: false), rows: FrameRows(width: size.width))
    }
}
