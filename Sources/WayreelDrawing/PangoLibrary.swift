internal import CPangoLibrary
internal import WayreelCore

/// Pango and cairo, loaded on first use: what draws nothing starts in half the time without their two dozen libraries.
enum PangoLibrary {
    /// Throws an `io` error where they are not installed.
    static func load() throws(MediaError) {
        try SharedLibrary.check(pango_library_load(), "Pango", packages: "libpangocairo-1.0-0", step: "draw")
    }
}
