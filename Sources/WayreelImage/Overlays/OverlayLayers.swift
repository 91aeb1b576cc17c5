package import WayreelCore

/// Overlays made ready for pictures of one size, such as the frames of a video.
package struct OverlayLayers: Sendable {
    struct Layer: Sendable {
        var layer: OverlayLayer
        var blend: BlendMode
        var opacity: Double
    }

    package let size: PixelSize
    let layers: [Layer]

    /// What the overlays could not do as asked.
    package var warnings: [String] { layers.flatMap(\.layer.warnings) }

    /// Where each of them changes the picture; those that cannot be seen are left out.
    package var areas: [(columns: Range<Int>, rows: Range<Int>)] {
        layers.compactMap {
            let area = $0.layer.area(on: size)
            return area.columns.isEmpty || area.rows.isEmpty ? nil : area
        }
    }

    /// Draws them over a picture of ``size``, of which only the ``areas`` are looked at.
    package func draw(on picture: inout Picture, watch: TaskWatch) throws(MediaError) {
        for layer in layers {
            try layer.layer.composite(over: &picture, blend: layer.blend, opacity: layer.opacity, watch: watch)
        }
    }
}
