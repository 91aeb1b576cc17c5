internal import WayreelCore
internal import WayreelStory

/// The story in a document, checked with all that it names.
struct StorySource: Sendable {
    let story: Story
    let folder: StoryFolder

    /// Throws a `parameter` error where the document holds an error, and what reading it throws.
    init(document path: String) throws(MediaError) {
        let folderPath = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        story = try StoryDocument.read(path: path).checked(in: folderPath).validStory()
        folder = try StoryFolder(folderPath)
    }
}
