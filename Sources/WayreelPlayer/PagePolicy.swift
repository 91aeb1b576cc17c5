/// The page's permissions in a browser, limited to its own resources. A story's text, images and URLs cannot run code.
package enum PagePolicy {
    /// `Content-Security-Policy`. Images and media that the player creates on the device are `blob:` URLs.
    package static let content = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "media-src 'self' blob:",
        "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// `Permissions-Policy`: the sensors that a story may need, only for the page itself.
    package static let permissions = [
        "geolocation=(self)", "camera=(self)", "accelerometer=(self)", "gyroscope=(self)", "magnetometer=(self)",
        "microphone=()", "payment=()", "usb=()",
    ].joined(separator: ", ")

    /// `Content-Security-Policy` of a story's files: a file that is opened directly, such as an SVG with a script,
    /// cannot run code either.
    package static let media = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

    /// All headers of the player's files, by name.
    package static let headers = [
        ("Content-Security-Policy", content), ("Permissions-Policy", permissions), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
}
