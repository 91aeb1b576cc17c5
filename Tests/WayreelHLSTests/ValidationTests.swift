internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// Folders that violate one rule each.
@Suite struct ValidationTests {
    /// A valid package of two renditions and audio.
    static let good = Result { try Original() }

    /// A package, and the means to copy it.
    final class Original: Sendable {
        let folder = TemporaryFolder()

        init(
            _ clips: [PackageSample.Clip] = [PackageSample.Clip(), small()],
            options: HLSOptions = HLSOptions(previewInterval: nil)
        ) throws {
            let files = clips.indices.map { "\(folder.path)/\($0).mp4" }
            for (clip, file) in zip(clips, files) { try PackageSample.make(clip, at: file) }
            try PackageSample.package(files, at: path, options: options)
        }

        static func small() -> PackageSample.Clip {
            var clip = PackageSample.Clip()
            clip.size = "96x54"
            clip.hasAudio = false
            return clip
        }

        /// Makes a package like `wayreel transcode --hls`, with a preview.
        init(transcoded clip: PackageSample.Clip, previewInterval: Double?, subtitles: String? = nil) throws {
            let file = "\(folder.path)/clip.mp4"
            try PackageSample.make(clip, at: file)
            let ladder = [LadderRung(box: PixelSize(width: 160, height: 90), bitRate: 200_000)]
            let hls = HLSOptions(ladder: ladder, previewInterval: previewInterval)
            var settings: SubtitleSettings?
            if let subtitles {
                let path = "\(folder.path)/clip.srt"
                try OutputFile.write(Array(subtitles.utf8), to: path)
                settings = SubtitleSettings(files: [SubtitleSettings.File(path: path, language: "en")])
            }
            try transcode(
                file, to: path,
                TranscodeOptions(video: VideoSettings(preset: "ultrafast"), subtitles: settings, delivery: .hls(hls)))
        }

        var path: String { folder.path + "/hls" }

        /// Returns the findings in a copy after `change`.
        func findings(isDeep: Bool = false, after change: (Edited) throws -> Void) throws -> HLSValidation {
            try Fixture.withFolder { copy in
                try SampleVideo.run("cp", ["-r", path, copy + "/hls"])
                try change(Edited(folder: copy + "/hls"))
                return try HLSValidator(isDeep: isDeep).validate(copy + "/hls")
            }
        }
    }

    /// A copy of a package that is being modified.
    struct Edited {
        var folder: String

        func text(_ file: String) throws -> String {
            String(decoding: try Fixture.bytes("\(folder)/\(file)"), as: UTF8.self)
        }

        /// Replaces all occurrences of `old`, which must exist.
        func replace(_ old: String, _ new: String, in files: String...) throws {
            for file in files {
                let parts = try text(file).split(separator: old, omittingEmptySubsequences: false)
                try #require(parts.count > 1, "\(old) in \(file)")
                try OutputFile.write(Array(parts.joined(separator: new).utf8), to: "\(folder)/\(file)")
            }
        }

        /// Removes the lines that begin with `start`.
        func drop(_ start: String, in files: String...) throws {
            for file in files {
                let lines = try text(file).split(separator: "\n").filter { !$0.hasPrefix(start) }
                try OutputFile.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "\(folder)/\(file)")
            }
        }

        /// Changes the lines of the master playlist.
        func changeMaster(_ body: ([String]) throws -> [String]) throws {
            let lines = try body(try text("master.m3u8").split(separator: "\n").map(String.init))
            try OutputFile.write(Array(lines.joined(separator: "\n").utf8), to: folder + "/master.m3u8")
        }

        func change(_ file: String, _ body: (inout [UInt8]) throws -> Void) throws {
            var bytes = try Fixture.bytes("\(folder)/\(file)")
            try body(&bytes)
            try OutputFile.write(bytes, to: "\(folder)/\(file)")
        }

