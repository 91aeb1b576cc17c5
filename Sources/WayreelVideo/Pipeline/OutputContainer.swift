/// An output format of FFmpeg: its muxer and flags.
package struct OutputContainer: Sendable {
    /// FFmpeg's name of the muxer.
    package let muxer: String
    package let movflags: String
    /// Sample entries by codec, where players expect another than the muxer's default: Apple's play HEVC as `hvc1` only.
    package let sampleEntries: [String: String]

    /// MP4 with its index in front.
    package static let mp4 = OutputContainer(
        muxer: "mp4", movflags: "+faststart", sampleEntries: ["hevc": "hvc1"])

    /// Segments of HLS: fragments are cut by the caller, and offsets are relative to their fragment.
    package static let fragmentedMP4 = OutputContainer(
        muxer: "mp4", movflags: "+frag_custom+delay_moov+default_base_moof+skip_trailer",
        sampleEntries: ["hevc": "hvc1"])
}
