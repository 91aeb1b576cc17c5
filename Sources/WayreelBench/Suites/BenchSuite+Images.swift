/// Single captures.
extension BenchSuite {
    static let captures = [
        BenchSuite(
            "capture", "an 8-megapixel JPEG to 960×640", [.image], input: "captures/wisteria-iphone6-8mp.jpg",
            output: .file("jpg"),
            ["capture", "{in}", "-o", "{out}", "--screen", "960x640", "--quality", "85"],
            peers: [
                Peer(
                    "vipsthumbnail", "vipsthumbnail",
                    ["{in}", "--size", "960x640", "--smartcrop", "centre", "-o", "{out}[Q=85]"]),
                Peer(
                    "ImageMagick", needs: [magick], ["{program}", "{in}"] + cover + ["-quality", "85", "{out}"]),
                Peer(
                    "ffmpeg", "ffmpeg",
                    ffmpeg + ["-i", "{in}", "-vf", "scale=960:720:flags=lanczos,crop=960:640", "-q:v", "3", "{out}"]),
            ]),
        BenchSuite(
            "capture-heic", "an iPhone's HEIC of 12 megapixels to 960×640", [.image],
            input: "story/captures/library-iphone11pro-12mp.heic", output: .file("jpg"), isStandard: false,
            ["capture", "{in}", "-o", "{out}", "--screen", "960x640", "--quality", "85"],
            peers: [
                Peer(
                    "vipsthumbnail", "vipsthumbnail",
                    ["{in}", "--size", "960x640", "--smartcrop", "centre", "-o", "{out}[Q=85]"]),
                Peer(
                    "ImageMagick", needs: [magick], ["{program}", "{in}"] + cover + ["-quality", "85", "{out}"]),
            ]),
        BenchSuite(
            "capture-look", "an 8-megapixel JPEG to 960×640 with a filter, a text and a logo", [.image],
            input: "captures/wisteria-iphone6-8mp.jpg", output: .file("jpg"),
            [
                "capture", "{in}", "-o", "{out}", "--screen", "960x640", "--quality", "85", "--filter",
                "sepia-tone:intensity=0.8", "--text", title, "--overlay", "{media}/overlays/badge.png@north-east+16+16",
            ],
            peers: [
                Peer(
                    "ImageMagick", needs: [magick],
                    ["{program}", "{in}"] + cover
                        + [
                            "-sepia-tone", "80%", "-gravity", "south", "-fill", "white", "-pointsize", "40", "-font",
                            font,
                        ]
                        + ["-annotate", "+0+26", title, "{media}/overlays/badge.png", "-gravity", "northeast"]
                        + ["-geometry", "+16+16", "-composite", "-quality", "85", "{out}"]),
                Peer(
                    "ffmpeg", "ffmpeg",
                    ffmpeg + ["-i", "{in}", "-i", "{media}/overlays/badge.png", "-filter_complex"]
                        + [
                            "[0]scale=960:720:flags=lanczos,crop=960:640,\(sepia),drawtext=fontfile=\(font):text='\(title)':fontsize=40"
                                + ":fontcolor=white:x=(w-tw)/2:y=h-60[a];[a][1]overlay=W-w-16:16"
                        ] + ["-q:v", "3", "{out}"]),
            ]),
    ]

    private static let magick = ["magick", "convert-im6.q16", "convert"]
    private static let cover = ["-resize", "960x640^", "-gravity", "center", "-extent", "960x640"]
    private static let sepia = "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"
    /// From the package fonts-dejavu-core.
    private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
}
