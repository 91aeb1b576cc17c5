internal import WayreelCore

/// What went wrong while a video was decoded without stopping the work.
struct DecodingDamage: Hashable, Codable {
    /// Packets and frames that could not be decoded.
    var lost = 0
    /// Frames that were decoded with errors.
    var damaged = 0
    /// Positions where the timestamps jump.
    var jumps = 0
    var isCutShort = false
    /// Frames that were dropped because their timestamps do not increase.
    var collisions = 0

    func warn(_ task: TaskContext) {
        if lost > 0 { task.warn("decode", "frames that could not be decoded: \(lost)") }
        if damaged > 0 { task.warn("decode", "damaged frames: \(damaged)") }
        if collisions > 0 {
            task.warn("decode", "\(collisions) frames were dropped: their timestamps do not increase")
        }
        if jumps > 0 {
            task.warn(
                "decode",
                "positions where the timestamps of frames jump: \(jumps); the frames there follow each other without a gap"
            )
        }
        if isCutShort { task.warn("read", "the file is truncated; what is there is kept") }
    }
}
