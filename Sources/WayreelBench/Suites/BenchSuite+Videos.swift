/// Single videos.
extension BenchSuite {
    static let videos = [
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
            ["transcode", "{in}", "-o", "{out}/", "--hls", "--ladder", ladder(rungs), "--preset", "veryfast"],
            peers: [splitOutputs("veryfast", rungs, hasPoster: false)]),
        BenchSuite(
            "transcode-30s", "30 s of 720p VP8 to 960×540, H.264 medium", [.video],
            input: "scrapbook/bunny-720p-vp8.webm", output: .file("mp4"), isStandard: false,
            ["transcode", "{in}", "-o", "{out}"] + toMedium,
            peers: [Peer("ffmpeg", "ffmpeg", ffmpeg + ["-i", "{in}", "-vf", toQuarterHD] + medium)]),
        ladder30s("veryfast"), ladder30s("medium"), ladder30s("veryfast", isBusy: true),
        ladder30s("veryfast", largest, "-720p", isBusy: true),
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

    private static let medium = x264("medium") + ["-crf", "23"] + aac + ["-movflags", "+faststart", "{out}"]
    private static let copying = ["-c", "copy", "-movflags", "+faststart", "{out}"]

    /// The width, height and kb/s of a rendition.
    private typealias Rung = (width: Int, height: Int, kilobits: Int)

    private static let rungs: [Rung] = [(960, 540, 2000), (768, 432, 1100), (640, 360, 365)]
    /// With a rung of the source's size.
    private static let largest: [Rung] = [(1280, 720, 4500), (960, 540, 2000), (640, 360, 365)]

    private static func ladder(_ rungs: [Rung]) -> String {
        rungs.map { "\($0.width)x\($0.height)@\($0.kilobits)" }.joined(separator: ",")
    }

    private static func ladder30s(
        _ preset: String, _ rungs: [Rung] = rungs, _ suffix: String = "", isBusy: Bool = false
    ) -> BenchSuite {
        BenchSuite(
            "hls-30s\(suffix)-\(preset)" + (isBusy ? "-busy" : ""),
            "30 s of 720p VP8 as HLS in three renditions up to \(rungs[0].height)p (x264 \(preset)), "
                + "with poster and preview"
                + (isBusy ? ", beside a program that keeps one core busy" : ""),
            [.video], input: "scrapbook/bunny-720p-vp8.webm", output: .folder, isStandard: false,
            competitors: isBusy ? 1 : 0,
            ["transcode", "{in}", "-o", "{out}/", "--hls", "--ladder", ladder(rungs), "--preset", preset, "--poster"],
            peers: [splitOutputs(preset, rungs, hasPoster: true), separateRuns(preset, rungs)])
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
    private static func splitOutputs(_ preset: String, _ rungs: [Rung], hasPoster: Bool) -> Peer {
        let scaling = rungs.map { width, height, _ in "[v\(height)i]scale=\(width):\(height)[v\(height)]" }
            .joined(separator: ";")
        let parts = rungs.map { "[v\($0.height)i]" }.joined() + (hasPoster ? "[p]" : "") + "[s]"
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
    private static func separateRuns(_ preset: String, _ rungs: [Rung]) -> Peer {
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
}
