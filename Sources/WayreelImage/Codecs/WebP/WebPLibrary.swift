internal import CWebP
internal import WayreelCore

/// libwebp with its demuxer and muxer, loaded on first use.
enum WebPLibrary {
    /// Throws an `io` error if it is not installed.
    static func load(step: String) throws(MediaError) {
        try SharedLibrary.check(
            webp_load(), "libwebp", packages: "libwebp7 libwebpdemux2 libwebpmux3", step: step)
    }
}
