internal import Wayreel
internal import WayreelCLI

extension Story {
    /// The whole story of a document or of a bundle.
    static func opening(_ path: String) throws -> Story {
        guard StoryDocument.Format(path: path) == nil else { return try document(at: path) }
        let bundle = try StoryBundle.open(path)
        var story = try bundle.story()
        story.chapters = try bundle.chapters().map { try bundle.chapter($0.id) }
        return story
    }
}
