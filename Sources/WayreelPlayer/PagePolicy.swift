/// The page's permissions in a browser, limited to its own resources. A story's text, images and URLs cannot run code.
package enum PagePolicy {
    /// `Content-Security-Policy`. Images and media that the player creates on the device are `blob:` URLs. Pages with an
    /// origin of `frameAncestors` may show the page in a frame.
    package static func content(frameAncestors: [String] = ["'none'"]) -> String {
        (fixed + ["frame-ancestors \(frameAncestors.joined(separator: " "))"]).joined(separator: "; ")
    }

    private static let fixed = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "media-src 'self' blob:",
        "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
    ]

    /// `Permissions-Policy`: the sensors that a story may need, only for the page itself.
    package static let permissions = [
        "geolocation=(self)", "camera=(self)", "accelerometer=(self)", "gyroscope=(self)", "magnetometer=(self)",
        "microphone=()", "payment=()", "usb=()",
    ].joined(separator: ", ")

    /// `Content-Security-Policy` of a story's files: a file that is opened directly, such as an SVG with a script,
    /// cannot run code either.
    package static let media = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

    /// All headers of the player's files, by name.
    package static func headers(frameAncestors: [String] = ["'none'"]) -> [(String, String)] {
        [("Content-Security-Policy", content(frameAncestors: frameAncestors))] + otherHeaders
    }

    private static let otherHeaders = [
        ("Permissions-Policy", permissions), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
}