        /// Delays all segments of a rendition, on the clock of its track.
        func shift(_ rendition: String, seconds: Double) throws {
            let header = try Fixture.bytes("\(folder)/\(rendition)/init.mp4")
            let scale = Self.number(header, at: try Self.offset(of: "mdhd", in: header) + 16, count: 4)
            for index in 1...3 {
                try change("\(rendition)/segment-0000\(index).m4s") { bytes in
                    let offsets = bytes.indices.dropLast(16).filter { bytes[$0..<$0 + 4].elementsEqual("tfdt".utf8) }
                    for offset in offsets {
                        // Version 1: 64 bits.
                        try #require(bytes[offset + 4] == 1)
                        let time = Self.number(bytes, at: offset + 8, count: 8) + UInt64(seconds * Double(scale))
                        for byte in 0..<8 {
                            bytes[offset + 8 + byte] = UInt8(truncatingIfNeeded: time >> UInt64(56 - 8 * byte))
                        }
                    }
                }
            }
        }

        fileprivate static func offset(of type: String, in bytes: [UInt8]) throws -> Int {
            try #require(bytes.indices.dropLast(16).first { bytes[$0..<$0 + 4].elementsEqual(type.utf8) })
        }

        private static func number(_ bytes: [UInt8], at offset: Int, count: Int) -> UInt64 {
            bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
        }

        /// Changes the bytes in the middle third of the stream data in the first fragment of a segment.
        func spoil(_ file: String, _ body: (inout ArraySlice<UInt8>) -> Void) throws {
            try change(file) { bytes in
                let start = try Self.offset(of: "mdat", in: bytes) + 4
                let third = (Int(Self.number(bytes, at: start - 8, count: 4)) - 8) / 3
                body(&bytes[start + third..<start + 2 * third])
            }
        }

