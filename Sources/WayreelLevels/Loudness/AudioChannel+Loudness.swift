internal import CEBUR128
internal import WayreelCore

extension [AudioChannel] {
    /// The channel positions for libebur128, by the weights of BS.1770-4, table 4: LFE is ignored, surrounds at 60° to
    /// 120° have weight 1.41. Back channels are surrounds if there are no side channels, as in 5.1; in 7.1 they are at
    /// 135° and more. Mono counts once, not twice; so does an unknown channel.
    var loudnessPositions: [channel] {
        let hasSides = contains(.sideLeft) || contains(.sideRight)
        return map { channel in
            switch channel {
            case .lowFrequency: EBUR128_UNUSED
            case .sideLeft: EBUR128_LEFT_SURROUND
            case .sideRight: EBUR128_RIGHT_SURROUND
            case .backLeft where !hasSides: EBUR128_LEFT_SURROUND
            case .backRight where !hasSides: EBUR128_RIGHT_SURROUND
            default: EBUR128_LEFT
            }
        }
    }
}
