internal import Glibc
internal import TestSupport
internal import Testing

/// The outputs of `wayreel transcode`, judged by other programs.
@Suite struct TranscodeCommandTests {
    private let bench = Workbench()
    /// 720×1080, 1 s, H.264 and mono AAC.
    private let clip = "Media/scrapbook/portrait.mp4"
    private let small = ["--screen", "160x120", "--preset", "ultrafast"]

    private func file(_ name: String) -> TranscodedFile { TranscodedFile(path: bench.path(name)) }

    @Test func fitsTheScreenWithAPoster() throws {
        let run = try expectDone(
            bench.command(
                ["transcode", clip, "-o", "out.mp4", "--poster", "--report", "report.json"] + small
            ).run())
        #expect(run.output.isEmpty && run.lines.count == 1 && run.errors.contains("→ out.mp4, out.jpg"))
        #expect(bench.listing() == ["out.jpg", "out.mp4", "report.json"])
        try file("out.mp4").expectPlayable()
        // Aspect ratio 2:3 in a portrait 120×160, even sides: 160 / 1.5 = 106.7.
        #expect(try file("out.mp4").size() == (106, 160))
        #expect(try file("out.mp4").property("codec_name", of: "v:0") == "h264")
        let header = try #require(try bench.header("out.jpg"))
        #expect(header.format == "jpeg" && header.height == 160 && abs(header.width - 107) <= 1)
        let task = try #require(try bench.report().tasks.first)
        #expect(task.output.bytes == (try bench.bytes("out.mp4")).count)
        #expect(task.furtherOutputs?.map(\.bytes) == [try bench.bytes("out.jpg").count])
        #expect(task.input.width == 720 && task.input.height == 1080 && task.output.width == 106)
        #expect(abs((task.output.seconds ?? 0) - 1) < 0.1)
        #expect(task.streams?.map(\.action) == ["transcode", "copy"])
        #expect(task.streams?.first?.crf == 23)
    }

    @Test func copiesCompliantStreams() throws {
        expectDone(try bench.command(["transcode", clip, "-o", "first.mp4"] + small).run())
        let run = try expectDone(bench.wayreel("transcode", "first.mp4", "-o", "again.mp4", "--report", "report.json"))
        #expect(run.errors.contains("106×160") && run.errors.contains("copied"))
        #expect(try bench.report().tasks.first?.streams?.map(\.action) == ["copy", "copy"])
        for stream in ["v", "a"] {
            #expect(try file("again.mp4").checksum(of: stream) == file("first.mp4").checksum(of: stream))
        }
        try file("again.mp4").expectPlayable()
        try expectDone(
            bench.wayreel(
                "transcode", "first.mp4", "-o", "forced.mp4", "--no-copy", "--preset", "ultrafast", "--no-sound",
                "--report", "report.json"))
        #expect(try bench.report().tasks.first?.streams?.map(\.action) == ["transcode", "drop"])
        #expect(try file("forced.mp4").property("codec_name", of: "a:0").isEmpty)
    }

    @Test func usesPipes() throws {
        var command = bench.command(["transcode", "-", "-o", "-", "--poster"] + small)
        command.input = try Fixture.bytes(bench.path(clip))
        let refused = try command.run()
        #expect(refused.ending == .exited(2) && refused.errors.contains("poster") && refused.output.isEmpty)
        command.arguments.removeAll { $0 == "--poster" }
        let run = try expectDone(command.run())
        try bench.write(run.output, to: "piped.mp4")
        try file("piped.mp4").expectPlayable()
        expectDone(try bench.command(["transcode", clip, "-o", "plain.mp4"] + small).run())
        #expect(try bench.bytes("plain.mp4") == run.output)
    }

    @Test func plansWithoutTranscoding() throws {
        let run = try expectDone(bench.wayreel("transcode", clip, "--plan", "--screen", "160x120"))
        #expect(run.text.contains("106×160") && run.text.contains("720×1080") && run.errors.isEmpty)
        let json = try bench.wayreel("transcode", clip, "missing.mp4", "--plan", "--json", "-o", "x/")
        #expect(json.ending == .exited(1) && json.errors.isEmpty)
        #expect(json.text.contains("\"plan\"") && json.text.contains("no such file or directory"))
        #expect(bench.listing().isEmpty)
    }

    /// The plan for a pipe is the plan of the run, which copies the video: the positions of keyframes must be
    /// determined.
    @Test func plansPipes() throws {
        expectDone(try bench.shell("ffmpeg -v error -i Media/scrapbook/bunny-720p-h264-5.1.mp4 -c copy film.mkv"))
        var command = bench.command(["transcode", "-", "--plan"])
        command.input = try bench.bytes("film.mkv")
        let (piped, plain) = (try command.run(), try bench.wayreel("transcode", "film.mkv", "--plan"))
        expectDone(piped)
        #expect(piped.text == plain.text && plain.text.contains("video:  stream 0, copied"))
    }

