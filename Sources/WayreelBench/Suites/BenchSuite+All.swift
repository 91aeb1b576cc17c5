extension BenchSuite {
    /// All suites in report order.
    package static let all = captures + audio + videos + probes + batches + stories

    // MARK: Images

    private static let magick = ["magick", "convert-im6.q16", "convert"]
    private static let cover = ["-resize", "960x640^", "-gravity", "center", "-extent", "960x640"]
    private static let sepia = "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"
    private static let title = "The Mission Bell"
    /// From the package fonts-dejavu-core.
    private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
    private static let ffmpeg = ["-nostdin", "-v", "error", "-y"]

    private static let captures = [
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

    // MARK: Audio

    private static let audio =
        [
            BenchSuite(
                "levels", "levels of an MP3 file, 256 samples per pixel", [.audio, .video], input: "radio/bunny.mp3",
                output: .file("dat"), ["levels", "{in}", "-o", "{out}", "--zoom", "256"],
                peers: [
                    Peer("audiowaveform", "audiowaveform", ["-q", "-i", "{in}", "-o", "{out}", "-z", "256"]),
                    Peer("sox stats", "sox", output: .some(.none), ["{in}", "-n", "stats"]),
                    decoding,
                ]),
            BenchSuite(
                "plot", "a waveform of an MP3 file, 1200×300", [.audio, .video], input: "radio/bunny.mp3",
                output: .file("png"), ["levels", "{in}", "-o", "{out}", "--size", "1200x300"],
                peers: [
                    Peer(
                        "audiowaveform", "audiowaveform",
                        ["-q", "-i", "{in}", "-o", "{out}", "-z", "auto", "-w", "1200", "-h", "300"]),
                    Peer(
                        "ffmpeg showwavespic", "ffmpeg",
                        ffmpeg + ["-i", "{in}", "-lavfi", "showwavespic=s=1200x300", "-frames:v", "1", "{out}"]),
                ]),
        ]
        + hours.map { kind, coding in
            BenchSuite(
                "levels-hour-\(kind)", "levels of an hour of stereo in \(kind.uppercased())", [.audio],
                input: "hour.\(kind)", output: .file("dat"), isStandard: false,
                preparation: [
                    (ffmpeg + ["-stream_loop", "-1", "-i", "{media}/radio/bunny-4s.wav", "-t", "3600"] + coding
                        + ["-f", muxers[kind] ?? kind, "{made}"]).commandLine(after: "ffmpeg")
                ],
                ["levels", "{in}", "-o", "{out}", "--zoom", "256"],
                peers: [
                    oneThread, decoding,
                    Peer("audiowaveform", "audiowaveform", ["-q", "-i", "{in}", "-o", "{out}", "-z", "256"]),
                    Peer("sox stats", "sox", output: .some(.none), ["{in}", "-n", "stats"]),
                ].filter { peer in !(cannotRead[peer.name]?.contains(kind) ?? false) })
        }

    private static let hours: [(String, [String])] = [
        ("wav", ["-c:a", "pcm_s16le"]), ("flac", ["-c:a", "flac"]), ("mp3", ["-c:a", "libmp3lame", "-b:a", "192k"]),
        ("m4a", ["-c:a", "aac", "-b:a", "160k"]), ("ogg", ["-c:a", "libvorbis", "-q:a", "5"]),
        ("opus", ["-c:a", "libopus", "-b:a", "128k"]),
    ]

    /// FFmpeg's muxer names that differ from the extension.
    private static let muxers = ["m4a": "ipod"]

    private static let cannotRead: [String: Set<String>] = ["audiowaveform": ["m4a"], "sox stats": ["m4a", "opus"]]

    private static let decoding = Peer(
        "ffmpeg, decode only", "ffmpeg", output: .some(.none),
        ["-nostdin", "-v", "error", "-threads", "1", "-i", "{in}", "-f", "null", "-"])

    private static let oneThread = Peer(
        "wayreel, one thread", needs: [],
        ["{wayreel}", "levels", "{in}", "-o", "{out}", "--zoom", "256", "--jobs", "1"])

    // MARK: Videos

    private static let toQuarterHD = "scale=960:540"
    private static let medium = x264("medium") + ["-crf", "23"] + aac + ["-movflags", "+faststart", "{out}"]
    private static let aac = ["-c:a", "aac", "-b:a", "128k", "-ac", "2"]

    private static func x264(_ preset: String) -> [String] {
        ["-c:v", "libx264", "-preset", preset, "-pix_fmt", "yuv420p"]
    }

    private static let toMedium = ["--screen", "960x540", "--crf", "23", "--preset", "medium"]

    private static let videos = [
        BenchSuite(
            "transcode", "5 s of 720p to 960×540, H.264 medium", [.video],
            input: "scrapbook/bunny-720p-h264-5.1.mp4", output: .file("mp4"),
            ["transcode", "{in}", "-o", "{out}"] + toMedium,
            peers: [Peer("ffmpeg", "ffmpeg", ffmpeg + ["-i", "{in}", "-vf", toQuarterHD] + medium)]),
        BenchSuite(
            "poster", "the poster of 30 s of video", [.video], input: "scrapbook/bunny-720p-vp8.webm",
            output: .file("jpg"), ["poster", "{in}", "-o", "{out}", "--screen", "960x540"],
            peers: [
                Peer(
                    "ffmpeg thumbnail", "ffmpeg",
                    ffmpeg + ["-i", "{in}", "-vf", "thumbnail=100,\(toQuarterHD)", "-frames:v", "1", "{out}"])
            ]),
        BenchSuite(
            "hls", "5 s of 720p in three renditions, with audio and a preview", [.video],
            input: "scrapbook/bunny-720p-h264-5.1.mp4", output: .folder,
            ["transcode", "{in}", "-o", "{out}/", "--hls", "--ladder", ladder, "--preset", "veryfast"],
            peers: [splitOutputs("veryfast", hasPoster: false)]),
        BenchSuite(
            "transcode-30s", "30 s of 720p VP8 to 960×540, H.264 medium", [.video],
            input: "scrapbook/bunny-720p-vp8.webm", output: .file("mp4"), isStandard: false,
            ["transcode", "{in}", "-o", "{out}"] + toMedium,
            peers: [Peer("ffmpeg", "ffmpeg", ffmpeg + ["-i", "{in}", "-vf", toQuarterHD] + medium)]),
        ladder30s("veryfast"), ladder30s("medium"), ladder30s("veryfast", isBusy: true),
        BenchSuite(
            "remux", "a compliant video of 50 s, copied without re-encoding", [.video], input: "ready.mkv",
            output: .file("mp4"), isStandard: false,
            preparation: [
                (ffmpeg + ["-stream_loop", "9", "-i", "{media}/scrapbook/bunny-720p-h264-5.1.mp4"] + x264("veryfast")
                    + ["-crf", "23", "-g", "100"] + aac + ["-f", "matroska", "{made}"]).commandLine(after: "ffmpeg")
            ],
            ["transcode", "{in}", "-o", "{out}"],
            peers: [
                Peer("ffmpeg -c copy", "ffmpeg", ffmpeg + ["-i", "{in}"] + copying),
                Peer(
                    "the same, then sync", needs: [["ffmpeg"], ["sync"]],
                    shell([ffmpeg.commandLine(after: "ffmpeg", ["-i", "{in}"] + copying), "sync '{out}'"])),
            ]),
    ]

    // MARK: Batches

    private static let batches = [
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

    private static let copying = ["-c", "copy", "-movflags", "+faststart", "{out}"]

    private static let rungs = [(960, 540, 2000), (768, 432, 1100), (640, 360, 365)]
    private static let ladder = rungs.map { "\($0.0)x\($0.1)@\($0.2)" }.joined(separator: ",")

    private static func ladder30s(_ preset: String, isBusy: Bool = false) -> BenchSuite {
        BenchSuite(
            "hls-30s-\(preset)" + (isBusy ? "-busy" : ""),
            "30 s of 720p VP8 as HLS in three renditions (x264 \(preset)), with poster and preview"
                + (isBusy ? ", beside a program that keeps one core busy" : ""),
            [.video], input: "scrapbook/bunny-720p-vp8.webm", output: .folder, isStandard: false,
            competitors: isBusy ? 1 : 0,
            ["transcode", "{in}", "-o", "{out}/", "--hls", "--ladder", ladder, "--preset", preset, "--poster"],
            peers: [splitOutputs(preset, hasPoster: true), separateRuns(preset)])
    }

    private static func rate(_ kilobits: Int) -> [String] {
        let maxRate = "\(kilobits * 3 / 2)k"
        return ["-b:v", "\(kilobits)k", "-maxrate", maxRate, "-bufsize", maxRate, "-g", "48", "-keyint_min", "48"]
            + ["-sc_threshold", "0"]
    }

    private static func segments(_ name: String) -> [String] {
        [
            "-f", "hls", "-hls_time", "6", "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4",
            "-hls_fmp4_init_filename", "\(name)-init.mp4", "-hls_segment_filename", "{out}/\(name)-%d.m4s",
            "{out}/\(name).m3u8",
        ]
    }

    private static let posterChain = "thumbnail=100,\(toQuarterHD)"
    private static let sheetChain = "fps=1/5,scale=160:90,tile=10x1"

    /// One run of ffmpeg for all outputs.
    private static func splitOutputs(_ preset: String, hasPoster: Bool) -> Peer {
        let scaling = rungs.map { "[v\($0.1)i]scale=\($0.0):\($0.1)[v\($0.1)]" }.joined(separator: ";")
        let parts = rungs.map { "[v\($0.1)i]" }.joined() + (hasPoster ? "[p]" : "") + "[s]"
        let poster = hasPoster ? "[p]\(posterChain)[poster];" : ""
        let count = rungs.count + (hasPoster ? 2 : 1)
        let graph = "[0:v]split=\(count)\(parts);\(scaling);\(poster)[s]\(sheetChain)[sheet]"
        var arguments = ffmpeg + ["-i", "{in}", "-filter_complex", graph]
        for (_, height, kilobits) in rungs {
            arguments += ["-map", "[v\(height)]"] + x264(preset) + rate(kilobits) + segments("v\(height)")
        }
        arguments += ["-map", "0:a"] + aac + segments("sound")
        if hasPoster { arguments += ["-map", "[poster]", "-frames:v", "1", "{out}/poster.jpg"] }
        arguments += ["-map", "[sheet]", "-frames:v", "1", "{out}/sheet.jpg"]
        return Peer(
            "ffmpeg, one run", needs: [["ffmpeg"]], shell(["mkdir -p '{out}'", arguments.commandLine(after: "ffmpeg")]))
    }

    /// A typical script: one run per rendition, audio, poster and thumbnail sheet.
    private static func separateRuns(_ preset: String) -> Peer {
        let input = ffmpeg + ["-i", "{in}"]
        var runs = rungs.map { width, height, kilobits in
            input + ["-an", "-vf", "scale=\(width):\(height)"] + x264(preset) + rate(kilobits) + segments("v\(height)")
        }
        runs.append(input + ["-vn"] + aac + segments("sound"))
        runs.append(input + ["-vf", posterChain, "-frames:v", "1", "{out}/poster.jpg"])
        runs.append(input + ["-vf", sheetChain, "-frames:v", "1", "{out}/sheet.jpg"])
        return Peer(
            "ffmpeg, one run per output", needs: [["ffmpeg"]],
            shell(["mkdir -p '{out}'"] + runs.map { $0.commandLine(after: "ffmpeg") }))
    }

    // MARK: Probing

    private static let probes = [
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

extension [String] {
    /// Shell arguments after a program name; placeholders are expanded later.
    fileprivate func commandLine(after program: String, _ more: [String] = []) -> String {
        ([program] + self + more).map { "'\($0)'" }.joined(separator: " ")
    }
}
