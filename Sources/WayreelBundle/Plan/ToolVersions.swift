internal import WayreelAV
internal import WayreelCore
internal import WayreelTasks

/// The versions of the software that processes media: Wayreel and the libraries that it loads.
enum ToolVersions {
    /// A number that is increased if outputs change without a new version.
    private static let generation = 2

    static func digest() throws(MediaError) -> String {
        try SHA256.digest(
            of: ([WayreelVersion.text, "\(generation)"] + LibraryVersions.files()).joined(separator: "\n"))
    }
}
