/// The media types of the files of bundles and jobs.
enum MediaType {
    /// By the ending.
    private static let types = [
        "jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "avif": "image/avif", "svg": "image/svg+xml",
        "mp4": "video/mp4", "m4a": "audio/mp4", "m4s": "video/iso.segment", "ts": "video/mp2t",
        "m3u8": "application/vnd.apple.mpegurl", "vtt": "text/vtt; charset=utf-8", "json": "application/json",
        "dat": "application/octet-stream",
    ]

    /// The type of a file, by its name.
    static func of(_ name: String) -> String {
        types[name.split(separator: ".").last.map(String.init) ?? ""] ?? "application/octet-stream"
    }
}
