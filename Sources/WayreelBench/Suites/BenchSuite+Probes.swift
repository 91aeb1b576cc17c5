/// Properties of files.
extension BenchSuite {
    static let probes = [
        BenchSuite(
            "probe", "the properties of a photo", [.image, .audio, .video], input: "captures/wisteria-iphone6-8mp.jpg",
            output: .none, ["probe", "{in}", "--json"],
            peers: [
                Peer("vipsheader", "vipsheader", ["-a", "{in}"]),
                Peer(
                    "ImageMagick identify", needs: [["identify-im6.q16", "identify"]],
                    ["{program}", "-verbose", "{in}"]),
                Peer(
                    "ffprobe", "ffprobe",
                    ["-v", "error", "-show_format", "-show_streams", "-of", "json", "{in}"]),
            ])
    ]
}