    @Test func makesAndValidatesHLS() throws {
        try expectDone(
            bench.wayreel(
                "transcode", clip, "-o", "hls/", "--hls", "--ladder", "160x240@200,80x120@60", "--preset", "ultrafast",
                "--poster", "--encrypt"))
        #expect(bench.listing() == ["hls"])
        let master = try bench.text("hls/master.m3u8")
        #expect(master.contains("RESOLUTION=160x240") && master.contains("RESOLUTION=80x120"))
        #expect(try bench.header("hls/poster.jpg")?.format == "jpeg")
        let valid = try expectDone(bench.wayreel("validate", "hls", "--json"))
        #expect(valid.text.contains("\"violations\" : ["))
        // The second run replaces the first output and its poster.
        expectDone(
            try bench.wayreel(
                "transcode", clip, "-o", "hls/master.m3u8", "--ladder", "80x120@60", "--preset", "ultrafast"))
        #expect(!bench.exists("hls/poster.jpg") && bench.listing() == ["hls"])
        let rendition = try #require(bench.listing("hls").first { $0.hasPrefix("1-") })
        unlink(bench.path("hls/\(rendition)/playlist.m3u8"))
        let broken = try bench.wayreel("validate", "hls/master.m3u8")
        #expect(broken.ending == .exited(1) && broken.text.contains("error: ") && broken.text.contains("missing-file"))
    }

    @Test func severalInputsGiveHLSFolders() throws {
        try expectDone(
            bench.wayreel(
                "transcode", clip, "Media/scrapbook/rotate-and-reflect.mp4", "-o", "all", "--hls", "--ladder",
                "80x120@60",
                "--preset", "ultrafast", "--no-preview", "--quiet"))
        #expect(bench.listing("all") == ["portrait", "rotate-and-reflect"])
        expectDone(try bench.wayreel("validate", "--deep", "all/portrait", "all/rotate-and-reflect"))
    }

    @Test func handlesExistingOutputs() throws {
        try bench.write("mine", to: "out.mp4")
        let skipped = try bench.command(["transcode", clip, "-o", "out.mp4", "--if-exists", "skip"] + small).run()
        expectDone(skipped)
        expectRefused(
            try bench.command(["transcode", clip, "-o", "out.mp4", "--if-exists", "fail"] + small).run(), 1,
            "already exists")
        // If one of two outputs exists, it is not overwritten, and the other is not silently skipped.
        expectRefused(
            try bench.command(["transcode", clip, "-o", "out.mp4", "--poster", "--if-exists", "skip"] + small).run(), 1,
            "already exists, but out.jpg does not")
        #expect(!bench.exists("out.jpg"))
        #expect(try bench.bytes("out.mp4") == Array("mine".utf8))
        expectRefused(try bench.wayreel("transcode", "out.mp4", "-o", "./out.mp4"), 2, "is an input itself")
    }

    @Test func printsProgress() throws {
        var command = bench.command(
            ["transcode", "Media/scrapbook/bunny-720p-vp8.webm", "-o", "out.mp4", "--no-sound"] + small)
        command.terminalColumns = 70
        let run = try expectDone(command.run())
        #expect(run.errors.contains(" %  ") && run.errors.contains("×  ETA ") && run.errors.contains("█"))
        for state in run.errors.split(whereSeparator: { $0 == "\r" || $0 == "\r\n" || $0 == "\n" }) {
            #expect(state.replacing("\u{1B}[K", with: "").count <= 70 || state.contains("→"), "\(state)")
        }
    }

    @Test func makesPosters() throws {
        try expectDone(
            bench.wayreel(
                "poster", clip, "-o", "poster.webp", "--at", "00:00:00.5", "--screen", "160x120", "--text", "Day 2"))
        let header = try #require(try bench.header("poster.webp"))
        #expect(header.format == "webp" && header.height == 160)
        try expectDone(
            bench.wayreel(
                "poster", clip, "Media/scrapbook/rotate-and-reflect.mp4", "-o", "posters", "--format", "png",
                "--screen",
                "64x64", "--report", "report.json"))
        #expect(bench.listing("posters") == ["portrait.png", "rotate-and-reflect.png"])
        #expect(try bench.report().tasks.allSatisfy { $0.status == "done" && $0.cpuMilliseconds > 0 })
        let wrong = try bench.wayreel("poster", clip, "-o", "p.jpg", "--at", "1:75")
        #expect(wrong.ending == .exited(2) && wrong.errors.contains("--at"))
    }

    @Test func probesImagesAndVideos() throws {
        let run = try expectDone(bench.wayreel("probe", "photo.jpg", clip, "Media/radio/bunny-4s.mp3"))
        for word in ["jpeg", "640×480", "h264", "720×1080", "mp3", "plays everywhere"] {
            #expect(run.text.contains(word), "\(word)")
        }
        var piped = bench.command(["probe", "-", "--json"])
        piped.input = try Fixture.bytes(bench.path("Media/scrapbook/hlg10-hevc.mp4"))
        let json = try expectDone(piped.run())
        #expect(json.text.contains("arib-std-b67") && json.text.contains("\"isCompliant\" : false"))
        piped.input = try Fixture.bytes(Workbench.smallPhoto)
        #expect(try piped.run().text.contains("\"mimeType\" : \"image/jpeg\""))
        // The first headers are cut off, so that the stream begins with a start code of zeros, similar to an icon.
        let raw = "ffmpeg -v error -f lavfi -i testsrc2=s=64x48:d=1 -c:v mpeg4 -f m4v - | tail -c +12 > raw.m4v"
        expectDone(try bench.shell(raw))
        let probed = try expectDone(bench.wayreel("probe", "raw.m4v"))
        #expect(probed.text.contains("mpeg4") && probed.text.contains("64×48"))
        try bench.write("what is this?\n", to: "unknown.bin")
        expectRefused(try bench.wayreel("probe", "unknown.bin"), 1, "unknown.bin", "not a known image")
        try bench.write("#EXTM3U\nfile:///etc/passwd\n", to: "list.mp4")
        expectRefused(try bench.wayreel("probe", "list.mp4"), 1, "list.mp4", "not opened")
    }
}
