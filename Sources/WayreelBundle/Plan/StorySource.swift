internal import WayreelCore
internal import WayreelStory

/// The story in a document, checked with all that it names.
struct StorySource: Sendable {
    let story: Story
    let folder: StoryFolder

    /// Throws a `decoding` error where the document holds an error, and what reading it throws.
    init(document path: String) throws(MediaError) {
        let folderPath = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let document = try StoryDocument.read(path: path).checked(in: folderPath)
        guard let story = document.story else {
            let errors = document.issues.filter { $0.severity == .error }
            throw MediaError(
                .decoding, step: "story", subject: path,
                reason: errors.first.map { "\($0.message) (line \($0.line))" } ?? "is no story",
                advice: errors.count > 1 ? "see all \(errors.count) errors with \(.storyIssues)" : nil)
        }
        self.story = story
        folder = try StoryFolder(folderPath)
    }
}
