public import WayreelBundle
public import WayreelCore
internal import WayreelEngine
internal import WayreelImage
internal import WayreelStory

/// A goggles event with the image files of its pins.
public struct GogglesEvent: Sendable {
    public var pins: [GogglesScene.Pin]
    public var scaling: PinScaling
    /// The maximum distance of visible pins in metres; nil for no limit.
    public var maxDistance: Double?

    /// Reads an event of the story document at `path`, with the images in its folder; `language` as in
    /// ``StoryBundle/story(language:)``.
    ///
    /// Throws a `parameter` error if the document has errors, no such goggles event or no such language, and the errors
    /// of its images.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    public init(
        _ id: String, ofStoryAt path: String, language: String? = nil, limits: Limits = .standard
    ) throws(MediaError) {
        let document = try StoryDocument.read(path: path)
        guard let story = document.story else {
            let first = document.issues.first { $0.severity == .error }
            throw MediaError(
                .parameter, step: .story, subject: path,
                reason: "has errors" + (first.map { ", the first in line \($0.line): \($0.message)" } ?? ""),
                advice: "see \(.storyIssues)")
        }
        let folder = try StoryFolder(path.folder)
        let localized = try language.map { (language) throws(MediaError) in try story.localized(strictly: language) }
        try self.init(id, of: (localized ?? story).chapters, limits: limits) { (source) throws(MediaError) in
            try folder.file(source)
        }
    }

    /// Reads an event of a bundle, with the images prepared for `screen` in either orientation. If `screen` is nil,
    /// or the bundle was not prepared for that screen, the largest version of each image is used. `language` as in
    /// ``StoryBundle/story(language:)``.
    ///
    /// Throws a `parameter` error if there is no such goggles event or no such language, and the errors of the bundle and its images.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    public init(
        _ id: String, of bundle: StoryBundle, screen: PixelSize? = nil, language: String? = nil,
        limits: Limits = .standard
    ) throws(MediaError) {
        let prepared = try bundle.screens().first { $0.size == screen || $0.size.turned == screen }
        let story = try bundle.wholeStory(language: language)
        try self.init(id, of: story.chapters, limits: limits) { (source) throws(MediaError) in
            let images = try bundle.media(for: source, role: .image, screen: prepared?.name)
            guard let largest = images.max(by: { ($0.file.width ?? 0) < ($1.file.width ?? 0) }) else {
                throw MediaError(
                    .parameter, step: .bundle, subject: bundle.path, reason: "has no image made of '\(source)'",
                    advice: "prepare the story again with \(.prepare)")
            }
            return bundle.path(of: largest.file)
        }
    }

    private init(
        _ id: String, of chapters: [Chapter], limits: Limits, file: (String) throws(MediaError) -> String
    ) throws(MediaError) {
        let events = chapters.flatMap(\.events)
        guard let event = events.first(where: { $0.id == id }) else {
            throw Self.fault(id, "there is no such event", events)
        }
        guard let content = event.goggles else {
            throw Self.fault(id, "is not a goggles event but a \(event.content.kind) event", events)
        }
        pins = []
        for pin in content.pins {
            let path = try file(pin.image.source)
            pins.append(
                GogglesScene.Pin(
                    image: path, imageSize: try ImageProbe.probe(path: path, limits: limits).size,
                    position: pin.position, metres: pin.size, name: pin.image.alt))
        }
        scaling = PinScaling(
            minScalingDistance: content.minScalingDistance, maxScalingDistance: content.maxScalingDistance,
            scalingFactor: content.scalingFactor)
        maxDistance = content.maxDistance
    }

    private static func fault(_ id: String, _ reason: String, _ events: [Event]) -> MediaError {
        let ids = events.filter { $0.goggles != nil }.map(\.id)
        guard !ids.isEmpty else {
            return MediaError(
                .parameter, step: .goggles, subject: id, reason: reason, advice: "the story has no goggles events")
        }
        return .unknown(
            id, among: ids, step: .goggles, reason: reason, list: "the story's goggles events are", marksRest: true)
    }
}

extension Event {
    /// The event's goggles content, or that of its entry in the journal.
    fileprivate var goggles: GogglesContent? {
        for case .goggles(let goggles)? in [content, journal?.content] { return goggles }
        return nil
    }
}
