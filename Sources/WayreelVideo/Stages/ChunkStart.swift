/// The position in the source at which a chunk begins, and the state of the stages at that point.
struct ChunkStart: Sendable, Codable, Equatable {
    /// The PTS of the first frame in the stream's time base.
    var sourceTime: Int64
    /// The number of source frames before the chunk.
    var sourceFrames: Int
    /// The clock before the first frame; nil: at the beginning of the source.
    var clock: FrameClock.State?
    /// The damage before the chunk.
    var damage = DecodingDamage()

    /// The start of the first chunk.
    static let beginning = ChunkStart(sourceTime: .min, sourceFrames: 0, clock: nil)
}

/// Skips the frames before the chunk with which an interrupted encoding resumes.
struct ResumePoint {
    let start: ChunkStart
    /// Whether each PTS occurs once in the source, so that the first frame is identified by its PTS; otherwise frames
    /// are counted.
    let timesAreUnique: Bool
    private(set) var isReached = false
    /// The number of source frames so far, or since the start was reached.
    private var frames = 0

    init(_ start: ChunkStart, timesAreUnique: Bool) {
        self.start = start
        self.timesAreUnique = timesAreUnique
    }

    /// The number of source frames before the current one.
    var framesBefore: Int { start.sourceFrames + frames - 1 }

    /// Counts the source frame at `time`. Returns whether it is the first frame of the chunk or a later one.
    mutating func passes(_ time: Int64) -> Bool {
        frames += 1
        guard !isReached else { return true }
        isReached = timesAreUnique ? time >= start.sourceTime : frames > start.sourceFrames
        if isReached { frames = 1 }
        return isReached
    }
}
