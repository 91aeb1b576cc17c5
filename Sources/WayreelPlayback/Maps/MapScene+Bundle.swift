public import WayreelBundle
public import WayreelCore
internal import WayreelStory

extension MapScene {
    /// Creates a map of the given chapters of a prepared story, or of all of them for nil.
    ///
    /// Throws a `parameter` error for a chapter that the story does not have, and the errors of the bundle.
    public init(bundle: StoryBundle, chapters ids: [String]? = nil) throws(MediaError) {
        let story = try bundle.wholeStory()
        try self.init(title: story.name, chapters: story.chapters, ids: ids)
    }
}
