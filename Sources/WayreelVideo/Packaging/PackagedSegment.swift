/// A segment of a track as it was written.
struct PackagedSegment: Sendable {
    /// Beside the playlist.
    var name: String
    /// Seconds on the file's timeline.
    var start: Double
    var seconds: Double
    var bytes: Int
    /// How many pictures begin in it.
    var pictureCount: Int
    /// What its encryption started with.
    var vector: [UInt8]?
    var keyFrames: [PackagedKeyFrame]
}

/// A picture in a segment that stands for itself.
struct PackagedKeyFrame: Sendable {
    /// The name of the file that holds it.
    var name: String
    /// Where it and the `moof` in front of it lie in the file; nil: it is the whole file.
    var range: Range<Int>?
    var start: Double
    var bytes: Int
    var vector: [UInt8]?
}

/// A track as it was written.
struct PackagedTrack: Sendable {
    /// The folder of its files.
    var folder: String
    var entry: SampleEntry
    var segments: [PackagedSegment]
    /// On the file's timeline.
    var end: Double
}
