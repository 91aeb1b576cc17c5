import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// The audio that is read if no track is named, and codecs that cannot be decoded.
@Suite struct TrackChoiceTests {
    private static let left = "sine=440:d=1,aformat=channel_layouts=FL"
    private static let right = "sine=900:d=1,aformat=channel_layouts=FR"

    /// Tracks of one channel each, left and right, are one recording.
    @Test(arguments: [false, true], ["pcm_s16le", "pcm_s24le"]) func channelsInTracks(isSwapped: Bool, codec: String)
        throws
    {
        try Fixture.withFolder { folder in
            let inputs = isSwapped ? [Self.right, Self.left] : [Self.left, Self.right]
            try AudioFiles.ffmpeg(
                "-f lavfi -i testsrc2=d=1 -f lavfi -i \(inputs[0]) -f lavfi -i \(inputs[1])",
                "-map 0 -map 1 -map 2 -c:a \(codec) a.mov", in: folder)
            let path = "\(folder)/a.mov"
            let audio = try DecodedAudio(path)
            let parts = [1, 2].map { isSwapped ? 3 - $0 : $0 }
            #expect(audio.info.format.channels == [.left, .right])
            #expect(audio.info.tracks == parts)
            #expect(audio.warnings.isEmpty && audio.isContiguous)
            for (channel, track) in zip(audio.channels, parts) {
                let own = try DecodedAudio(.path(path), track: track)
                #expect(own.info.format.channels == [.mono] && own.channels[0] == channel)
            }
            #expect(audio.channels[0] != audio.channels[1])
            let pipe = try NamedPipe(feeding: try Fixture.bytes(path))
            #expect(try withExtendedLifetime(pipe) { try DecodedAudio(pipe.path) }.hash == audio.hash)
        }
    }

    /// Encoders and recorders end the channels of a recording at different packets.
    @Test func channelsOfDifferentLengths() throws {
        try Fixture.withFolder { folder in
            try AudioFiles.ffmpeg(
                "-f lavfi -i \(Self.left) -f lavfi -i sine=900:d=0.9,aformat=channel_layouts=FR",
                "-map 0 -map 1 -c:a pcm_s16le a.mov", in: folder)
            let audio = try DecodedAudio("\(folder)/a.mov")
            #expect(audio.info.format.channels == [.left, .right] && audio.count == 44_100)
            #expect(audio.channels[1][39_800...].allSatisfy { $0 == 0 })
            #expect(audio.channels[1][..<39_000].contains { $0 != 0 })
        }
    }

    /// Tracks without loudspeakers, of different lengths, or twice the same one are recordings of their own.
    @Test(arguments: [
        ["sine=440:d=1", "sine=900:d=1"], ["\(left)", "sine=900:d=1"], ["\(left)", "\(left)"],
        ["\(left)", "sine=900:d=3,aformat=channel_layouts=FR"],
    ])
    func otherTracks(inputs: [String]) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.ffmpeg(
                "-f lavfi -i \(inputs[0]) -f lavfi -i \(inputs[1]) -map 0 -map 1 -c:a pcm_s16le a.mov", in: folder)
            let audio = try DecodedAudio("\(folder)/a.mov")
            #expect(audio.info.format.channels == [.mono] && audio.info.tracks == [1])
        }
    }

    /// Makes MP4 with two tracks of AAC, in which the first is said to be of another codec.
    private static func file(_ folder: String, _ type: String) throws -> String {
        let path = "\(folder)/two.mp4"
        try AudioFiles.ffmpeg("-f lavfi -i sine=d=1 -map 0 -map 0 -c:a aac two.mp4", in: folder)
        var bytes = try Fixture.bytes(path)
        for (old, new) in [("mp4a", type), ("esds", "free")] {
            let start = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(old.utf8) })
            bytes.replaceSubrange(start..<start + 4, with: new.utf8)
        }
        try AudioFiles.write(bytes, to: path)
        return path
    }

    @Test(arguments: [("apac", "APAC, Apple's spatial audio"), ("mhm1", "MPEG-H 3D Audio"), ("zzzz", "'zzzz'")])
    func codecsThatAreNotSupported(type: String, title: String) throws {
        try Fixture.withFolder { folder in
            let path = try Self.file(folder, type)
            #expect(try DecodedAudio(path).info.tracks == [2], "the one that can be decoded")
            let error = #expect(throws: MediaError.self) { try DecodedAudio(.path(path), track: 1) }
            #expect(error?.kind == .unsupported && error?.reason.contains("its audio codec, \(title), is not") == true)
        }
    }

    /// The AudioSpecificConfig of xHE-AAC has the object type 42 (ISO/IEC 14496-3, table 1.17): five ones, and 10.
    @Test func xHEAAC() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/a.m4a"
            try AudioFiles.ffmpeg("-f lavfi -i sine=d=1 -c:a aac a.m4a", in: folder)
            var bytes = try Fixture.bytes(path)
            // A configuration of five bytes. Mono at 44.1 kHz in AAC-LC: 00010 0100 0001 000.
            let start = try #require(
                (0..<bytes.count - 3).first { bytes[$0..<$0 + 3].elementsEqual([5, 0b0001_0010, 0b0000_1000]) })
            bytes.replaceSubrange(start + 1..<start + 3, with: [0b1111_1001, 0b0100_1000])
            try AudioFiles.write(bytes, to: path)
            let error = #expect(throws: MediaError.self) { try DecodedAudio(path) }
            #expect(error?.kind == .unsupported)
            #expect(error?.reason.contains("its audio codec, xHE-AAC (USAC), is not") == true)
        }
    }
}
