/// What a browser lets the page do: only what is its own. A story's text, images and addresses can run nothing.
package enum PagePolicy {
    /// `Content-Security-Policy`. Images and media that the player made on the device are `blob:`.
    package static let content = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "media-src 'self' blob:",
        "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// `Permissions-Policy`: the sensors that a story may need, for the page itself.
    package static let permissions = [
        "geolocation=(self)", "camera=(self)", "accelerometer=(self)", "gyroscope=(self)", "magnetometer=(self)",
        "microphone=()", "payment=()", "usb=()",
    ].joined(separator: ", ")

    /// `Content-Security-Policy` of a story's files: one that is opened by itself, such as an SVG with a script, runs nothing either.
    package static let media = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

    /// All headers of the player's files, by their names.
    package static let headers = [
        ("Content-Security-Policy", content), ("Permissions-Policy", permissions), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
}
