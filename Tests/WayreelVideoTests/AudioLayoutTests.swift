internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// Silence before or within the audio does not mix up the channels.
@Suite struct AudioLayoutTests {
    /// Returns the loudest sample of a channel between two times, in dB, as measured by FFmpeg's volumedetect.
    private func peak(of path: String, channel: Int, _ from: Double, _ to: Double) throws -> Double {
        let text = try SampleVideo.run(
            "ffmpeg",
            [
                "-nostdin", "-i", path, "-af",
                "pan=mono|c0=c\(channel),atrim=\(from):\(to),volumedetect", "-f", "null", "-",
            ]
        ).errors
        let words = text.split(separator: " ").map(String.init)
        return words.firstIndex(of: "max_volume:").flatMap { Double(words[$0 + 1]) } ?? .nan
    }

    /// A sine of −18 dB on the left, nothing on the right, from 0.5 s to 2.5 s and from 3.5 s to 5.5 s. Decoders return
    /// planar or interleaved samples.
    @Test(arguments: ["libvorbis", "libopus", "libmp3lame", "ac3", "flac", "pcm_s16le"]) func channelsStayApart(
        _ codec: String
    )
        throws
    {
        try Fixture.withFolder { folder in
            let (part, source, output) = ("\(folder)/part.mka", "\(folder)/source.mkv", "\(folder)/out.mp4")
            try SampleVideo.make([
                "-f", "lavfi", "-i", "sine=f=440:r=48000:d=2,pan=stereo|c0=c0|c1=0*c0", "-c:a", codec, part,
            ])
            let list = "file part.mka\nduration 3\nfile part.mka\n"
            try OutputFile.write(Array(list.utf8), to: "\(folder)/list")
            try SampleVideo.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=5.5", "-itsoffset", "0.5", "-f", "concat", "-i",
                "\(folder)/list", "-c:v", "mpeg4", "-c:a", "copy", source,
            ])
            let options = TranscodeOptions(video: VideoSettings(preset: "ultrafast"))
            try TranscodeTests.transcode(source, to: output, options)
            for (from, to) in [(0, 0.4), (2.6, 3.4)] {
                #expect(try peak(of: output, channel: 0, from, to) < -50)
            }
            for (from, to) in [(0.6, 2.4), (3.6, 5.4)] {
                #expect(abs(try peak(of: output, channel: 0, from, to) + 18) < 1)
                #expect(try peak(of: output, channel: 1, from, to) < -50)
            }
        }
    }
}
