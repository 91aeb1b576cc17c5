package import WayreelStory

/// A story in the list of stories, without its chapters.
package struct StoryListing: Encodable, Sendable {
    private var id: String
    private var name: String
    private var language: String
    private var description: String?
    private var cover: Asset?

    package init(_ story: Story) {
        id = story.id
        name = story.name
        language = story.language
        description = story.description
        cover = story.cover
    }
}
