internal import CJPEG
internal import WayreelCore

/// libjpeg-turbo, loaded on first use.
enum JPEGLibrary {
    /// Throws an `io` error if it is not installed.
    static func load(step: String) throws(MediaError) {
        try SharedLibrary.check(wr_jpeg_load(), "libjpeg", packages: "libjpeg62-turbo", step: step)
    }
}
