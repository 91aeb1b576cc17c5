internal import Wayreel
internal import WayreelCLI

/// A story to walk through: of a document, or of a bundle.
enum WalkedStory {
    /// Throws the first of a document's errors.
    static func read(_ path: String) throws(MediaError) -> Story {
        guard StoryDocument.Format(path: path) == nil else {
            let document = try StoryDocument.read(path: path)
            guard let story = document.story else {
                let errors = document.issues.filter { $0.severity == .error }
                let first = errors.first.map { ", the first in line \($0.line): \($0.message)" } ?? ""
                throw MediaError(
                    .decoding, step: "story", subject: path,
                    reason: "has \(errors.count) \(errors.count == 1 ? "error" : "errors")\(first)",
                    advice: "see \(.storyIssues)")
            }
            return story
        }
        let bundle = try StoryBundle.open(path)
        var story = try bundle.story()
        story.chapters = try bundle.chapters().map { (summary) throws(MediaError) in try bundle.chapter(summary.id) }
        return story
    }
}
