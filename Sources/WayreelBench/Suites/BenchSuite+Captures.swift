/// Single captures.
extension BenchSuite {
    static let captures = [
        BenchSuite(
            "capture", "an 8-megapixel JPEG to 960×640", [.image], input: "captures/wisteria-iphone6-8mp.jpg",
            output: .file("jpg"),
            ["capture", "{in}", "-o", "{out}", "--screen", "960x640", "--quality", "85"],
            peers: thumbnailers + [
                Peer(
                    "ffmpeg", "ffmpeg",
                    ffmpeg + ["-i", "{in}", "-vf", "scale=960:720:flags=lanczos,crop=960:640", "-q:v", "3", "{out}"])
            ]),
        BenchSuite(
            "capture-heic", "an iPhone's HEIC of 12 megapixels to 960×640", [.image],
            input: "story/captures/library-iphone11pro-12mp.heic", output: .file("jpg"), isStandard: false,
            ["capture", "{in}", "-o", "{out}", "--screen", "960x640", "--quality", "85"],
            peers: thumbnailers),
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

    private static let thumbnailers = [
        Peer(
            "vipsthumbnail", "vipsthumbnail",
            ["{in}", "--size", "960x640", "--smartcrop", "centre", "-o", "{out}[Q=85]"]),
        Peer("ImageMagick", needs: [magick], ["{program}", "{in}"] + cover + ["-quality", "85", "{out}"]),
    ]
    private static let magick = ["magick", "convert-im6.q16", "convert"]
    private static let cover = ["-resize", "960x640^", "-gravity", "center", "-extent", "960x640"]
    private static let sepia = "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"
    /// From the package fonts-dejavu-core.
    private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
}

/// Many files at once.
extension BenchSuite {
    static let batches = [
        BenchSuite(
            "captures-batch", "100 JPEGs of 8 megapixels with a filter, a text and a logo", [.image],
            input: "images", output: .folder, isStandard: false,
            preparation: [
                "mkdir '{made}'",
                "for i in $(seq -w 100); do ln '{media}/captures/wisteria-iphone6-8mp.jpg' '{made}/'$i.jpg"
                    + " || cp '{media}/captures/wisteria-iphone6-8mp.jpg' '{made}/'$i.jpg; done",
            ],
            [
                "capture", "{in*}", "-o", "{out}/", "--screen", "960x640", "--filter", "sepia-tone", "--text", title,
                "--overlay", "{media}/overlays/badge.png@north-east+16+16",
            ]),
        BenchSuite(
            "transcode-batch", "twelve mixed clips to 960×540, each in its own process", [.video],
            input: "clips", output: .folder, isStandard: false, preparation: clips,
            ["transcode", "{in*}", "-o", "{out}/"] + toMedium,
            peers: [
                Peer(
                    "xargs -P 2 ffmpeg", needs: [["ffmpeg"], ["xargs"]],
                    shell([
                        "mkdir -p '{out}'",
                        "printf '%s\\0' '{in}'/* | xargs -0 -n 1 -P 2 sh -ec 'ffmpeg -nostdin -v error -y -i \"$2\" -vf"
                            + " \"scale=w=min(960\\,iw):h=min(960\\,ih):force_original_aspect_ratio=decrease"
                            + ":force_divisible_by=2\" -c:v libx264 -preset medium -pix_fmt yuv420p -crf 23 -c:a aac"
                            + " -b:a 128k -ac 2 -movflags +faststart \"$1/$(basename \"$2\").mp4\"' sh '{out}'",
                    ]))
            ]),
    ]

    /// A mix of codecs, sizes and rotations; some are compliant.
    private static let clips: [String] =
        ["mkdir '{made}'", "cp '{media}'/scrapbook/*.mp4 '{made}'"]
        + [0, 6, 12, 18].map { second in
            (ffmpeg + ["-ss", "\(second)", "-t", "5", "-i", "{media}/scrapbook/bunny-720p-vp8.webm", "-c", "copy"]
                + ["{made}/cut\(second).webm"]).commandLine(after: "ffmpeg")
        }
        + [("vertical.mov", "transpose=1"), ("small.mkv", "scale=640:360"), ("ready.mp4", "scale=854:480")]
        .map { name, chain in
            (ffmpeg + ["-t", "5", "-i", "{media}/scrapbook/bunny-720p-vp8.webm", "-vf", chain] + x264("medium")
                + ["-crf", "23"] + aac + ["{made}/\(name)"]).commandLine(after: "ffmpeg")
        }
}
