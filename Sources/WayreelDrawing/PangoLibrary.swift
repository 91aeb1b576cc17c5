internal import CPangoLibrary
internal import WayreelCore

/// Pango and cairo, loaded on first use: what draws nothing starts in half the time without their two dozen libraries.
enum PangoLibrary {
    /// Throws an `unsupported` error where they are not installed.
    static func load() throws(MediaError) {
        guard let failure = pango_library_load() else { return }
        throw MediaError(
            .unsupported, step: "draw", reason: "Pango cannot be loaded (\(String(cString: failure)))",
            advice: "install it: apt install libpangocairo-1.0-0")
    }
}
