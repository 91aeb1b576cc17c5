internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// A package replaces the files that Wayreel made, and no others.
@Suite struct OwnershipTests {
    /// Calls `body` with the paths of a clip and of a package made of it.
    private static func withPackage(_ body: (_ clip: String, _ package: String) throws -> Void) throws {
        try Fixture.withFolder { folder in
            let clip = folder + "/clip.mp4"
            try PackageSample.make(PackageSample.Clip(seconds: 1), at: clip)
            try PackageSample.package([clip], at: folder + "/hls")
            try body(clip, folder + "/hls")
        }
    }

    /// Names with prefixes or suffixes like those of packages.
    @Test(
        arguments: [
            "family-poster.jpg", "poster.jpg", "my.m4s", "audio/segment-00002.m4s", "old/playlist.m3u8",
            "preview/sheet-1.jpg", "subtitles-notes.txt", "secret-segments.key",
        ], [true, false])
    func filesOfOthersStay(name: String, isRecorded: Bool) throws {
        try Self.withPackage { clip, package in
            if !isRecorded { try SampleVideo.run("rm", [package + "/.wayreel-files"]) }
            try SampleVideo.run("mkdir", ["-p", package + "/old", package + "/preview"])
            try OutputFile.write([1, 2, 3], to: "\(package)/\(name)")
            let error = #expect(throws: MediaError.self) { try PackageSample.package([clip], at: package) }
            #expect(error?.kind == .io && error?.reason.contains("'\(name)'") == true, "\(error?.reason ?? "")")
            #expect(try Fixture.bytes("\(package)/\(name)") == [1, 2, 3])
        }
    }

    /// Packages of older versions have no record: the files named in their playlists are replaced.
    @Test func packagesWithoutARecordAreReplaced() throws {
        try Fixture.withFolder { folder in
            let clip = folder + "/clip.mp4"
            try PackageSample.make(PackageSample.Clip(seconds: 3), at: clip)
            try OutputFile.write(Array("1\n00:00:00,500 --> 00:00:02,000\nHello\n".utf8), to: folder + "/clip.srt")
            var options = TranscodeOptions(
                video: VideoSettings(preset: "ultrafast"),
                subtitles: SubtitleSettings(files: [SubtitleSettings.File(path: folder + "/clip.srt")]))
            for isEncrypted in [false, true] {
                options.delivery = .hls(HLSOptions(isEncrypted: isEncrypted, previewInterval: 1))
                for _ in 0..<2 {
                    try transcode(clip, to: folder + "/hls", options)
                    try SampleVideo.run("rm", [folder + "/hls/.wayreel-files"])
                }
            }
        }
    }

    /// The poster in the folder is recorded too.
    @Test func postersAreRecorded() throws {
        try Self.withPackage { clip, package in
            var options = TranscodeOptions(video: VideoSettings(preset: "ultrafast"), delivery: .hls(HLSOptions()))
            options.poster = PosterOptions()
            for _ in 0..<2 { try transcode(clip, to: package, poster: package + "/poster.jpg", options) }
            #expect(Fixture.listing(package).contains("poster.jpg"))
            let record = String(decoding: try Fixture.bytes(package + "/.wayreel-files"), as: UTF8.self)
            let names = record.split(separator: "\n").dropFirst()
            #expect(names.contains("poster.jpg") && names.contains("master.m3u8"))
            for name in names { #expect(try !Fixture.bytes("\(package)/\(name)").isEmpty) }
        }
    }
}
