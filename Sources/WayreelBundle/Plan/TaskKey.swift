internal import WayreelCore
internal import WayreelDocument
internal import WayreelTasks

/// The key of a task: the SHA-256 of everything that its outputs depend on.
enum TaskKey {
    /// Returns the key of a task. `work` has the SHA-256 of its input's content as its input, and names as its outputs.
    /// `files` is the SHA-256 of the content of each file that the task names, by path. `tools` is the digest of
    /// ``ToolVersions``.
    static func key(
        of work: BundleWork, _ kind: PlannedTask.Kind, files: [String: String], tools: String
    ) throws(MediaError) -> String {
        var text = "\(kind.rawValue)\n" + (try CanonicalJSON.text(work))
        // A file is identified by its content, wherever it is.
        for (path, hash) in files.sorted(by: { $0.key < $1.key }) {
            text = text.replacing(try CanonicalJSON.text(path), with: "\"\(hash)\"")
        }
        return ContentHasher.digest(of: tools + "\n" + text)
    }
}

/// The versions of the software that processes media: Wayreel and the libraries that it loads.
enum ToolVersions {
    static func digest() throws(MediaError) -> String {
        let own = [WayreelVersion.text, "\(WayreelVersion.generation)"]
        return try ContentHasher.digest(of: (own + LibraryVersions.files()).joined(separator: "\n"))
    }
}
