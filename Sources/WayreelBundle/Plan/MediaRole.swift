/// The purpose of a file of a bundle.
public enum MediaRole: String, Hashable, Sendable, Codable, CaseIterable {
    /// An image at the width of a screen.
    case image
    /// The sample of a camera event, with the treatment that a player's capture gets.
    case preview
    case audio
    /// Levels for a visualizer, as `wayreel levels` writes them.
    case levels
    /// A plot of the levels.
    case plot
    /// An MP4 file, or the master playlist of HLS.
    case video
    /// The still image that represents a video.
    case poster
    /// Captions of a video as WebVTT.
    case captions
    /// An unchanged file that a treatment needs: an image, a recipe or a `.cube` table.
    case treatment
}

extension MediaRole {
    /// Whether each screen has its own file.
    var isForScreen: Bool { [.image, .preview, .poster, .video].contains(self) }
}
