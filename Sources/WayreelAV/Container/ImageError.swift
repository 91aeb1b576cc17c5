package import WayreelCore

extension MediaError {
    /// The error of an image, in a format of this name, where audio or video is expected.
    package static func image(_ format: String, step: String = "read") -> MediaError {
        MediaError(
            .unsupported, step: step, reason: "is an image (\(format)), not audio or video",
            advice: "prepare it as a capture")
    }
}
