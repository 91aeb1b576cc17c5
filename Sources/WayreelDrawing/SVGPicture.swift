internal import CPango
internal import CPangoLibrary
internal import CRSVG
package import WayreelCore

/// SVG documents, drawn to pixels by librsvg.
package enum SVGPicture {
    /// Draws a document of `width` × `height` units so that it fills `size`; what it leaves out stays transparent.
    ///
    /// librsvg opens nothing else: the document has no address. It cannot be interrupted, so the call belongs into a worker.
    ///
    /// Throws a `decoding` error with librsvg's reason if the document is damaged, a `limit` error for an unsupported size,
    /// and an `io` error if the library is not installed.
    package static func draw(
        _ bytes: UnsafeRawBufferPointer, width: Double, height: Double, size: PixelSize
    ) throws(MediaError) -> PixelSurface {
        try SharedLibrary.librsvg.require(step: .draw)
        let surface = try PixelSurface(size: size)
        let context = cairo_create(surface.handle)
        defer { cairo_destroy(context) }
        // Whole pixels have another shape by a fraction of one, which librsvg would leave free.
        cairo_scale(context, Double(size.width) / width, Double(size.height) / height)
        var message = [CChar](repeating: 0, count: Int(CRSVG_MESSAGE))
        let isDrawn = crsvg_draw(
            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
            context.map { UnsafeMutableRawPointer($0) }, width, height, &message)
        guard isDrawn != 0 else {
            let reason = message.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            throw MediaError(
                .decoding, code: .damaged, step: .draw, reason: "the SVG drawing cannot be drawn: \(reason)",
                advice: "open it in a browser or in Inkscape, and save it again")
        }
        try checkDrawing(cairo_status(context), of: "a drawing of \(size)")
        return surface
    }
}

extension SharedLibrary {
    /// Loaded for SVG drawings alone: it brings GIO and GdkPixbuf.
    package static let librsvg = SharedLibrary("librsvg", packages: "librsvg2-2", load: rsvg_load)
}