        func remove(_ file: String) throws { try SampleVideo.run("rm", ["\(folder)/\(file)"]) }
    }

    static let a = "1-160x90/playlist.m3u8"
    static let b = "2-96x54/playlist.m3u8"
    static let audio = "audio/playlist.m3u8"

    @Test func findsNothingInAGoodPackage() throws {
        let result = try HLSValidator().validate(Self.good.get().path)
        #expect(result.violations == [], "\(result.violations)")
        #expect(result.isValid)
        // Three media playlists of three segments, and two of seven keyframes.
        #expect(result.playlists == 6)
        #expect(result.segments == 3 * 3 + 2 * 7)
        #expect(abs(result.seconds - 13) < 0.02)
    }

    /// A change to a valid package, and the only rules that it violates.
    struct Case: CustomTestStringConvertible {
        var rules: Set<HLSRule>
        var change: @Sendable (Edited) throws -> Void

        init(_ rules: HLSRule..., change: @escaping @Sendable (Edited) throws -> Void) {
            self.rules = Set(rules)
            self.change = change
        }

        var testDescription: String { rules.map(\.rawValue).sorted().joined(separator: " ") }
    }

    static let cases: [Case] = [
        Case(.masterPlaylist) { try $0.remove("master.m3u8") },
        Case(.masterPlaylist) {
            try $0.drop("#EXT-X-STREAM", in: "master.m3u8"); try $0.drop("1-", in: "master.m3u8");
            try $0.drop("2-", in: "master.m3u8")
        },
        Case(.playlistSyntax) { try $0.replace("#EXT-X-ENDLIST", "#EXT-X-ENDLIST\n#EXT-X-ENDLIST", in: a) },
        Case(.playlistSyntax) { try $0.replace("#EXTM3U", "#EXTM3V", in: b) },
        // Digits are hexadecimal, and have no sign.
        Case(.playlistSyntax) { try $0.replace("segment-00003", "segment-0000%+3", in: a) },
        Case(.missingFile) { try $0.remove("1-160x90/segment-00002.m4s") },
        Case(.missingFile) { try $0.remove("audio/playlist.m3u8") },
        Case(.missingFile) { try $0.remove("audio/init.mp4") },
        Case(.outsideFolder) { try $0.replace("segment-00003", "../../segment-00003", in: a) },
        Case(.outsideFolder) { try $0.replace("segment-00003", "http://127.0.0.1/segment-00003", in: audio) },
        Case(.outsideFolder) { try $0.replace("segment-00003.m4s", "/etc/passwd", in: b) },
        Case(.outsideFolder) {
            try SampleVideo.run("ln", ["-sf", "/etc/passwd", $0.folder + "/audio/segment-00003.m4s"])
        },
        Case(.version) { try $0.replace("VERSION:7", "VERSION:5", in: a) },
        Case(.version) { try $0.replace("VERSION:7", "VERSION:4", in: "2-96x54/iframes.m3u8") },
        Case(.vod) { try $0.replace("TYPE:VOD", "TYPE:EVENT", in: a) },
        Case(.vod) { try $0.drop("#EXT-X-PLAYLIST-TYPE", in: audio) },
        Case(.endOfList) { try $0.drop("#EXT-X-ENDLIST", in: audio) },
        Case(.independentSegments) { try $0.drop("#EXT-X-INDEPENDENT", in: "master.m3u8", a) },
        Case(.targetDuration) { try $0.replace("TARGETDURATION:6", "TARGETDURATION:5", in: a) },
        Case(.segmentLength) { try $0.replace("TARGETDURATION:6", "TARGETDURATION:8", in: a) },
        Case(.initSegment) { try $0.drop("#EXT-X-MAP", in: a) },
        Case(.initSegment) { try $0.change("audio/init.mp4") { $0 = Array($0.prefix(40)) } },
        Case(.damagedSegment) { try $0.change("1-160x90/segment-00002.m4s") { $0 = $0.map { _ in 0x55 } } },
        Case(.damagedSegment) { try $0.change("1-160x90/segment-00003.m4s") { $0.removeLast(10) } },
        Case(.damagedSegment) { try $0.change("audio/segment-00001.m4s") { $0.removeLast() } },
        Case(.segmentDuration) { try $0.replace("6.000000,\nsegment-00002", "5.900000,\nsegment-00002", in: a) },
        Case(.totalDuration) { try $0.replace("6.000000", "6.030000", in: a) },
        Case(.timestampGap) { edited in
            // The time of the first and only fragment.
            try edited.change("audio/segment-00003.m4s") { bytes in
                let offset = try Edited.offset(of: "tfdt", in: bytes)
                bytes[offset + 15] &+= 0x10
                bytes[offset + 14] &+= 0x10
            }
        },
        Case(.streamChange) {
            try $0.replace(
                "#EXTINF:1.000000,\nsegment-00003.m4s",
                "#EXT-X-MAP:URI=\"../2-96x54/init.mp4\"\n#EXTINF:1.0,\n../2-96x54/segment-00003.m4s", in: a)
        },
        Case(.codecs) { try $0.replace(",mp4a.40.2", "", in: "master.m3u8") },
        Case(.codecs) { try $0.replace("CODECS=\"avc1.4d", "CODECS=\"avc1.64", in: "master.m3u8") },
        Case(.resolution) { try $0.replace("=96x54", "=192x108", in: "master.m3u8") },
        Case(.resolution) { try $0.replace("=96x54", "=\"96x54\"", in: "master.m3u8") },
        Case(.audioChannels) { try $0.replace("CHANNELS=\"", "CHANNELS=\"1", in: "master.m3u8") },
        Case(.renditionGroup) {
            try $0.changeMaster { lines in lines.flatMap { $0.hasPrefix("#EXT-X-MEDIA:") ? [$0, $0] : [$0] } }
        },
        Case(.alignedDiscontinuities) {
            try $0.replace("segment-00001.m4s", "segment-00001.m4s\n#EXT-X-DISCONTINUITY", in: b)
        },
        Case(.frameRate) { try $0.replace("25.000", "30.000", in: "master.m3u8") },
        Case(.frameRate) { try $0.replace(",FRAME-RATE=25.000", "", in: "master.m3u8") },
        Case(.frameRate, .frameRateLimit) { try $0.replace("25.000", "75.000", in: "master.m3u8") },
        Case(.bandwidth) { try $0.replace("INF:BANDWIDTH=", "INF:BANDWIDTH=1", in: "master.m3u8") },
        Case(.averageBandwidth, .firstVariant) {
            try $0.replace("AVERAGE-BANDWIDTH=", "AVERAGE-BANDWIDTH=9", in: "master.m3u8")
        },
        Case(.firstVariant) {
            try $0.changeMaster { lines in
                let line = try #require(lines.firstIndex { $0.hasPrefix("#EXT-X-STREAM-INF") })
                var swapped = lines
                swapped.replaceSubrange(line..<line + 4, with: lines[line + 2..<line + 4] + lines[line..<line + 2])
                return swapped
            }
        },
        Case(.audioGroup, .codecs, .bandwidth, .averageBandwidth) {
            try $0.replace("AUDIO=\"audio\"", "AUDIO=\"music\"", in: "master.m3u8")
        },
        Case(.iFramePlaylist) { try $0.drop("#EXT-X-I-FRAME-STREAM-INF", in: "master.m3u8") },
        Case(.iFrameEntries) { try $0.drop("#EXT-X-I-FRAMES-ONLY", in: "1-160x90/iframes.m3u8") },
        Case(.playlistSyntax) { edited in
            try edited.drop("#EXT-X-MEDIA-SEQUENCE", in: a)
            try edited.replace("segment-00001.m4s", "segment-00001.m4s\n#EXT-X-MEDIA-SEQUENCE:1", in: a)
        },
        Case(.videoRange) { try $0.replace(",FRAME-RATE", ",VIDEO-RANGE=PQ,FRAME-RATE", in: "master.m3u8") },
        Case(.repeatedVariant) {
            try $0.changeMaster { lines in
                let line = try #require(lines.firstIndex { $0.hasPrefix("#EXT-X-STREAM-INF") })
                return lines + lines[line...(line + 1)]
            }
        },
        // The priming samples of the encoder, which are not played, then count.
        Case(.alignedStarts, .totalDuration) { try $0.shift("audio", seconds: 1) },
        Case(.alignedStarts, .totalDuration) { try $0.shift("audio", seconds: 0.75) },
        Case(.alignedStarts) { try $0.shift("2-96x54", seconds: 1) },
        Case(.alignedStarts) { try $0.shift("2-96x54", seconds: 0.2) },
        // The first frame of the second segment becomes another type of frame.
        Case(.segmentStart, .alignedKeyFrames, .iFrameEntries, .keyFrameInterval) { edited in
            try edited.change("1-160x90/segment-00002.m4s") { bytes in
                let offset = try Edited.offset(of: "mdat", in: bytes)
                // NAL units preceded by their lengths.
                var unit = offset + 4
                while bytes[unit + 4] & 0x1F != 5 {
                    unit += 4 + bytes[unit..<unit + 4].reduce(0) { $0 << 8 | Int($1) }
                }
                bytes[unit + 4] = 0x41
            }
        },
    ]

    @Test(arguments: cases.indices)
    func findsEachViolation(_ index: Int) throws {
        let one = Self.cases[index]
        let result = try Self.good.get().findings(after: one.change)
        #expect(Set(result.violations.map(\.rule)) == one.rules, "\(one.testDescription): \(result.violations)")
        #expect(result.isValid == one.rules.allSatisfy { $0.severity == .warning })
    }

    /// Changes to the bytes of frames and audio packets.
    enum Damage: String, CaseIterable {
        case zeros, garbage, flippedBits

        func spoil(_ bytes: inout ArraySlice<UInt8>) {
            var random = SeededRandom(seed: 5)
            for index in bytes.indices {
                switch self {
                case .zeros: bytes[index] = 0
                case .garbage: bytes[index] = UInt8.random(in: 0...255, using: &random)
                // One in 64 bytes.
                case .flippedBits where (index - bytes.startIndex) % 64 == 33: bytes[index] ^= 0x10
                case .flippedBits: break
                }
            }
        }
    }

    @Test(arguments: Damage.allCases, ["1-160x90", "audio"])
    func findsDamageInsideOfSegmentsWhereItDecodes(_ damage: Damage, _ rendition: String) throws {
        let file = rendition + "/segment-00002.m4s"
        let result = try Self.good.get().findings(isDeep: true) { try $0.spoil(file, damage.spoil) }
        let found = result.violations.filter { $0.rule == .decoding }
        #expect(found.count == 1 && found[0].location.hasPrefix("\(rendition)/playlist.m3u8:"), "\(result.violations)")
        #expect(found.first?.found.contains("segment-00002.m4s cannot be decoded without errors") == true)
        #expect(!result.isValid)
    }

    /// Without decoding, damage that the container does not reveal is not detected.
    @Test func decodesOnlyWhereAskedTo() throws {
        let result = try Self.good.get().findings { try $0.spoil("audio/segment-00002.m4s", Damage.garbage.spoil) }
        #expect(result.violations == [], "\(result.violations)")
    }

    @Test func findsNothingInGoodPackagesThatItDecodes() throws {
        let deep = HLSValidator(isDeep: true, threads: 2)
        #expect(try deep.validate(Self.good.get().path).violations == [])
        let encrypted = try Original(options: HLSOptions(isEncrypted: true, previewInterval: nil))
        #expect(try deep.validate(encrypted.path).violations.map(\.rule) == [.exposedKey])
        let made = try Original(transcoded: PackageSample.Clip(), previewInterval: 2)
        #expect(try deep.validate(made.path).violations == [])
        var hevc = PackageSample.Clip()
        hevc.codec = "-c:v libx265 -preset ultrafast -tag:v hvc1 -x265-params open-gop=0:log-level=0".split(
            separator: " "
        )
        .map(String.init)
        let other = try Original([hevc])
        #expect(!(try deep.validate(other.path).violations.map(\.rule).contains(.decoding)))
    }

    /// Changes to the preview of a valid package.
    static let previewCases: [@Sendable (Edited) throws -> Void] = [
        { try $0.remove("preview/sheet-1.jpg") }, { try $0.remove("preview/thumbnails.vtt") },
        { try $0.change("preview/sheet-1.jpg") { $0.removeLast($0.count / 2) } },
        { try $0.replace("sheet-1.jpg", "sheet-9.jpg", in: "preview/thumbnails.vtt") },
        { try $0.replace("sheet-1.jpg", "../../sheet-1.jpg", in: "preview/thumbnails.vtt") },
        { try $0.replace("xywh=0,", "xywh=9000,", in: "preview/thumbnails.vtt") },
        { try $0.replace("WEBVTT", "FOO", in: "preview/thumbnails.vtt") },
        { try $0.replace("00:00:04.000 -->", "00:00:03.000 -->", in: "preview/thumbnails.vtt") },
        { try $0.replace("00:00:13.", "00:00:19.", in: "preview/thumbnails.vtt") },
        { try $0.replace(" --> ", " - ", in: "preview/thumbnails.vtt") },
        // WebVTT has at most 59 minutes and seconds, and a full stop before the milliseconds.
        { try $0.replace("00:00:04.000 -->", "00:60:04.000 -->", in: "preview/thumbnails.vtt") },
        { try $0.replace("00:00:04.000 -->", "00:00:04,000 -->", in: "preview/thumbnails.vtt") },
    ]

    @Test func looksAtThePreview() throws {
        let original = try Original(transcoded: PackageSample.Clip(), previewInterval: 2)
        defer { withExtendedLifetime(original) {} }
        #expect(try HLSValidator().validate(original.path).violations == [])
        // Lines of WebVTT may end as those of Windows do.
        let windows = try original.findings { try $0.replace("\n", "\r\n", in: "preview/thumbnails.vtt") }
        #expect(windows.violations == [])
        for (index, change) in Self.previewCases.enumerated() {
            let result = try original.findings(after: change)
            #expect(Set(result.violations.map(\.rule)) == [.preview], "\(index): \(result.violations)")
        }
    }

    // MARK: Subtitles

    private static let cues = "subtitles-1-en/segment-00001.vtt"

    private static let subtitleCases: [Case] = [
        Case(.subtitleSegment) { try $0.change(cues) { $0 = Array("garbage\n".utf8) } },
        Case(.subtitleSegment) { try $0.change(cues) { $0 = Array("WEBVTTX\n".utf8) } },
        Case(.subtitleSegment) { try $0.change(cues) { $0 = [0xFF, 0xFE, 0x41] } },
        Case(.subtitleSegment) { try $0.replace("MPEGTS:0", "MPEGTS:-1", in: cues) },
        Case(.subtitleSegment) { try $0.replace("LOCAL:", "REMOTE:", in: cues) },
        Case(.subtitleSegment) { try $0.replace("00:00:01.000 -->", "00:00:1s -->", in: cues) },
        Case(.missingFile) { try $0.remove(cues) },
        Case(.missingFile) { try $0.remove("subtitles-1-en/playlist.m3u8") },
        // 90 kHz: 100 s late, and nearly 100 s early on a clock of 33 bits.
        Case(.subtitleTime) { try $0.replace("MPEGTS:0", "MPEGTS:9000000", in: cues) },
        Case(.subtitleTime) { try $0.replace("MPEGTS:0", "MPEGTS:8580934592", in: cues) },
        Case(.subtitleTime) { try $0.replace("LOCAL:00:00:00", "LOCAL:00:00:30", in: cues) },
        Case(.subtitleGroup) { try $0.replace("SUBTITLES=\"", "SUBTITLES=\"x", in: "master.m3u8") },
        Case(.vod) { try $0.replace("TYPE:VOD", "TYPE:EVENT", in: "subtitles-1-en/playlist.m3u8") },
        Case(.language) { try $0.replace("LANGUAGE=\"en\"", "LANGUAGE=\"zz-!!\"", in: "master.m3u8") },
        Case(.language) { try $0.replace("LANGUAGE=\"en\"", "LANGUAGE=\"en_GB\"", in: "master.m3u8") },
    ]

    @Test func looksAtTheSubtitles() throws {
        let subtitles = "1\n00:00:01,000 --> 00:00:02,500\nThe bell\n\n2\n00:00:05,000 --> 00:00:07,000\nrings\n"
        let original = try Original(
            transcoded: PackageSample.Clip(), previewInterval: nil, subtitles: subtitles)
        defer { withExtendedLifetime(original) {} }
        #expect(try HLSValidator().validate(original.path).violations == [])
        // What other packagers write: a map in another order, a mark in front, and a clock that has begun anew.
        let variations = ["LOCAL:00:00:00.000,MPEGTS:0", "MPEGTS:8589934592,LOCAL:00:00:00.000"]
        for variation in variations {
            let result = try original.findings {
                try $0.replace("MPEGTS:0,LOCAL:00:00:00.000", variation, in: Self.cues)
                try $0.replace("WEBVTT\n", "\u{FEFF}WEBVTT - The bell\n", in: Self.cues)
            }
            #expect(result.violations == [], "\(variation)")
        }
        for (index, item) in Self.subtitleCases.enumerated() {
            let result = try original.findings(after: item.change)
            #expect(Set(result.violations.map(\.rule)) == item.rules, "\(index): \(result.violations)")
        }
    }

    /// Clips that produce a package which violates a rule.
    struct Pair: CustomTestStringConvertible {
        var rules: Set<HLSRule>
        var clips: [PackageSample.Clip]

        init(_ rules: HLSRule..., clips change: (inout [PackageSample.Clip]) -> Void) {
            self.rules = Set(rules)
            clips = [PackageSample.Clip(), Original.small()]
            change(&clips)
        }

        var testDescription: String { rules.map(\.rawValue).sorted().joined(separator: " ") }
    }

    static let pairs: [Pair] = [
        Pair(.alignedSegments) { $0[1].keyInterval = 40 },
        Pair(.alignedKeyFrames) { $0[1].keyInterval = 25 },
        Pair(.matchingDurations) { $0[1].seconds = 12.6 },
        Pair(.keyFrameInterval) { for index in 0...1 { $0[index].keyInterval = 75 } },
        Pair(.audioRate) { $0[0].more = ["-b:a", "16k"] },
        Pair(.frameRateLimit) {
            $0 = [$0[0]]
            ($0[0].rate, $0[0].keyInterval, $0[0].seconds) = ("90", 180, 7)
        },
        Pair(.peakRate) {
            $0 = [$0[0]]
            $0[0].seconds = 24
            $0[0].more = ["-vf", "noise=alls=100:allf=t:enable='lt(t,6)',drawbox=t=fill:c=black:enable='gte(t,6)'"]
        },
    ]

    @Test(arguments: pairs.indices)
    func findsWhatClipsBreak(_ index: Int) throws {
        let pair = Self.pairs[index]
        let original = try Original(pair.clips)
        let result = try withExtendedLifetime(original) { try HLSValidator().validate(original.path) }
        #expect(Set(result.violations.map(\.rule)) == pair.rules, "\(result.violations)")
    }

    @Test func looksIntoEncryptedSegments() throws {
        let original = try Original(options: HLSOptions(isEncrypted: true, previewInterval: nil))
        defer { withExtendedLifetime(original) {} }
        let result = try HLSValidator().validate(original.path)
        #expect(result.violations.map(\.rule) == [.exposedKey], "\(result.violations)")
        #expect(result.isValid)
        let spoilt = try original.findings { try $0.change("segments.key") { $0[0] ^= 1 } }
        #expect(Set(spoilt.violations.map(\.rule)) == [.encryption, .exposedKey], "\(spoilt.violations)")
        let signed = try original.findings { copy in
            let text = try copy.text(Self.a)
            let iv = try #require(text.split(separator: "IV=").dropFirst().first).prefix { !$0.isNewline && $0 != "," }
            try copy.replace("IV=\(iv)", "IV=0x+F", in: Self.a)
        }
        #expect(signed.violations.contains { $0.rule == .playlistSyntax && $0.found.contains("IV") })
        // The key is elsewhere and is passed explicitly.
        let key = try Fixture.bytes(original.path + "/segments.key")
        try Fixture.withFolder { copy in
            try SampleVideo.run("cp", ["-r", original.path, copy + "/hls"])
            try SampleVideo.run("rm", [copy + "/hls/segments.key"])
            #expect(try HLSValidator(key: key).validate(copy + "/hls").violations == [])
            #expect(try !HLSValidator().validate(copy + "/hls").isValid)
        }
        #expect(throws: MediaError.self) { try HLSValidator(key: [1, 2]).validate(original.path) }
    }

    /// Two keys have equal relative URIs; the second key is wrong.
    @Test func findsTheKeyBesideEachPlaylist() throws {
        let original = try Original(
            [PackageSample.Clip(), Original.small()], options: HLSOptions(isEncrypted: true, previewInterval: nil))
        defer { withExtendedLifetime(original) {} }
        let result = try original.findings { copy in
            try copy.replace("../segments.key", "own.key", in: Self.a, Self.b)
            try SampleVideo.run("cp", ["\(copy.folder)/segments.key", "\(copy.folder)/1-160x90/own.key"])
            try SampleVideo.run("cp", ["\(copy.folder)/segments.key", "\(copy.folder)/2-96x54/own.key"])
            try copy.change("2-96x54/own.key") { $0[0] ^= 1 }
        }
        let locations = Set(result.violations.filter { $0.rule == .encryption }.map { $0.location.prefix(8) })
        #expect(locations == ["2-96x54/"], "\(result.violations)")
    }

    /// A duration is decimal, to its end.
    @Test(arguments: ["0x6", "6\0", "6\0.5", "inf"]) func durationsAreNumbers(text: String) throws {
        let result = try Self.good.get().findings { copy in
            try copy.replace("6.000000,\nsegment-00002", "\(text),\nsegment-00002", in: Self.a)
        }
        #expect(
            result.violations.contains { $0.rule == .playlistSyntax && $0.found.contains("#EXTINF is not a duration") })
    }

    /// Numbers that would overflow, and lists that would never end.
    @Test func survivesNumbersAndListsWithoutMeasure() throws {
        let end = "#EXTINF:1,\n#EXT-X-BYTERANGE:9007199254740991\nsegment-00001.m4s\n"
        let ranges = try Self.good.get().findings { copy in
            let first = end.replacing("991\n", with: "991@9007199254740991\n")
            try OutputFile.write(
                Array((try copy.text(Self.a) + first + String(repeating: end, count: 2000)).utf8),
                to: "\(copy.folder)/\(Self.a)")
        }
        #expect(ranges.violations.contains { $0.rule == .playlistSyntax && $0.found.contains("byte range") })
        let attributes = try Self.good.get().findings { copy in
            let list = (0..<100_000).map { "A\($0)=1" }.joined(separator: ",")
            try copy.replace("#EXT-X-STREAM-INF:", "#EXT-X-STREAM-INF:\(list),", in: "master.m3u8")
        }
        #expect(attributes.violations.contains { $0.rule == .playlistSyntax })
        let variants = try Self.good.get().findings { copy in
            let more = String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\n\(Self.a)\n", count: 1001)
            try OutputFile.write(
                Array((try copy.text("master.m3u8") + more).utf8), to: "\(copy.folder)/master.m3u8")
        }
        #expect(variants.violations.contains { $0.rule == .masterPlaylist && $0.found.contains("1000 are checked") })
    }

    /// Only the known omissions of FFmpeg's muxer are reported: its times are right.
    @Test(arguments: ["mpegts", "fmp4"])
    func readsWhatOtherProgramsWrite(_ type: String) throws {
        try Fixture.withFolder { folder in
            try PackageSample.make(at: folder + "/clip.mp4")
            try SampleVideo.run("mkdir", [folder + "/hls"])
            try SampleVideo.make([
                "-i", folder + "/clip.mp4", "-c", "copy", "-f", "hls", "-hls_time", "6", "-hls_playlist_type", "vod",
                "-hls_segment_type", type, "-hls_flags", "independent_segments+single_file", "-master_pl_name",
                "master.m3u8", folder + "/hls/media.m3u8",
            ])
            let result = try HLSValidator().validate(folder + "/hls")
            let expected: Set<HLSRule> = [.iFramePlaylist, .codecs, .averageBandwidth, .frameRate]
            #expect(Set(result.violations.map(\.rule)) == expected, "\(result.violations)")
            #expect(result.segments == 3)
        }
    }

    /// A segment that is encrypted as a whole file would be, which its playlist does not declare.
    @Test func namesTheEncryptionOfSegments() throws {
        try Fixture.withFolder { folder in
            try PackageSample.make(at: folder + "/clip.mp4")
            try SampleVideo.run("mkdir", [folder + "/hls"])
            try SampleVideo.make([
                "-i", folder + "/clip.mp4", "-c", "copy", "-movflags", "empty_moov+default_base_moof+frag_keyframe",
                "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb",
                "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8", folder + "/hls/all.mp4",
            ])
            let bytes = try Fixture.bytes(folder + "/hls/all.mp4")
            let start = try #require(bytes.firstRange(of: Array("moof".utf8))).lowerBound - 4
            let list = [
                "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:18", "#EXT-X-PLAYLIST-TYPE:VOD",
                "#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\"\(start)@0\"", "#EXTINF:18,",
                "#EXT-X-BYTERANGE:\(bytes.count - start)@\(start)", "all.mp4", "#EXT-X-ENDLIST", "",
            ]
            try OutputFile.write(Array(list.joined(separator: "\n").utf8), to: folder + "/hls/media.m3u8")
            let found = try HLSValidator().validate(folder + "/hls/media.m3u8").violations
            #expect(
                found.contains { $0.rule == .damagedSegment && $0.found.contains("is encrypted (cenc)") }, "\(found)")
        }
    }

    /// Segments are cut by the clock and not at keyframes.
    @Test func seesSegmentsThatDoNotStartWithAKeyFrame() throws {
        try Fixture.withFolder { folder in
            try PackageSample.make(at: folder + "/clip.mp4")
            try SampleVideo.run("mkdir", [folder + "/hls"])
            try SampleVideo.make([
                "-i", folder + "/clip.mp4", "-c", "copy", "-f", "hls", "-hls_time", "3", "-hls_flags", "split_by_time",
                "-hls_list_size", "0", folder + "/hls/media.m3u8",
            ])
            let rules = Set(try HLSValidator().validate(folder + "/hls").violations.map(\.rule))
            #expect(rules.isSuperset(of: [.masterPlaylist, .vod, .segmentStart, .independentSegments]), "\(rules)")
        }
    }

    @Test func refusesWhatIsNoFolder() throws {
        let error = #expect(throws: MediaError.self) { try HLSValidator().validate("/nonexistent/hls") }
        #expect(error?.kind == .io)
    }

    /// Playlists with bytes changed, removed and duplicated: whatever is found, nothing traps.
    @Test func survivesDamagedPlaylists() throws {
        let original = try Self.good.get()
        var random = SeededRandom(seed: 7)
        try Fixture.withFolder { copy in
            try SampleVideo.run("cp", ["-r", original.path, copy + "/hls"])
            let files = ["master.m3u8", "1-160x90/iframes.m3u8", Self.a, "1-160x90/init.mp4", "audio/init.mp4"]
            for round in 0..<60 {
                let file = files[round % files.count]
                let whole = try Fixture.bytes("\(original.path)/\(file)")
                var bytes = whole
                for _ in 0..<1 + round / 10 {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.removeSubrange(index..<min(bytes.count, index + 20))
                    default: bytes.insert(contentsOf: bytes[index...].prefix(30), at: index)
                    }
                }
                try OutputFile.write(bytes, to: "\(copy)/hls/\(file)")
                _ = try HLSValidator().validate(copy + "/hls")
                try OutputFile.write(whole, to: "\(copy)/hls/\(file)")
            }
        }
    }
}
