internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

/// A simultaneous flash and beep remain simultaneous in the output of every path, as decoded by ffmpeg.
@Suite struct LipSyncTests {
    /// The encoding of a source with flashes and beeps, and its transcode.
    struct Path: Sendable, CustomTestStringConvertible {
        var name: String
        var ending: String
        var coding: [String]
        /// Seconds from ``instants`` to the source's own flashes and beeps.
        var delay = 0.0
        var options = TranscodeOptions()

        var testDescription: String { name }

        static func encoded(_ name: String, _ ending: String, _ coding: [String], delay: Double = 0) -> Path {
            let options = TranscodeOptions(
                video: VideoSettings(preset: "ultrafast", alwaysEncodes: true), audio: AudioSettings(loudness: -20))
            return Path(name: name, ending: ending, coding: coding, delay: delay, options: options)
        }
    }

    private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]

    static let paths: [Path] = [
        .encoded("MP4 with an encoder's delay", "mp4", h264 + ["-bf", "2", "-c:a", "aac"]),
        .encoded("WebM with Opus", "webm", ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]),
        .encoded("Matroska with FLAC of 44100 Hz", "mkv", h264 + ["-c:a", "flac", "-ar", "44100"]),
        .encoded("transport stream, which begins at 1.4 s", "ts", h264 + ["-c:a", "aac"]),
        .encoded("5.1 that is mixed down", "mov", h264 + ["-c:a", "ac3", "-ac", "6"]),
        .encoded(
            "five frames per second that begin between two grid points", "mp4",
            ["-vf", "framestep=5,settb=1/90000,setpts=PTS+7200", "-af", "adelay=80:all=1", "-vsync", "passthrough"]
                + ["-enc_time_base", "1/90000"] + h264 + ["-c:a", "aac"],
            delay: 0.08),
        // FFmpeg's muxer delays the video by the delay of its audio encoder.
        .encoded(
            "Windows Media", "wmv", ["-c:v", "wmv2", "-q:v", "3", "-c:a", "wmav2"], delay: 2048.0 / 48_000),
        .encoded("AVI with PCM", "avi", h264 + ["-bf", "0", "-c:a", "pcm_s16le"]),
        Path(
            name: "both copied", ending: "mp4",
            coding: ["-c:v", "libx264", "-g", "25", "-bf", "2", "-pix_fmt", "yuv420p", "-b:v", "300k", "-c:a", "aac"]),
        Path(
            name: "video copied, audio encoded", ending: "mov",
            coding: ["-c:v", "libx264", "-g", "25", "-bf", "2", "-pix_fmt", "yuv420p", "-b:v", "300k", "-c:a", "ac3"]),
    ]

    /// Seconds of the flashes and beeps, which last 40 ms and 80 ms.
    private static let instants = [1.0, 2.4, 3.6]

    private static func makeSource(_ path: String, _ coding: [String]) throws {
        let flash = instants.map { "between(t,\($0)-0.001,\($0)+0.039)" }.joined(separator: "+")
        let beep = instants.map { "between(t,\($0),\($0)+0.08)" }.joined(separator: "+")
        try SampleVideo.make(
            [
                "-f", "lavfi", "-i",
                "color=black:s=128x96:r=25:d=5,geq=lum='if(\(flash.replacingT()),235,16)':cb=128:cr=128",
                "-f", "lavfi", "-i", "aevalsrc='0.5*sin(2*PI*1000*t)*(\(beep))':s=48000:d=5:c=stereo",
            ] + coding + [path])
    }

    @Test(arguments: paths) func flashAndBeepStayTogether(_ path: Path) throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.\(path.ending)"
            try Self.makeSource(source, path.coding)
            let output = "\(folder)/out.mp4"
            try TranscodeTests.transcode(source, to: output, path.options)
            let flashes = try Self.flashes(in: output)
            let beeps = try Self.beeps(in: output)
            #expect(flashes.count == Self.instants.count && beeps.count == Self.instants.count)
            for (flash, beep) in zip(flashes, beeps) { #expect(abs(flash - beep) < 0.02, "\(flashes) \(beeps)") }
            // The timeline is also unchanged, except for the encoder delay, which a transport stream does not declare.
            for (flash, instant) in zip(flashes, Self.instants) {
                #expect(abs(flash - instant - path.delay) < 0.045, "\(flashes)")
            }
        }
    }

    /// Returns the times of the first bright frames.
    private static func flashes(in path: String) throws -> [Double] {
        let times = try Played.numbers("frame=pts_time", of: path, streams: "v")
        let grey = try SampleVideo.ffmpeg(
            [
                "-i", path, "-map", "0:v", "-vsync", "passthrough", "-vf", "scale=1:1:flags=area,format=gray", "-f",
                "rawvideo", "-",
            ]
        ).output
        let bright = zip(times, grey).map { ($0, $1 > 128) }
        return zip([(0.0, false)] + bright, bright).filter { !$0.1 && $1.1 }.map { $1.0 }
    }

    /// Returns the times at which the audio begins after silence.
    static func beeps(in path: String) throws -> [Double] {
        let bytes = try SampleVideo.ffmpeg(
            ["-i", path, "-map", "0:a", "-af", "aresample=48000:first_pts=0", "-ac", "1", "-f", "s16le", "-"]
        ).output
        let samples = (0..<bytes.count / 2).map {
            Int16(bitPattern: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8)
        }
        let peak = samples.map { abs(Int($0)) }.max() ?? 0
        var beeps: [Double] = []
        var lastLoud = -10_000
        for (index, sample) in samples.enumerated() where abs(Int(sample)) > peak / 4 {
            if index - lastLoud > 9600 { beeps.append(Double(index) / 48_000) }
            lastLoud = index
        }
        return beeps
    }
}

extension String {
    /// Returns the expression with `T` instead of `t`, for filters that count in frames.
    fileprivate func replacingT() -> String {
        split(separator: "(t,", omittingEmptySubsequences: false).joined(separator: "(T,")
    }
}
