internal import WayreelAV
internal import WayreelCore
internal import WayreelTasks

/// What works on the media: this version of Wayreel and the libraries that it loads.
enum ToolVersions {
    /// Raised where outputs change without a new version.
    private static let generation = 1

    static func digest() throws(MediaError) -> String {
        try SHA256.digest(
            of: ([WayreelVersion.text, "\(generation)"] + LibraryVersions.files()).joined(separator: "\n"))
    }
}
