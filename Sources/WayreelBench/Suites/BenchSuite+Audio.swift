/// Levels and plots.
extension BenchSuite {
    static let audio =
        [
            BenchSuite(
                "levels", "levels of an MP3 file, 256 samples per pixel", [.audio, .video], input: "radio/bunny.mp3",
                output: .file("dat"), ["levels", "{in}", "-o", "{out}", "--zoom", "256"],
                peers: meters + [decoding]),
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
                peers: ([oneThread, decoding] + meters).filter { !(cannotRead[$0.name]?.contains(kind) ?? false) })
        }

    private static let hours: [(String, [String])] = [
        ("wav", ["-c:a", "pcm_s16le"]), ("flac", ["-c:a", "flac"]), ("mp3", ["-c:a", "libmp3lame", "-b:a", "192k"]),
        ("m4a", ["-c:a", "aac", "-b:a", "160k"]), ("ogg", ["-c:a", "libvorbis", "-q:a", "5"]),
        ("opus", ["-c:a", "libopus", "-b:a", "128k"]),
    ]

    /// FFmpeg's muxer names that differ from the extension.
    private static let muxers = ["m4a": "ipod"]

    private static let cannotRead: [String: Set<String>] = ["audiowaveform": ["m4a"], "sox stats": ["m4a", "opus"]]

    private static let meters = [
        Peer("audiowaveform", "audiowaveform", ["-q", "-i", "{in}", "-o", "{out}", "-z", "256"]),
        Peer("sox stats", "sox", output: .some(.none), ["{in}", "-n", "stats"]),
    ]

    private static let decoding = Peer(
        "ffmpeg, decode only", "ffmpeg", output: .some(.none),
        ["-nostdin", "-v", "error", "-threads", "1", "-i", "{in}", "-f", "null", "-"])

    private static let oneThread = Peer(
        "wayreel, one thread", needs: [],
        ["{wayreel}", "levels", "{in}", "-o", "{out}", "--zoom", "256", "--jobs", "1"])
}
