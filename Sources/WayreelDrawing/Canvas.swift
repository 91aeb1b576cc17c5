internal import CPango
package import WayreelCore

/// A pixel canvas, with operations that vector files lack.
package final class Canvas: PathCanvas {
    package override init(on surface: DrawingSurface) { super.init(on: surface) }

    /// Makes the inside of the path transparent.
    package func erase(keepingPath: Bool = false) {
        cairo_save(context)
        cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
        cairo_fill_preserve(context)
        cairo_restore(context)
        if !keepingPath { cairo_new_path(context) }
    }

    /// Draws `body` on a separate layer and composites it.
    package func withGroup<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        cairo_push_group(context)
        defer {
            cairo_pop_group_to_source(context)
            cairo_paint(context)
        }
        try body()
    }

    /// Paints `color` through `mask`, whose top left corner is at (`x`, `y`).
    package func paint(_ color: RGBColor, through mask: PixelSurface, x: Double, y: Double) {
        setSource(color)
        cairo_mask_surface(context, mask.handle, x, y)
    }
}
