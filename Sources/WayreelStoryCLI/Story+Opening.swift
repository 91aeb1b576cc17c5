internal import Wayreel
internal import WayreelCLI

extension Story {
    /// The whole story of a document or of a bundle.
    static func opening(_ path: String) throws -> Story {
        guard StoryDocument.Format(path: path) == nil else { return try document(at: path) }
        return try StoryBundle.open(path).wholeStory()
    }
}
