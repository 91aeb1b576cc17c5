package import WayreelAV
package import WayreelCore
package import WayreelImage

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
                .unsupported, step: "filter",
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
        for warning in layers?.warnings ?? [] { task.warn("overlay", warning) }
        let touched = effects.filters == nil ? layers?.areas ?? [] : [(0..<size.width, 0..<size.height)]
        return Stage(
            layers: layers, areas: FrameArea.disjoint(touched.map { FrameArea(columns: $0, rows: $1, in: size) }),
            image: try Image(unset: size, hasAlpha: false), rows: FrameRows(width: size.width))
    }
}
