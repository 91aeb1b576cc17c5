/// A written segment of a track.
struct PackagedSegment: Sendable {
    /// The name of the file in the folder of the playlist.
    var name: String
    /// The start in seconds on the file's timeline.
    var start: Double
    var seconds: Double
    var bytes: Int
    /// The number of frames that begin in it.
    var frameCount: Int
    /// The IV of the encryption; nil: not encrypted.
    var iv: [UInt8]?
    var keyFrames: [PackagedKeyFrame]
}

/// A keyframe of a segment.
struct PackagedKeyFrame: Sendable {
    /// The name of the file that contains it.
    var name: String
    /// The bytes of the file that contain it and its `moof`; nil: the whole file.
    var range: Range<Int>?
    var start: Double
    var bytes: Int
    var iv: [UInt8]?
}

/// A written track.
struct PackagedTrack: Sendable {
    /// The folder of the track's files.
    var folder: String
    var entry: SampleEntry
    var segments: [PackagedSegment]
    /// The end in seconds on the file's timeline.
    var end: Double
}
