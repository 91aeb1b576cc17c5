package import WayreelCore
package import WayreelImage

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
