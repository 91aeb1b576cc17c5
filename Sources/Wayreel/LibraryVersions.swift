internal import WayreelAV

/// Versions of the libraries in use, for benchmark reports.
public enum LibraryVersions {
    /// Versions by library name.
    public static var all: [String: String] { FFmpegVersions.all }
}
