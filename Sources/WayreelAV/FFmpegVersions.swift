internal import CFFmpeg
package import WayreelCore

/// The versions of FFmpeg's libraries that Wayreel was built for.
package enum FFmpegVersions {
    /// The versions by library: `libavcodec` is 59.37.100 in FFmpeg 5.1.
    package static let all: [String: String] = [
        "libavcodec": text(LIBAVCODEC_VERSION_MAJOR, LIBAVCODEC_VERSION_MINOR, LIBAVCODEC_VERSION_MICRO),
        "libavfilter": text(LIBAVFILTER_VERSION_MAJOR, LIBAVFILTER_VERSION_MINOR, LIBAVFILTER_VERSION_MICRO),
        "libavformat": text(LIBAVFORMAT_VERSION_MAJOR, LIBAVFORMAT_VERSION_MINOR, LIBAVFORMAT_VERSION_MICRO),
        "libswscale": text(LIBSWSCALE_VERSION_MAJOR, LIBSWSCALE_VERSION_MINOR, LIBSWSCALE_VERSION_MICRO),
    ]

    /// The release of FFmpeg that the libraries are of: `5.1`.
    static let release =
        releases.last { $0.codecs <= (LIBAVCODEC_VERSION_MAJOR, LIBAVCODEC_VERSION_MINOR) }?.name ?? "4"

    /// The first versions of libavcodec in each release.
    private static let releases: [(codecs: (Int32, Int32), name: String)] = [
        ((59, 18), "5.0"), ((59, 37), "5.1"), ((60, 3), "6.0"), ((60, 31), "6.1"), ((61, 3), "7.0"), ((61, 19), "7.1"),
        ((62, 11), "8.0"),
    ]

    /// Loads the libraries and their dependencies: encoders, decoders.
    package static func load() throws(MediaError) {
        for part in FFmpeg.Part.allCases { try FFmpeg.load(part, step: "load") }
    }

    private static func text(_ major: Int32, _ minor: Int32, _ micro: Int32) -> String { "\(major).\(minor).\(micro)" }
}
