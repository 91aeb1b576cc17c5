internal import CPango
package import WayreelCore

/// Drawing operations common to pixels and vector files; pixel coordinates, y downwards.
///
/// Shapes are added to a path, which `fill` and `stroke` consume unless they keep it. Belongs to one thread.
package class PathCanvas {
    let context: OpaquePointer
    private let surface: DrawingSurface

    init(on surface: DrawingSurface) {
        self.surface = surface
        context = cairo_create(surface.handle)
        cairo_set_antialias(context, CAIRO_ANTIALIAS_GRAY)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    }

    deinit { cairo_destroy(context) }

    /// Ends the drawing. Throws if any operation failed.
    package func finish() throws(MediaError) {
        cairo_surface_flush(surface.handle)
        try checkDrawing(cairo_status(context), of: "the drawing")
    }

    /// Runs `body` and restores transformation and colour.
    package func withState<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        cairo_save(context)
        defer { cairo_restore(context) }
        try body()
    }

    // MARK: Transformation

    package func translate(x: Double, y: Double) { cairo_translate(context, x, y) }
    package func scale(x: Double, y: Double) { cairo_scale(context, x, y) }
    /// Rotates clockwise by an angle in radians.
    package func rotate(by angle: Double) { cairo_rotate(context, angle) }

    /// The visible area in current coordinates.
    var visible: Rectangle {
        var left = 0.0, top = 0.0, right = 0.0, bottom = 0.0
        cairo_clip_extents(context, &left, &top, &right, &bottom)
        return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    // MARK: Path

    package func move(toX x: Double, y: Double) { cairo_move_to(context, x, y) }
    package func line(toX x: Double, y: Double) { cairo_line_to(context, x, y) }
    package func closePath() { cairo_close_path(context) }

    /// Adds a cubic Bézier curve to (`x`, `y`).
    package func curve(
        control1X: Double, control1Y: Double, control2X: Double, control2Y: Double, toX x: Double, y: Double
    ) {
        cairo_curve_to(context, control1X, control1Y, control2X, control2Y, x, y)
    }

    /// Adds a clockwise arc (radians, 0 to the right) as a new subpath.
    package func arc(centerX: Double, centerY: Double, radius: Double, from start: Double, to end: Double) {
        cairo_new_sub_path(context)
        cairo_arc(context, centerX, centerY, radius, start, end)
    }

    package func circle(centerX: Double, centerY: Double, radius: Double) {
        arc(centerX: centerX, centerY: centerY, radius: radius, from: 0, to: 2 * .pi)
        closePath()
    }

    /// Adds a rectangle with corners of `radius`, at most half the shorter side.
    package func rectangle(_ area: Rectangle, radius: Double = 0) {
        let radius = min(radius, area.width / 2, area.height / 2)
        guard radius > 0 else {
            cairo_rectangle(context, area.x, area.y, area.width, area.height)
            return
        }
        cairo_new_sub_path(context)
        let corners = [
            (area.maxX - radius, area.y + radius), (area.maxX - radius, area.maxY - radius),
            (area.x + radius, area.maxY - radius), (area.x + radius, area.y + radius),
        ]
        for (quarter, (x, y)) in corners.enumerated() {
            let start = (Double(quarter) - 1) * .pi / 2
            cairo_arc(context, x, y, radius, start, start + .pi / 2)
        }
        cairo_close_path(context)
    }

    // MARK: Paint

    package func fill(_ color: RGBColor, keepingPath: Bool = false) {
        setSource(color)
        cairo_fill_preserve(context)
        if !keepingPath { cairo_new_path(context) }
    }

    /// Strokes the path with a line of `width`, centred on it, with round joins and caps.
    package func stroke(_ color: RGBColor, width: Double, keepingPath: Bool = false) {
        setSource(color)
        cairo_set_line_width(context, width)
        cairo_stroke_preserve(context)
        if !keepingPath { cairo_new_path(context) }
    }

    func setSource(_ color: RGBColor) {
        cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    }
}
