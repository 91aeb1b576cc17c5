/// An output format of FFmpeg: its muxer and flags.
package struct OutputContainer: Sendable {
    /// FFmpeg's name of the muxer.
    package let muxer: String
    package let movflags: String
    /// Sample entries by codec, if players expect another one than the muxer's default: Apple's players require HEVC
    /// as `hvc1`.
    package let sampleEntries: [String: String]

    /// MP4 with its index at the front.
    package static let mp4 = OutputContainer(
        muxer: "mp4", movflags: "+faststart", sampleEntries: ["hevc": "hvc1"])

    /// Segments of HLS: the caller cuts fragments, and offsets are relative to their fragment.
    package static let fragmentedMP4 = OutputContainer(
        muxer: "mp4", movflags: "+frag_custom+delay_moov+default_base_moof+skip_trailer",
        sampleEntries: ["hevc": "hvc1"])
}
