internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore
internal import WayreelVideo

/// Packages as read by other programs.
@Suite struct PackageTests {
    /// Returns the options with which the ffmpeg programs read a playlist.
    private func input(_ path: String) -> [String] {
        (path.hasSuffix(".m3u8") ? ["-allowed_extensions", "ALL"] : []) + ["-i", path]
    }

    /// Returns the messages from decoding a whole playlist; empty if it is valid.
    private func complaints(about playlist: String, _ more: [String] = []) throws -> String {
        try SampleVideo.run(
            "ffmpeg",
            ["-nostdin", "-v", "warning", "-xerror"] + input(playlist) + ["-map", "0"] + more
                + ["-f", "null", "-"]
        ).errors
    }

    /// Returns the PTS of the packets of a stream in seconds, sorted.
    private func times(_ path: String, _ stream: String) throws -> [Double] {
        try probed("packet=pts_time", of: path, streams: stream).joined().sorted()
    }

    private func isNear(_ a: [Double], _ b: [Double]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < 0.002 }
    }

    /// A package has the packets of the file at the same times, and every playlist decodes without messages.
    @Test(arguments: [
        PackageSample.Clip(),
        PackageSample.Clip(rate: "30000/1001", seconds: 7, keyInterval: 60),
        // Every third frame is dropped, so that timestamps are not on a grid.
        PackageSample.Clip(
            seconds: 9,
            more: ["-vf", "select='mod(n,3)'", "-vsync", "vfr", "-force_key_frames", "expr:gte(t,n_forced*2)"]),
        PackageSample.Clip(seconds: 1, keyInterval: 250),
        PackageSample.Clip(
            seconds: 7, codec: ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=0:open-gop=0"]),
        PackageSample.Clip(seconds: 7, codec: ["-c:v", "libsvtav1", "-preset", "12"]),
        PackageSample.Clip(seconds: 7, hasAudio: false),
    ])
    func playsAsTheFileDoes(_ clip: PackageSample.Clip) throws {
        try Fixture.withFolder { folder in
            let file = folder + "/clip.mp4"
            try PackageSample.make(clip, at: file)
            let report = try PackageSample.package([file], at: folder + "/hls")
            #expect(report.warnings == [])
            #expect(abs(report.seconds - clip.seconds) < 0.05)
            #expect(try complaints(about: folder + "/hls/master.m3u8") == "")
            #expect(try complaints(about: folder + "/hls/1-160x90/iframes.m3u8") == "")
            let media = ["v:0": "1-160x90"].merging(clip.hasAudio ? ["a:0": "audio"] : [:]) { a, _ in a }
            for (stream, name) in media {
                let expected = try times(file, stream)
                let found = try times("\(folder)/hls/\(name)/playlist.m3u8", "0")
                #expect(
                    isNear(expected, found),
                    "\(stream): \(expected.prefix(3)) … \(expected.count), \(found.prefix(3)) … \(found.count)")
            }
            // The frames are identical.
            let hashes = try [file, folder + "/hls/1-160x90/playlist.m3u8"].map {
                try SampleVideo.run(
                    "ffmpeg",
                    [
                        "-nostdin", "-v", "error",
                    ] + input($0) + ["-map", "0:v:0", "-vsync", "0", "-pix_fmt", "yuv420p", "-f", "md5", "-"]
                ).text
            }
            #expect(hashes[0] == hashes[1])
            let validation = try HLSValidator().validate(folder + "/hls")
            #expect(validation.violations.filter { $0.rule != .keyFrameInterval } == [], "\(validation.violations)")
        }
    }

    /// A late start is kept in the package.
    @Test func keepsStarts() throws {
        try Fixture.withFolder { folder in
            let file = folder + "/clip.mp4"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=96x54:r=25:d=7", "-f", "lavfi", "-i", "sine=440:r=48000:d=8.5", "-vf",
                "setpts=PTS+1.5/TB", "-vsync", "passthrough", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2",
                "-g", "50", "-c:a", "aac", file,
            ])
            try PackageSample.package([file], at: folder + "/hls")
            let first = { (path: String) in try times(path, "0").first ?? -1 }
            let start = try times(file, "v:0").first ?? 0
            #expect(start > 1.4)
            #expect(abs(try first(folder + "/hls/1-96x54/playlist.m3u8") - start) < 0.002)
            #expect(abs(try first(folder + "/hls/audio/playlist.m3u8") + 1024.0 / 48_000) < 0.002)
            #expect(try complaints(about: folder + "/hls/master.m3u8") == "")
        }
    }

    /// Expected strings are from ISO/IEC 14496-15 (annex E and the avcC of Apple's examples), the AV1 binding's `av1C`,
    /// and the `esds` of a file by FFmpeg, whose AudioSpecificConfig begins with 5 bits of the object type.
    @Test func namesCodecs() {
        #expect(CodecString.avc("avc1", profile: 0x64, constraints: 0, level: 0x28) == "avc1.640028")
        let hevc: [UInt8] = [1, 1, 0x60, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 93, 0xF0]
        #expect(CodecString.hevc("hvc1", configuration: hevc) == "hvc1.1.6.L93.B0")
        let wide: [UInt8] = [1, 0x22, 0x20, 0, 0, 0, 0x90, 0, 0x01, 0, 0, 0, 153, 0xF0]
        #expect(CodecString.hevc("hvc1", configuration: wide) == "hvc1.2.4.H153.90.0.1")
        #expect(CodecString.av1(configuration: [0x81, 0x08, 0x0C, 0]) == "av01.0.08M.08")
        #expect(CodecString.av1(configuration: [0x81, 0x04, 0x4C, 0]) == "av01.0.04M.10")
        #expect(CodecString.av1(configuration: [0x81, 0x50, 0xEC, 0]) == "av01.2.16H.12")
        let descriptors: [UInt8] =
            [0, 0, 0, 0, 3, 0x80, 0x80, 0x80, 0x25, 0, 1, 0, 4, 0x80, 0x80, 0x80, 0x17, 0x40, 0x15, 0, 0, 0]
            + [
                0, 1, 0xF4, 0, 0, 1, 0xF4, 0, 5, 0x80, 0x80, 0x80, 5, 0x11, 0x90, 0x56, 0xE5, 0, 6, 0x80, 0x80, 0x80, 1,
                2,
            ]
        let stream = ElementaryStream(descriptors)
        #expect(stream.codec == "mp4a.40.2" && stream.bitRate == 0x1F400)
        for count in 0..<descriptors.count { _ = ElementaryStream(Array(descriptors.prefix(count))) }
    }

    /// The whole pipeline: two renditions, audio, a preview.
    @Test func holdsWhatThePipelineMakes() throws {
        try Fixture.withFolder { folder in
            let file = folder + "/clip.mp4"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30000/1001:d=13", "-f", "lavfi", "-i",
                "sine=440:r=44100:d=13", "-c:v", "mpeg4", "-q:v", "4", "-c:a", "aac", file,
            ])
            let options = TranscodeOptions(
                video: VideoSettings(preset: "ultrafast"),
                delivery: .hls(HLSOptions(ladder: LadderRung.ladder("320x180@300,160x90@100"))))
            let made = try TranscodePipeline(options).run(file, to: folder + "/hls", task: TaskContext()) { _ in }
            #expect(abs(made.seconds - 13) < 0.1)
            #expect(try complaints(about: folder + "/hls/master.m3u8") == "")
            let result = try HLSValidator().validate(folder + "/hls")
            #expect(result.violations == [], "\(result.violations)")
            #expect(
                Fixture.listing(folder + "/hls") == [
                    ".wayreel-files", "1-320x180", "2-160x90", "audio", "master.m3u8", "preview",
                ])
            let bytes = try SampleVideo.run("find", [folder + "/hls", "-type", "f", "-printf", "%s\n"]).text
            #expect(made.bytes == bytes.split(separator: "\n").compactMap { Int($0) }.reduce(0, +))
        }
    }

    /// Video that begins after the audio, on the frame grid or not, and a single frame.
    @Test(arguments: [
        ["-itsoffset", "0.7", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=7"],
        ["-itsoffset", "0.3", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=2:d=7"],
        ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=0.04"],
    ])
    func isValidForAnyStartOfTheVideo(_ video: [String]) throws {
        try Fixture.withFolder { folder in
            let file = folder + "/clip.mkv"
            let audio = video.first == "-f" ? [] : ["-f", "lavfi", "-i", "sine=440:r=48000:d=7.5", "-c:a", "flac"]
            try SampleVideo.make(video + audio + ["-c:v", "mpeg4", "-q:v", "4", "-vsync", "passthrough", file])
            let options = TranscodeOptions(video: VideoSettings(preset: "ultrafast"), delivery: .hls(HLSOptions()))
            _ = try TranscodePipeline(options).run(file, to: folder + "/hls", task: TaskContext()) { _ in }
            let result = try HLSValidator().validate(folder + "/hls")
            #expect(result.violations == [], "\(result.violations)")
            let rung = try #require(Fixture.listing(folder + "/hls").first { $0.hasPrefix("1-") })
            let times = try times("\(folder)/hls/\(rung)/playlist.m3u8", "v:0")
            #expect(abs(try #require(times.first)) < 0.001)
        }
    }

    /// Two frames 5 s apart, the last without a duration: the file ends 0.034 s after it.
    @Test func endsWithTheFile() throws {
        try Fixture.withFolder { folder in
            let file = folder + "/clip.mp4"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=30:d=5.034", "-vf", "select='eq(n,0)+eq(n,150)'", "-vsync",
                "vfr", "-c:v", "libx264", "-pix_fmt", "yuv420p", file,
            ])
            let options = TranscodeOptions(video: VideoSettings(preset: "ultrafast"), delivery: .hls(HLSOptions()))
            let made = try TranscodePipeline(options).run(file, to: folder + "/hls", task: TaskContext()) { _ in }
            #expect(abs(made.seconds - 5.034) < 0.26, "\(made.seconds)")
            let result = try HLSValidator().validate(folder + "/hls")
            #expect(result.violations == [], "\(result.violations)")
        }
    }

    @Test func writesMasterPlaylist() throws {
        let folder = try ValidationTests.good.get().path
        let lines = String(decoding: try Fixture.bytes(folder + "/master.m3u8"), as: UTF8.self).split(separator: "\n")
        #expect(lines.prefix(3) == ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"])
        #expect(lines.contains("1-160x90/playlist.m3u8"))
        // The rates by definition: for segments of 6, 6 and 1 s, that of the first, of the second, or of the last two
        // together.
        let sizes = { (name: String) in
            try (1...3).map { Double(try Fixture.bytes("\(folder)/\(name)/segment-0000\($0).m4s").count) * 8 }
        }
        let peak = { (s: [Double], t: [Double]) in max(s[0] / t[0], s[1] / t[1], (s[1] + s[2]) / (t[1] + t[2])) }
        let (video, audio) = (try sizes("1-160x90"), try sizes("audio"))
        let packets = 1024.0 / 48_000
        let audioSeconds = [281 * packets, 281 * packets, 13 - 562 * packets]
        let expected = peak(video, [6, 6, 1]) + peak(audio, audioSeconds)
        let variant = try #require(lines.first { $0.hasPrefix("#EXT-X-STREAM-INF") && $0.contains("160x90") })
        let stated = try #require(
            variant.split(separator: ":")[1].split(separator: ",").first?.split(separator: "=").last)
        #expect(abs(try #require(Double(stated)) - expected) < 0.002 * expected, "\(stated), \(expected)")
        #expect(variant.contains("FRAME-RATE=25.000"))
    }

    /// Decrypted by the program openssl, with the values in the playlist.
    @Test func encryptsSegments() throws {
        try Fixture.withFolder { folder in
            let file = folder + "/clip.mp4"
            try PackageSample.make(PackageSample.Clip(seconds: 7), at: file)
            let plain = try PackageSample.package([file], at: folder + "/plain")
            let report = try PackageSample.package(
                [file], at: folder + "/hls", options: HLSOptions(isEncrypted: true, previewInterval: nil))
            #expect(plain.warnings.isEmpty)
            #expect(report.warnings.map(\.step) == [.encrypt])
            #expect(try complaints(about: folder + "/hls/master.m3u8") == "")
            #expect(try complaints(about: folder + "/hls/1-160x90/iframes.m3u8") == "")
            #expect(try SampleVideo.run("stat", ["-c", "%a %s", folder + "/hls/segments.key"]).text == "600 16\n")
            let playlist = String(decoding: try Fixture.bytes(folder + "/hls/1-160x90/playlist.m3u8"), as: UTF8.self)
            let ivs = playlist.split(separator: "IV=0x").dropFirst().map { String($0.prefix(32)) }
            #expect(ivs.count == 2 && ivs[0] != ivs[1])
            let key = try Fixture.bytes(folder + "/hls/segments.key").map { hex($0) }.joined()
            for (index, iv) in ivs.enumerated() {
                let name = "1-160x90/segment-0000\(index + 1).m4s"
                let clear = try SampleVideo.run(
                    "openssl", ["enc", "-d", "-aes-128-cbc", "-K", key, "-iv", iv, "-in", "\(folder)/hls/\(name)"])
                #expect(try clear.output == Fixture.bytes("\(folder)/plain/\(name)"))
            }
        }
    }

    private func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    /// NIST SP 800-38A, F.2.1, followed by the block that PKCS #7 adds.
    @Test func encryptsBlocksAsPublished() throws {
        let number = { (text: String) -> [UInt8] in
            stride(from: 0, to: text.count, by: 2).map { offset in
                UInt8(text.dropFirst(offset).prefix(2), radix: 16) ?? 0
            }
        }
        let key = number("2b7e151628aed2a6abf7158809cf4f3c")
        let iv = number("000102030405060708090a0b0c0d0e0f")
        let plain = number("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
        let coded = try AES128(key: key).encrypt(plain, iv: iv)
        #expect(Array(coded.prefix(32)) == number("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"))
        #expect(coded.count == 48)
        #expect(try AES128(key: key, decrypts: true).decrypt(coded, iv: iv) == plain)
        #expect(try AES128(key: key, decrypts: true).decrypt(coded.dropLast(), iv: iv) == nil)
    }

    @Test func replacesOnlyPackages() throws {
        try Fixture.withFolder { folder in
            let file = folder + "/clip.mp4"
            try PackageSample.make(PackageSample.Clip(seconds: 1), at: file)
            let target = folder + "/hls"
            // The target is missing, an empty folder or a package, also with a trailing slash.
            try PackageSample.package([file], at: target)
            try SampleVideo.run("mkdir", [folder + "/empty"])
            try PackageSample.package([file], at: folder + "/empty/")
            try SampleVideo.run("rm", [target + "/audio/segment-00001.m4s"])
            try PackageSample.package([file], at: target)
            #expect(Fixture.listing(target + "/audio") == ["init.mp4", "playlist.m3u8", "segment-00001.m4s"])
            #expect(Fixture.listing(folder) == ["clip.mp4", "empty", "hls"])
            // Files of the user.
            try OutputFile.write([1], to: target + "/notes.txt")
            let error = #expect(throws: MediaError.self) { try PackageSample.package([file], at: target) }
            #expect(error?.reason.contains("notes.txt") == true)
            #expect(throws: MediaError.self) { try PackageSample.package([file], at: file) }
            #expect(throws: MediaError.self) { try PackageSample.package([file], at: folder + "/none/hls") }
            #expect(Fixture.listing(folder) == ["clip.mp4", "empty", "hls"])
        }
    }

    /// An unfinished package leaves nothing behind.
    @Test func leavesNothingBehind() throws {
        try Fixture.withFolder { folder in
            var output: AtomicFolder? = try AtomicFolder(folder + "/hls")
            try output?.write([1, 2, 3], to: "a/b/c.m")
            #expect(Fixture.listing(folder).count == 1)
            #expect(Fixture.listing(folder)[0].hasPrefix(".hls."))
            output = nil
            #expect(Fixture.listing(folder) == [])
        }
    }

    /// The colour changes every five seconds: the cues refer to thumbnails of that colour.
    @Test func makesPreview() throws {
        try Fixture.withFolder { folder in
            let colors = ["red", "lime", "blue"]
            let inputs = colors.flatMap { ["-f", "lavfi", "-i", "color=\($0):s=320x180:r=5:d=5"] }
            try SampleVideo.make(
                inputs + [
                    "-filter_complex", "concat=n=3,scale=out_color_matrix=bt709", "-colorspace", "bt709",
                    "-color_primaries", "bt709", "-color_trc", "bt709", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g",
                    "10", folder + "/clip.mp4",
                ])
            let task = TaskContext()
            let file = try Demuxer(.path(folder + "/clip.mp4"), task: task)
            let package = try HLSPackage(
                folder + "/hls", plan: PackageSample.plan([file]), options: HLSOptions(previewInterval: 2.5))
            let sink = try package.sink(forRendition: 0, copyOf: 0, of: file)
            let preview = try #require(try package.preview()).request.sampler(timeBase: file.timeBase(of: 0))
            let decoder = try VideoDecoder(file, stream: 0, threads: 1, limits: .standard)
            let copied = { () throws(MediaError) -> Packet? in
                guard let packet = try file.next() else { return nil }
                try sink.take(packet)
                return packet
            }
            while let frame = try decoder.next(from: copied) { try preview.take(frame) }
            try sink.finish()
            _ = try package.finish()
            let text = String(decoding: try Fixture.bytes(folder + "/hls/preview/thumbnails.vtt"), as: UTF8.self)
            let cues = text.split(separator: "\n").map(String.init)
            #expect(cues[0] == "WEBVTT")
            #expect(cues.count == 1 + 2 * 6)
            #expect(cues[1] == "00:00:00.000 --> 00:00:02.500" && cues[11] == "00:00:12.500 --> 00:00:15.000")
            let wanted: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]]
            for index in 0..<6 {
                let parts = cues[2 + 2 * index].split(separator: "#xywh=")
                #expect(parts[1] == "\(160 * index),0,160,90")
                let area = parts[1].split(separator: ",")
                let pixel = try SampleVideo.run(
                    "ffmpeg",
                    [
                        "-v", "error", "-i", "\(folder)/hls/preview/\(parts[0])", "-vf",
                        "crop=\(area[2]):\(area[3]):\(area[0]):\(area[1]),crop=2:2:78:44,format=rgb24", "-f",
                        "rawvideo", "-",
                    ]
                ).output
                for (found, expected) in zip(pixel.prefix(3), wanted[index / 2]) {
                    #expect(abs(Int(found) - Int(expected)) < 16, "\(index): \(pixel.prefix(3))")
                }
            }
        }
    }

    /// There are more thumbnails than fit on a sheet.
    @Test func beginsAnotherSheet() throws {
        try Fixture.withFolder { folder in
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=48x64:r=25:d=10.2", "-c:v", "libx264", "-preset", "ultrafast",
                folder + "/clip.mp4",
            ])
            let task = TaskContext()
            let file = try Demuxer(.path(folder + "/clip.mp4"), task: task)
            let package = try HLSPackage(
                folder + "/hls", plan: PackageSample.plan([file]), options: HLSOptions(previewInterval: nil))
            #expect(try package.preview() == nil)
            let other = try HLSPackage(
                folder + "/hls", plan: PackageSample.plan([file]), options: HLSOptions(previewInterval: 0.1))
            let preview = try #require(try other.preview()).request.sampler(timeBase: file.timeBase(of: 0))
            let decoder = try VideoDecoder(file, stream: 0, threads: 1, limits: .standard)
            while let frame = try decoder.next(from: file.next) { try preview.take(frame) }
            _ = try other.finish()
            let size = { (name: String) in
                try probed("stream=width,height", of: "\(folder)/hls/preview/\(name)")
            }
            #expect(Fixture.listing(folder + "/hls/preview") == ["sheet-1.jpg", "sheet-2.jpg", "thumbnails.vtt"])
            #expect(try size("sheet-1.jpg") == [[480, 640]])
            // The thumbnails at 10.0 and 10.1 s of 10.2 s.
            #expect(try size("sheet-2.jpg") == [[96, 64]])
        }
    }
}
