public import WayreelBundle
public import WayreelCore
internal import WayreelStory

extension MapScene {
    /// A map of some chapters of a prepared story, or of all of them for nil.
    ///
    /// Throws a `parameter` error for a chapter that it does not have, and the errors of the bundle.
    public init(bundle: StoryBundle, chapters ids: [String]? = nil) throws(MediaError) {
        var chapters: [Chapter] = []
        for summary in try bundle.chapters() { chapters.append(try bundle.chapter(summary.id)) }
        try self.init(title: try bundle.story().name, chapters: chapters, ids: ids)
    }
}
