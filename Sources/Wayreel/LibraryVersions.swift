internal import WayreelAV

/// What this was built with, for who describes measurements.
public enum LibraryVersions {
    /// Versions by name of the libraries that do most of the work.
    public static var all: [String: String] { FFmpegVersions.all }
}
