internal import CPangoLibrary

/// The libraries that draw text and vector graphics.
package enum DrawingLibraries {
    /// Loads the libraries, if they are installed.
    package static func loadAll() { _ = pango_library_load() }
}
