/// Where a chunk begins in the source, and the state of the stages there.
struct ChunkStart: Sendable, Codable, Equatable {
    /// The PTS of its first frame in the stream's time base.
    var sourceTime: Int64
    /// The number of source frames before it.
    var sourceFrames: Int
    /// The clock before its first frame; nil: at the beginning of the source.
    var clock: FrameGrid.State?
    /// The damage before it.
    var damage = DecodingDamage()

    /// The start of the first chunk.
    static let beginning = ChunkStart(sourceTime: .min, sourceFrames: 0, clock: nil)
}

/// Skips the frames in front of the chunk that an interrupted encoding resumes with.
struct ResumePoint {
    let start: ChunkStart
    /// Whether each PTS occurs once in the source, so that the first frame is found by its own; otherwise frames are counted.
    let timesAreUnique: Bool
    private(set) var isReached = false
    /// Source frames so far, or since the start was reached.
    private var frames = 0

    init(_ start: ChunkStart, timesAreUnique: Bool) {
        self.start = start
        self.timesAreUnique = timesAreUnique
    }

    /// Source frames before the current one.
    var framesBefore: Int { start.sourceFrames + frames - 1 }

    /// Counts the source frame at `time`. Returns whether it is the first frame of the chunk, or after it.
    mutating func passes(_ time: Int64) -> Bool {
        frames += 1
        guard !isReached else { return true }
        isReached = timesAreUnique ? time >= start.sourceTime : frames > start.sourceFrames
        if isReached { frames = 1 }
        return isReached
    }
}
