package import WayreelCore

/// Rendered overlays for images of one size, such as the frames of a video.
package struct OverlayLayers: Sendable {
    struct Layer: Sendable {
        var layer: OverlayLayer
        var blend: BlendMode
        var opacity: Double
    }

    package let size: PixelSize
    let layers: [Layer]

    /// Warnings of all layers.
    package var warnings: [String] { layers.flatMap(\.layer.warnings) }

    /// The area of each visible layer.
    package var areas: [(columns: Range<Int>, rows: Range<Int>)] {
        layers.compactMap {
            let area = $0.layer.area(on: size)
            return area.columns.isEmpty || area.rows.isEmpty ? nil : area
        }
    }

    /// Draws the layers over an image of ``size``; only the ``areas`` are accessed.
    package func draw(on image: inout Image, task: TaskContext) throws(MediaError) {
        for layer in layers {
            try layer.layer.composite(over: &image, blend: layer.blend, opacity: layer.opacity, task: task)
        }
    }
}
