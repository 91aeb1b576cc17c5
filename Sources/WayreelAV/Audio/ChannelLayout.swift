internal import CFFmpeg
internal import WayreelCore

/// The channels of an audio stream: FFmpeg's AVChannelLayout, owned.
final class ChannelLayout {
    var layout = AVChannelLayout()

    init(copying original: UnsafePointer<AVChannelLayout>) throws(MediaError) {
        guard av_channel_layout_copy(&layout, original) == 0 else {
            throw MediaError(.limit, step: "decode", reason: "no memory")
        }
    }

    /// FFmpeg's default layout of `count` channels.
    init(count: Int) { av_channel_layout_default(&layout, Int32(clamping: count)) }

    /// Creates the layout of `channels`, or the default layout of their number if they have no speaker mask.
    init(_ channels: [AudioChannel]) {
        if let mask = channels.speakerMask {
            av_channel_layout_from_mask(&layout, mask)
        } else {
            av_channel_layout_default(&layout, Int32(clamping: channels.count))
        }
    }

    deinit { av_channel_layout_uninit(&layout) }

    var channels: [AudioChannel] {
        let count = Int(layout.nb_channels)
        guard count > 1, layout.order != AV_CHANNEL_ORDER_UNSPEC else { return AudioChannel.unnamed(count: count) }
        return (0..<count).map { loudspeaker(of: $0) ?? .numbered($0 + 1) }
    }

    /// The loudspeaker of the only channel; nil if it is unknown.
    var soleChannel: AudioChannel? {
        layout.nb_channels == 1 && layout.order != AV_CHANNEL_ORDER_UNSPEC ? loudspeaker(of: 0) : nil
    }

    private func loudspeaker(of index: Int) -> AudioChannel? {
        let number = Int(av_channel_layout_channel_from_index(&layout, UInt32(index)).rawValue)
        return AudioChannel.maskOrder.indices.contains(number) ? AudioChannel.maskOrder[number] : nil
    }
}

extension [AudioChannel] {
    /// The channel mask of WAVEFORMATEXTENSIBLE; nil for channels without loudspeakers or in another order.
    var speakerMask: UInt64? {
        if self == [.mono] { return 1 << 2 }
        let bits = compactMap { AudioChannel.maskOrder.firstIndex(of: $0) }
        guard bits.count == count, zip(bits, bits.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        return bits.reduce(0) { $0 | 1 << UInt64($1) }
    }
}
