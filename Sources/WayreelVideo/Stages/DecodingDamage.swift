internal import WayreelCore

/// Errors during the decoding of a video that did not stop it.
struct DecodingDamage: Hashable, Codable {
    /// The number of packets and frames that could not be decoded.
    var lost = 0
    /// The number of frames that were decoded with errors.
    var damaged = 0
    /// The number of positions at which the timestamps jump.
    var jumps = 0
    var endedWithErrors = false
    /// The number of frames that were dropped because their timestamps do not increase.
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
        if endedWithErrors { task.warn("read", "reading ended with errors; what was read before is kept") }
    }
}

extension MediaError {
    /// The error of a video without a frame that can be decoded.
    static func undecodable(codec: String? = nil, step: String = "decode") -> MediaError {
        let codec = codec.map { " (\($0))" } ?? ""
        return MediaError(
            .decoding, step: step, reason: "none of its frames\(codec) can be decoded",
            advice: "send the whole file, from its first keyframe on")
    }
}
