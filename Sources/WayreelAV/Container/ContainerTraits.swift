/// Properties of a container that FFmpeg's API does not provide.
package struct ContainerTraits {
    /// Whether the timeline starts at timestamp 0 instead of at the first packet.
    var startsAtZero = false
    /// Whether the declared length of a file that starts late counts from timestamp 0.
    var countsLengthFromZero = false
    /// MP4, QuickTime and their relatives (ISO/IEC 14496-12). Durations of packets determine which samples at the end are
    /// padding, and FFmpeg ends the file at a packet with a wrong offset.
    var isISOMedia = false
    /// Whether Vorbis's first packet, which decodes to nothing, has the timestamp of the first sample.
    var hasVorbisPrimer = false
    /// The largest gap of timestamps, in seconds. A larger one, or a jump back, is a restart of the clock. nil if
    /// timestamps are continuous.
    var maxTimestampGap: Double?
    /// Whether packets follow each other without timestamps. FFmpeg counts them by the sample rate of the first.
    var lacksTimestamps = false
    /// Whether the header describes PCM by more than FFmpeg heeds (``PCMLayoutRepair``).
    var hasPCMLayout = false
    /// Whether the header may declare the length of each stream. Otherwise FFmpeg may give that of the file.
    var declaresStreamLengths = true
    /// Whether the container has no signature, so that FFmpeg mistakes random bytes for it.
    var hasNoSignature = false
    /// Whether the header describes every stream, so that no packets have to be probed.
    package private(set) var describesEveryStream = false
    /// How the container declares encrypted streams, beside what FFmpeg tells.
    var encryption: Encryption?
    /// Reads the size that a file declares; nil if the container declares none.
    var declaredSize: DeclaredSize.Reader?
    /// Reads what a file states about its frames; nil if FFmpeg tells all of it.
    var geometry: ContainerGeometry.Reader?

    enum Encryption {
        case sampleEntries
        /// The `ContentEncryption` of Matroska's tracks.
        case contentEncryption
        /// The scrambling bits of an MPEG transport stream's packets, and its stream types.
        case transportScrambling
    }
}

extension ContainerTraits {
    /// The traits by the name of FFmpeg's demuxer.
    private static let table: [String: ContainerTraits] = [
        "mov": ContainerTraits(
            startsAtZero: true, countsLengthFromZero: true, isISOMedia: true, describesEveryStream: true,
            encryption: .sampleEntries, geometry: ContainerGeometry.isoMedia),
        "matroska": ContainerTraits(
            startsAtZero: true, countsLengthFromZero: true, hasVorbisPrimer: true, declaresStreamLengths: false,
            describesEveryStream: true, encryption: .contentEncryption, declaredSize: DeclaredSize.matroska,
            geometry: ContainerGeometry.matroska),
        "aiff": ContainerTraits(hasPCMLayout: true),
        "asf": ContainerTraits(countsLengthFromZero: true, hasPCMLayout: true, declaredSize: DeclaredSize.asf),
        "avi": ContainerTraits(hasPCMLayout: true, declaredSize: DeclaredSize.avi),
        "caf": ContainerTraits(hasPCMLayout: true),
        "wav": ContainerTraits(hasPCMLayout: true),
        "w64": ContainerTraits(hasPCMLayout: true),
        "flv": ContainerTraits(declaredSize: DeclaredSize.flv),
        "mpegts": ContainerTraits(maxTimestampGap: 10, encryption: .transportScrambling),
        "mpeg": ContainerTraits(maxTimestampGap: 10),
        "mpegvideo": ContainerTraits(maxTimestampGap: 10),
        "aac": ContainerTraits(lacksTimestamps: true),
        "ac3": ContainerTraits(lacksTimestamps: true),
        "dts": ContainerTraits(lacksTimestamps: true),
        "eac3": ContainerTraits(lacksTimestamps: true),
        "loas": ContainerTraits(lacksTimestamps: true),
        "mlp": ContainerTraits(lacksTimestamps: true),
        "mp3": ContainerTraits(lacksTimestamps: true),
        "truehd": ContainerTraits(lacksTimestamps: true),
        "amr": ContainerTraits(lacksTimestamps: true),
        "amrnb": ContainerTraits(lacksTimestamps: true, hasNoSignature: true),
        "amrwb": ContainerTraits(lacksTimestamps: true, hasNoSignature: true),
    ]

    /// `demuxer` contains FFmpeg's names: `mov,mp4,m4a,3gp,3g2,mj2`.
    package init(demuxer: String) {
        self = demuxer.split(separator: ",").lazy.compactMap { Self.table[String($0)] }.first ?? ContainerTraits()
    }
}
