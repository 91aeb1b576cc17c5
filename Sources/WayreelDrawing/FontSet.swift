internal import CPango
package import WayreelCore

/// The installed fonts together with the font of a file, which comes before them. Belongs to the thread that created it.
package final class FontSet {
    let map: UnsafeMutablePointer<PangoFontMap>
    /// The family by which the file's font is asked for, whatever it calls itself.
    static let family = "Font of a file"

    /// Throws a `decoding` error if there is no font at `path`.
    package init(path: String) throws(MediaError) {
        try SharedLibrary.pango.require(step: .draw)
        let fault = ErrorSite(step: .draw, advice: "give a TrueType or OpenType font")
        guard !path.utf8.contains(0) else { throw fault("the path of a font contains a NUL byte") }
        guard let config = FcInitLoadConfigAndFonts() else { throw fault(.io, "no fonts can be listed") }
        // The font map keeps it.
        defer { FcConfigDestroy(config) }
        guard FcConfigAppFontAddFile(config, path) != 0, let fonts = FcConfigGetFonts(config, FcSetApplication),
            fonts.pointee.nfont > 0
        else { throw fault("the font cannot be drawn") }
        // An installed font may have the same name.
        for index in 0..<Int(fonts.pointee.nfont) {
            let pattern = fonts.pointee.fonts[index]
            FcPatternDel(pattern, FC_FAMILY)
            FcPatternAddString(pattern, FC_FAMILY, Self.family)
        }
        map = pango_cairo_font_map_new()
        pango_fc_font_map_set_config(OpaquePointer(map), config)
    }

    deinit { g_object_unref(map) }
}
