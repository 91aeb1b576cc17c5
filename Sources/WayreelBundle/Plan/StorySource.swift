internal import WayreelCore
internal import WayreelStory

/// The story of a document, checked together with the files that it names.
struct StorySource: Sendable {
    let story: Story
    let folder: StoryFolder

    /// Throws a `parameter` error if the document contains an error, and the errors of reading it.
    init(document path: String) throws(MediaError) {
        // What a file is, its probe says, so that a bundle may be completed without the files that fail.
        story = try StoryDocument.read(path: path).checked(in: path.folder, on: .today, opensMedia: false).validStory()
        folder = try StoryFolder(path.folder)
    }
}
