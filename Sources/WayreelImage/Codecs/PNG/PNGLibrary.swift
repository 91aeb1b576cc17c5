internal import CPNG
internal import WayreelCore

/// libpng and zlib, loaded on first use.
enum PNGLibrary {
    /// Throws an `io` error if they are not installed.
    static func load(step: String) throws(MediaError) {
        try SharedLibrary.check(cpng_load(), "libpng", packages: "libpng16-16 zlib1g", step: step)
    }
}
