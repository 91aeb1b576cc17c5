/// A block of decoded samples. The memory belongs to the caller; it is valid only during the call that receives it.
package struct AudioBlock {
    package enum SampleType: Hashable, Sendable {
        /// Full scale is 32 768.
        case int16
        /// Full scale is 2³¹; 24-bit samples are in the upper bits.
        case int32
        /// Full scale is 1. Values are finite and may exceed full scale.
        case float32

        package var byteCount: Int { self == .int16 ? 2 : 4 }
    }

    package let type: SampleType
    /// Samples per channel.
    package let count: Int
    package let channelCount: Int
    /// One pointer per channel, or a single one if the samples of all channels are interleaved.
    package let planes: [UnsafeRawPointer]
    /// Position of the first sample on the audio timeline, in samples per channel.
    package let start: Int
    /// Whether an encoder appended these samples to fill its last frame; they are not part of the audio.
    package let isPadding: Bool

    package init(
        _ type: SampleType, count: Int, channelCount: Int, planes: [UnsafeRawPointer], start: Int,
        isPadding: Bool = false
    ) {
        precondition(planes.count == 1 || planes.count == channelCount, "one plane, or one per channel")
        self.type = type
        self.count = count
        self.channelCount = channelCount
        self.planes = planes
        self.start = start
        self.isPadding = isPadding
    }

    /// Whether one plane holds the interleaved samples of several channels.
    package var isInterleaved: Bool { planes.count < channelCount }

    /// Distance between two samples of a channel.
    package var stride: Int { isInterleaved ? channelCount : 1 }

    /// Returns the first sample of a channel; the following ones are ``stride`` apart.
    package func samples<Sample>(of channel: Int, as _: Sample.Type) -> UnsafePointer<Sample> {
        let plane = planes[isInterleaved ? 0 : channel].assumingMemoryBound(to: Sample.self)
        return isInterleaved ? plane + channel : plane
    }

    /// Returns the samples in `range`, relative to the start of this block.
    package func slice(_ range: Range<Int>) -> AudioBlock {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range is within the block")
        let offset = range.lowerBound * stride * type.byteCount
        return AudioBlock(
            type, count: range.count, channelCount: channelCount, planes: planes.map { $0 + offset },
            start: start + range.lowerBound, isPadding: isPadding)
    }
}
