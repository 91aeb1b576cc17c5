internal import CPangoLibrary
internal import WayreelCore

/// Pango and cairo, loaded on first use: without their two dozen libraries, other commands start in half the time.
enum PangoLibrary {
    /// Throws an `io` error if they are not installed.
    static func load() throws(MediaError) {
        try SharedLibrary.check(pango_library_load(), "Pango", packages: "libpangocairo-1.0-0", step: "draw")
    }
}
