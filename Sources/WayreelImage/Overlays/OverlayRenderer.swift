package import WayreelCore

/// Draws a list of overlays on images, from any number of threads.
///
/// Checks that need no image run on creation. Layers depend only on the image size and are cached for the last few
/// sizes: a batch of images for one screen lays out text and scales overlays once.
package final class OverlayRenderer: Sendable {
    private let overlays: [Overlay]
    private let sources: [any LayerSource]
    private let cache = LayerCache<OverlayLayer>()

    /// Loads each overlay image once with `load`, which receives its path.
    ///
    /// Throws a `parameter` error for invalid overlays, and the errors of `load` with the path.
    package init(
        _ overlays: [Overlay], load: (String) throws(MediaError) -> Image
    ) throws(MediaError) {
        var loaded: [String: Image] = [:]
        var sources: [any LayerSource] = []
        for overlay in overlays {
            switch overlay {
            case .text(let text):
                sources.append(try TextLayerSource(text))
            case .image(let overlay):
                if loaded[overlay.path] == nil {
                    do throws(MediaError) {
                        loaded[overlay.path] = try load(overlay.path)
                    } catch {
                        throw error.naming(overlay.path)
                    }
                }
                sources.append(try ImageLayerSource(overlay, image: loaded[overlay.path]!))
            }
        }
        self.overlays = overlays
        self.sources = sources
    }

    /// Draws the overlays over `image` and adds their warnings to `task`.
    package func draw(on image: inout Image, task: TaskContext) throws(MediaError) {
        for index in sources.indices {
            let layer = try layer(index, for: image.size, task: task)
            for warning in layer.warnings { task.warn(.overlay, warning) }
            try layer.composite(
                over: &image, blend: overlays[index].blend, opacity: overlays[index].opacity, task: task)
        }
    }

    /// Returns the layers for images of `size`.
    package func layers(for size: PixelSize, task: TaskContext) throws(MediaError) -> OverlayLayers {
        var layers: [OverlayLayers.Layer] = []
        for index in sources.indices {
            layers.append(
                OverlayLayers.Layer(
                    layer: try layer(index, for: size, task: task), blend: overlays[index].blend,
                    opacity: overlays[index].opacity))
        }
        return OverlayLayers(size: size, layers: layers)
    }

    /// Returns the layer of one overlay. Threads that need the same layer wait for the first one to create it, so that
    /// only one loads fonts, which Pango caches per thread.
    private func layer(_ index: Int, for size: PixelSize, task: TaskContext) throws(MediaError) -> OverlayLayer {
        try cache.layer(.init(overlay: index, size: size), task: task) { () throws(MediaError) in
            try sources[index].layer(for: size, task: task)
        }
    }
}

/// A checked overlay with its resources.
protocol LayerSource: Sendable {
    /// Creates the layer for images of `size`.
    func layer(for size: PixelSize, task: TaskContext) throws(MediaError) -> OverlayLayer
}

extension Overlay {
    fileprivate var blend: BlendMode {
        switch self {
        case .image(let image): image.blend
        case .text(let text): text.blend
        }
    }

    fileprivate var opacity: Double {
        switch self {
        case .image(let image): image.opacity
        case .text(let text): text.opacity
        }
    }
}

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
