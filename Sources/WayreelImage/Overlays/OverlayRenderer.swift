package import WayreelCore

/// Draws a list of overlays on pictures, first to last, from any number of threads.
///
/// Everything that can be checked without a picture is checked when it is made. What an overlay looks like depends only on
/// the size of the picture below it, so the layers for the last few sizes are kept: a batch of pictures for one screen pays
/// for text layout and scaling once.
package final class OverlayRenderer: Sendable {
    private let overlays: [Overlay]
    private let sources: [any LayerSource]
    private let cache = LayerCache()

    /// Loads every overlay picture once, with `load`, which is handed its path.
    ///
    /// Throws a `parameter` error where an overlay asks for what cannot be, and what `load` throws, naming the path.
    package init(
        _ overlays: [Overlay], load: (String) throws(MediaError) -> Picture
    ) throws(MediaError) {
        var pictures: [String: Picture] = [:]
        var sources: [any LayerSource] = []
        for overlay in overlays {
            switch overlay {
            case .text(let text):
                sources.append(try TextLayerSource(text))
            case .image(let image):
                if pictures[image.path] == nil {
                    do throws(MediaError) {
                        pictures[image.path] = try load(image.path)
                    } catch {
                        throw error.naming(image.path)
                    }
                }
                sources.append(try ImageLayerSource(image, picture: pictures[image.path]!))
            }
        }
        self.overlays = overlays
        self.sources = sources
    }

    /// Draws the overlays over `picture`. What they could not do as asked becomes warnings of the watch.
    package func draw(on picture: inout Picture, watch: TaskWatch) throws(MediaError) {
        for index in sources.indices {
            let layer = try layer(index, for: picture.size, watch: watch)
            for warning in layer.warnings { watch.warn("overlay", warning) }
            try layer.composite(
                over: &picture, blend: overlays[index].blend, opacity: overlays[index].opacity, watch: watch)
        }
    }

    /// The overlays for pictures of `size`, for as long as the caller keeps them.
    package func layers(for size: PixelSize, watch: TaskWatch) throws(MediaError) -> OverlayLayers {
        var layers: [OverlayLayers.Layer] = []
        for index in sources.indices {
            layers.append(
                OverlayLayers.Layer(
                    layer: try layer(index, for: size, watch: watch), blend: overlays[index].blend,
                    opacity: overlays[index].opacity))
        }
        return OverlayLayers(size: size, layers: layers)
    }

    private func layer(_ index: Int, for size: PixelSize, watch: TaskWatch) throws(MediaError) -> OverlayLayer {
        try cache.layer(.init(overlay: index, size: size), watch: watch) { () throws(MediaError) in
            try sources[index].layer(for: size, watch: watch)
        }
    }
}

/// An overlay that is sound and has all that it needs.
protocol LayerSource: Sendable {
    /// What is laid over a picture of `size`.
    func layer(for size: PixelSize, watch: TaskWatch) throws(MediaError) -> OverlayLayer
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
