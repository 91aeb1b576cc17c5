internal import WayreelAV
internal import WayreelCore
internal import WayreelTasks

/// The versions of the software that processes media: Wayreel and the libraries that it loads.
enum ToolVersions {
    static func digest() throws(MediaError) -> String {
        let own = [WayreelVersion.text, "\(WayreelVersion.generation)"]
        return try SHA256.digest(of: (own + LibraryVersions.files()).joined(separator: "\n"))
    }
}
