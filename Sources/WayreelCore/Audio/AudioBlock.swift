/// A run of samples, as a decoder or a caller left them in memory; valid only during the call that hands it out.
package struct AudioBlock {
    package enum SampleType: Hashable, Sendable {
        /// Full scale is 32 768.
        case int16
        /// Full scale is 2³¹; 24-bit samples stand in the upper bits.
        case int32
        /// Full scale is 1; finite, may be beyond.
        case float32

        package var byteCount: Int { self == .int16 ? 2 : 4 }
    }

    package let type: SampleType
    /// Samples per channel.
    package let count: Int
    package let channelCount: Int
    /// One address for each channel; or a single one, where the samples of all channels are interleaved.
    package let planes: [UnsafeRawPointer]
    /// Samples per channel from the beginning of the sound's timeline to the first one of this block.
    package let start: Int
    /// Whether an encoder has added these samples at the end only to fill its last frame: they are no part of the sound.
    package let isPadding: Bool

    package init(
        _ type: SampleType, count: Int, channelCount: Int, planes: [UnsafeRawPointer], start: Int,
        isPadding: Bool = false
    ) {
        precondition(planes.count == 1 || planes.count == channelCount, "one plane, or one a channel")
        self.type = type
        self.count = count
        self.channelCount = channelCount
        self.planes = planes
        self.start = start
        self.isPadding = isPadding
    }

    /// Whether one plane holds the samples of several channels in turn.
    package var isInterleaved: Bool { planes.count < channelCount }

    /// Samples from one of a channel to the next.
    package var stride: Int { isInterleaved ? channelCount : 1 }

    /// The first sample of a channel; those that follow are ``stride`` apart.
    package func samples<Sample>(of channel: Int, as _: Sample.Type) -> UnsafePointer<Sample> {
        let plane = planes[isInterleaved ? 0 : channel].assumingMemoryBound(to: Sample.self)
        return isInterleaved ? plane + channel : plane
    }

    /// The samples in `range`, counted from the first of this block.
    package func slice(_ range: Range<Int>) -> AudioBlock {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a part of the block")
        let offset = range.lowerBound * stride * type.byteCount
        return AudioBlock(
            type, count: range.count, channelCount: channelCount, planes: planes.map { $0 + offset },
            start: start + range.lowerBound, isPadding: isPadding)
    }
}
