internal import Wayreel
internal import WayreelCLI

extension Story {
    /// Opens the whole story of a document or a bundle.
    static func opening(_ path: String) throws -> Story {
        guard StoryDocument.Format(path: path) == nil else { return try document(at: path) }
        return try StoryBundle.open(path).wholeStory()
    }
}
