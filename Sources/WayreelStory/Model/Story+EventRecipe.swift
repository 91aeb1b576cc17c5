public import WayreelCore
public import WayreelImage

extension Story {
    /// Returns the recipe for captures at a camera event. Paths of files in it are joined to `folder`, the story's
    /// folder.
    ///
    ///     let recipe = try story.recipe(ofEvent: "bell-tower", in: "stories/late-post")
    ///     let task = CaptureTask(input: photo, output: "postcard.jpg", options: CaptureOptions(recipe))
    ///
    /// Throws a `parameter` error if there is no such event, it is not a camera event, or its treatment is invalid or
    /// refers to a file outside of the folder, and an `io` error if a file is missing.
    public func recipe(ofEvent id: String, in folder: String) throws(MediaError) -> Recipe {
        guard let event = chapters.lazy.flatMap(\.events).first(where: { $0.id == id }) else {
            throw fault(id, "there is no such event")
        }
        guard case .camera(let camera) = event.content else {
            throw fault(id, "is not a camera event but a \(event.content.kind) event")
        }
        return try camera.treatment.recipe(in: StoryFolder(folder))
    }

    private func fault(_ id: String, _ reason: String) -> MediaError {
        let ids = cameraEvents
        let near = nearestName(to: id, in: ids).map { "did you mean '\($0)'? " } ?? ""
        let more = ids.count > Self.maxShownEvents ? " and \(ids.count - Self.maxShownEvents) more" : ""
        let list = ids.prefix(Self.maxShownEvents).joined(separator: ", ") + more
        return MediaError(
            .parameter, step: "story", subject: id, reason: reason,
            advice: ids.isEmpty ? "the story has no camera events" : "\(near)the story's camera events are \(list)")
    }

    private var cameraEvents: [String] {
        chapters.flatMap(\.events).compactMap { event in
            if case .camera = event.content { event.id } else { nil }
        }
    }

    private static let maxShownEvents = 20
}

extension Recipe {
    /// Loads the recipe of a camera event of the story in the document at `path`, as ``Story/recipe(ofEvent:in:)``
    /// does.
    ///
    /// Also throws a `parameter` error if the document has errors, and an `io` error if it cannot be read.
    public static func load(event id: String, ofStoryAt path: String) throws(MediaError) -> Recipe {
        try StoryDocument.read(path: path).validStory().recipe(ofEvent: id, in: path.folder)
    }
}
