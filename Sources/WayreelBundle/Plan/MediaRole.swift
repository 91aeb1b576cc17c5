/// What a file of a bundle is for.
public enum MediaRole: String, Hashable, Sendable, Codable, CaseIterable {
    /// An image at the width of a screen.
    case image
    /// The sample of a camera event, treated as a capture of a player would be.
    case preview
    case audio
    /// Levels for a visualizer, as `wayreel levels` writes them.
    case levels
    /// A plot of the levels.
    case plot
    /// An MP4 file, or the master playlist of HLS.
    case video
    /// The still image that stands for a video.
    case poster
    /// A file that a treatment needs, unchanged: an image, a recipe, a `.cube` table.
    case treatment
}

extension MediaRole {
    /// Whether each screen has its own.
    var isForScreen: Bool { [.image, .preview, .poster, .video].contains(self) }
}
