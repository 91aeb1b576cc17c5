/// What Wayreel knows about a container beyond what FFmpeg's API says.
struct ContainerTraits {
    /// Whether the timeline starts at timestamp 0, and not at the first packet.
    var startsAtZero = false
    /// Whether the durations of packets say which samples at the end are padding, and a packet with a wrong offset ends the file
    /// for FFmpeg.
    var isISOMedia = false
    /// Whether Vorbis's first packet, which decodes to nothing, has the timestamp of the first sample.
    var hasVorbisPrimer = false
    /// The largest gap of timestamps, in seconds. A larger one, or a jump back, is a restart of the clock. nil where timestamps
    /// are continuous.
    var maxTimestampGap: Double?
    /// Whether the container has no signature: FFmpeg takes random bytes for it.
    var hasNoSignature = false
}

extension ContainerTraits {
    /// By the name of FFmpeg's demuxer.
    private static let table: [String: ContainerTraits] = [
        "mov": ContainerTraits(startsAtZero: true, isISOMedia: true),
        "matroska": ContainerTraits(startsAtZero: true, hasVorbisPrimer: true),
        "mpegts": ContainerTraits(maxTimestampGap: 10),
        "mpeg": ContainerTraits(maxTimestampGap: 10),
        "mpegvideo": ContainerTraits(maxTimestampGap: 10),
        "amrnb": ContainerTraits(hasNoSignature: true),
        "amrwb": ContainerTraits(hasNoSignature: true),
    ]

    /// `demuxer` as FFmpeg lists its names: `mov,mp4,m4a,3gp,3g2,mj2`.
    init(demuxer: String) {
        self = demuxer.split(separator: ",").lazy.compactMap { Self.table[String($0)] }.first ?? ContainerTraits()
    }
}
