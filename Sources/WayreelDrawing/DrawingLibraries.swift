internal import CPangoLibrary

/// The libraries that text and vector graphics are drawn by.
package enum DrawingLibraries {
    /// Loads them, if they are installed.
    package static func loadAll() { _ = pango_library_load() }
}
