internal import CEBUR128
internal import WayreelCore

extension [AudioChannel] {
    /// Where libebur128 is told that each channel stands, by the weights of BS.1770-4, table 4: the low frequencies do not
    /// count, surrounds from 60° to 120° to the side count 1.41-fold. The back channels are the surrounds where there are no
    /// side channels, as in 5.1; in 7.1 they stand at 135° and more. A mono sound is one channel as any other, not two; so is
    /// a channel of which nothing is known.
    var loudnessPlaces: [channel] {
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
