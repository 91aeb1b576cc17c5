/// A named section of a video or an audio file.
public struct MediaChapter: Hashable, Sendable, Codable {
    /// Seconds on the file's timeline.
    public var start: Double
    public var end: Double
    public var title: String?

    public init(start: Double, end: Double, title: String?) {
        self.start = start
        self.end = end
        self.title = title
    }
}
