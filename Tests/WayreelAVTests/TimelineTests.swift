import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// A click at a time is found at that time, whatever the codec and the container.
@Suite struct TimelineTests {
    static let places = [4800, 24_000, 48_001, 91_234]
    static let count = 96_000

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let arguments: String
        /// Samples that a click may be off.
        var tolerance = 0
        /// Samples that the sound is later than its source.
        var delay = 0
        var rate = 48_000
        /// Samples that the whole may be longer or shorter.
        var lengthTolerance = 0
        /// Whether the container says where the sound ends.
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "click.wav", arguments: "-c:a pcm_s16le"),
        Case(name: "click.w64", arguments: "-c:a pcm_s24le"),
        Case(name: "click.aiff", arguments: "-c:a pcm_s16be"),
        Case(name: "click.caf", arguments: "-c:a pcm_f32le"),
        Case(name: "click.au", arguments: "-c:a pcm_s16be"),
        Case(name: "click.flac", arguments: "-c:a flac"),
        Case(name: "click.wv", arguments: "-c:a wavpack"),
        Case(name: "click.mka", arguments: "-c:a flac"),
        Case(name: "alac.m4a", arguments: "-c:a alac"),
        Case(name: "tta.tta", arguments: "-c:a tta"),
        Case(name: "click.mp3", arguments: "-c:a libmp3lame -b:a 128k", tolerance: 2),
        Case(name: "vbr.mp3", arguments: "-c:a libmp3lame -q:a 4", tolerance: 2),
        Case(name: "low.mp3", arguments: "-ar 24000 -c:a libmp3lame -b:a 64k", tolerance: 2, rate: 24_000),
        Case(name: "aac.m4a", arguments: "-c:a aac -b:a 128k", tolerance: 2),
        Case(name: "aac.mov", arguments: "-c:a aac -b:a 128k", tolerance: 2),
        Case(name: "click.opus", arguments: "-c:a libopus -b:a 96k", tolerance: 3),
        Case(name: "opus.webm", arguments: "-c:a libopus -b:a 96k", tolerance: 3, lengthTolerance: 24),
        Case(name: "opus.mp4", arguments: "-c:a libopus -b:a 96k", tolerance: 3),
        Case(name: "click.ogg", arguments: "-c:a libvorbis -q:a 4", tolerance: 2),
        Case(name: "vorbis.webm", arguments: "-c:a libvorbis -q:a 4", tolerance: 2, lengthTolerance: 1024),
        Case(name: "flac.ogg", arguments: "-c:a flac"),
        Case(name: "adpcm.wav", arguments: "-c:a adpcm_ima_wav", tolerance: 3, lengthTolerance: 2048),
        // Their containers do not tell what the encoder has put in front: AC-3 256 samples, MP2 481, AAC 1024. Their ends
        // are those of the last frame.
        Case(name: "ac3.mp4", arguments: "-c:a ac3 -b:a 192k", tolerance: 2, lengthTolerance: 1536),
        Case(name: "click.ac3", arguments: "-c:a ac3 -b:a 192k", tolerance: 2, delay: 256, lengthTolerance: 2048),
        Case(name: "click.mp2", arguments: "-c:a mp2 -b:a 192k", tolerance: 2, delay: 481, lengthTolerance: 2048),
        Case(name: "click.aac", arguments: "-c:a aac -b:a 128k", tolerance: 2, delay: 1024, lengthTolerance: 3072),
        Case(name: "click.wma", arguments: "-c:a wmav2 -b:a 128k", tolerance: 48, lengthTolerance: 2048),
        Case(name: "aac.mkv", arguments: "-c:a aac -b:a 128k", tolerance: 2, delay: 1024, lengthTolerance: 2048),
        Case(name: "aac.ts", arguments: "-c:a aac -b:a 128k", tolerance: 2, delay: 1024, lengthTolerance: 3072),
    ]

    @Test(arguments: cases) func clickIsWhereItWas(_ example: Case) throws {
        try Fixture.withFolder { folder in
            try SoundFiles.write(SoundFiles.clicks(at: Self.places, count: Self.count), to: "\(folder)/source.wav")
            try SoundFiles.ffmpeg("-i source.wav \(example.arguments) \(example.name)", in: folder)
            let sound = try ReadSound("\(folder)/\(example.name)")
            #expect(sound.info.format.sampleRate == example.rate)
            #expect(sound.isContiguous)
            #expect(sound.outcome.sampleCount == sound.count)
            #expect(sound.outcome.lostPackets == 0 && sound.outcome.gaps == 0)
            #expect(sound.warnings == [])
            let scale = 48_000 / example.rate
            #expect(abs(sound.count - (Self.count / scale)) <= example.lengthTolerance, "length \(sound.count)")
            for place in Self.places {
                let expected = place / scale + example.delay
                let found = sound.peak(near: expected, channel: 1) ?? -1
                #expect(abs(found - expected) <= example.tolerance, "found at \(found) instead of \(expected)")
            }
        }
    }
}
