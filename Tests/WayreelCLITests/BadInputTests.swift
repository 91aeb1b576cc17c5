internal import Glibc
internal import TestSupport
internal import Testing

/// Invalid inputs: each ends with one clear line and the right exit status, never with a signal or a partial file.
@Suite struct BadInputTests {
    private let bench = Workbench()

    @Test func emptyMissingAndDirectory() throws {
        try bench.write("", to: "empty.jpg")
        bench.makeFolder("folder.jpg")
        for (name, reason) in [
            ("empty.jpg", "read: the file is empty"), ("missing.jpg", "read: no such file or directory"),
            ("folder.jpg", "read: is a directory"), ("photo.jpg/inside.jpg", "read: not a directory"),
        ] {
            expectRefused(try bench.wayreel("capture", name, "-o", "out.jpg"), 1, "error: \(name): \(reason)")
        }
        expectRefused(try bench.wayreel("capture", "", "-o", "out.jpg"), 2, "empty")
        expectRefused(try bench.wayreel("capture", "-", "-o", "out.jpg"), 1, "standard input: read: the file is empty")
        #expect(!bench.exists("out.jpg"))
    }

    @Test(.enabled(if: getuid() != 0, "root reads everything")) func unreadable() throws {
        try bench.write(try Fixture.bytes(Workbench.smallPhoto), to: "secret.jpg")
        chmod(bench.path("secret.jpg"), 0)
        expectRefused(
            try bench.wayreel("capture", "secret.jpg", "-o", "out.jpg"), 1, "secret.jpg: read: permission denied")
    }

    @Test(arguments: [
        ("wisteria.jpg", "captures/wisteria-iphone6-8mp.jpg"), ("frame.png", "captures/frame-1080p.png"),
        ("still.heic", "captures/still-photo.heic"), ("still.webp", ""),
    ]) func truncatedAtEveryTwentieth(_ name: String, _ media: String) throws {
        if media.isEmpty {
            expectDone(
                try bench.wayreel("capture", "Media/captures/frame-1080p.png", "-o", name, "--screen", "640x360"))
        }
        let whole = try media.isEmpty ? bench.bytes(name) : Fixture.bytes(Fixture.media(media))
        bench.makeFolder("in")
        let names = (0..<20).map { "in/\($0 < 10 ? "0" : "")\($0)-\(name)" }
        for (part, name) in names.enumerated() {
            try bench.write(Array(whole.prefix(whole.count * part / 20)), to: name)
        }
        for tolerance in ["missing", "none", "warning"] {
            let run = try bench.command(
                [
                    "capture", "-o", "out-\(tolerance)", "--screen", "320x240", "--report", "report.json", "--fail-on",
                    tolerance,
                ] + names
            ).run()
            #expect(run.ending == .exited(1), "\(run.errors)")
            let tasks = try bench.report().tasks
            #expect(tasks.count == 20)
            for task in tasks {
                let isThere = bench.exists(task.output.path)
                if task.status == "done" {
                    #expect(isThere && tolerance != "warning" && !task.warnings.isEmpty, "\(task.input.path)")
                } else {
                    let error = try #require(task.error)
                    #expect(!isThere && error.kind == "decoding" && error.subject == task.input.path, "\(error)")
                    #expect(run.lines.count { $0.hasPrefix("error: \(task.input.path): \(error.step): ") } == 1)
                }
            }
            let done = tasks.count { $0.status == "done" }
            #expect(bench.listing("out-\(tolerance)").count == done)
            #expect(tasks[0].status == "failed")
            // A baseline JPEG or a PNG shows all received rows; the last twentieth is within any tolerance.
            if name.hasSuffix("jpg") || name.hasSuffix("png") {
                #expect((tasks[19].status == "done") == (tolerance != "warning"))
                #expect((tasks[10].status == "done") == (tolerance == "none"))
            }
        }
    }

    @Test func detectsFormatsByContent() throws {
        for (name, path) in [
            ("png-inside.jpg", Fixture.image("rgb-8.png")), ("jpeg-inside.heic", Fixture.image("JPEG/444.jpg")),
            ("webp-inside.png", Fixture.image("lossy.webp")), ("no-extension", Fixture.image("rgb.bmp")),
        ] {
            try bench.write(try Fixture.bytes(path), to: name)
            expectDone(try bench.wayreel("capture", name, "-o", "out.jpg"))
        }
    }

    @Test func reportsTheActualFileType() throws {
        for (content, words) in [
            ("%PDF-1.7\n", "PDF"), ("<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"), ("plain text", "plain text"),
            ("\u{1}\u{2}\u{3}", "format"),
        ] {
            try bench.write(content, to: "odd.jpg")
            expectRefused(try bench.wayreel("capture", "odd.jpg", "-o", "out.jpg"), 1, "odd.jpg: decode: ", words)
        }
    }

    @Test func rejectsHeadersOfHugeImages() throws {
        var jpeg = try Fixture.imageBytes("JPEG/444.jpg")
        let frame = try #require(jpeg.indices.dropLast(9).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFD, 0xE8, 0xFD, 0xE8])
        var bmp = try Fixture.imageBytes("rgb.bmp")
        bmp.replaceSubrange(18..<26, with: [0xE8, 0xFD, 0, 0, 0xE8, 0xFD, 0, 0])
        let files: [(String, [UInt8])] = [
            ("bomb.jpg", jpeg), ("bomb.bmp", bmp),
            ("bomb.png", PNGFile.black(width: 65000, height: 65000, pixelBytes: 1000)),
        ]
        for (name, bytes) in files {
            try bench.write(bytes, to: name)
            let run = try bench.wayreel("capture", name, "-o", "out.jpg", "--report", "report.json")
            expectRefused(run, 1, "\(name): decode: ", "65000×65000", "--max-pixels")
            let task = try #require(try bench.report().tasks.first)
            #expect(task.error?.kind == "limit" && task.peakMemoryBytes < 64 << 20)
        }
    }

    @Test func survivesPNGsThatUnpackToFarMore() throws {
        let bomb = PNGFile.zlibZeros(200_000_000)
        let profile = PNGFile.chunk("iCCP", Array("big\0\0".utf8) + bomb)
        let text = PNGFile.chunk("zTXt", Array("Comment\0\0".utf8) + bomb)
        let tenfold = (0..<10).flatMap { _ in text }
        for (name, bytes) in [
            ("idat.png", PNGFile.black(width: 64, height: 64, pixelBytes: 200_000_000)),
            ("iccp.png", PNGFile.black(width: 64, height: 64, before: profile)),
            ("ztxt.png", PNGFile.black(width: 64, height: 64, before: tenfold)),
        ] {
            try bench.write(bytes, to: name)
            let run = try bench.wayreel("capture", name, "-o", "out.png", "--report", "report.json")
            let task = try #require(try bench.report().tasks.first)
            // Both are valid: accepting the image without its metadata, and rejecting it.
            #expect(run.ending == .exited(task.error == nil ? 0 : 1), "\(run.errors)")
            #expect(run.lines.filter { $0.contains(name) }.count >= 1)
            #expect(task.peakMemoryBytes < 80 << 20, "\(name)")
        }
    }

    @Test(arguments: [(1, 1), (1, 20_000), (20_000, 1), (3, 5)]) func oddSizes(_ width: Int, _ height: Int) throws {
        try bench.write(PNGFile.black(width: width, height: height), to: "odd.png")
        for options in [
            [], ["--screen", "640x960"], ["--screen", "64x64", "--fit", "contain"], ["--screen", "7x7", "--enlarge"],
            ["--screen", "64x64", "--recipe", "Filters/old-postcard.yml", "--text", "Hello"],
            ["--screen", "5x3", "--filter", "gaussian-blur:radius=4%", "--filter", "pixellate", "--no-turn"],
        ] {
            for format in ["jpg", "png", "webp"] {
                let run = try bench.command(["capture", "odd.png", "-o", "out.\(format)"] + options).run()
                // WebP has a limit of 16383 pixels.
                if format == "webp", max(width, height) > 16383, options.isEmpty {
                    expectRefused(run, 1, "odd.png: encode: ", "16383")
                } else {
                    expectDone(run)
                }
            }
        }
    }

    @Test func malformedMetadataDoesNotMatter() throws {
        let photo = try Fixture.bytes(Workbench.smallPhoto)
        func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
        }
        let exif = Array("Exif\0\0".utf8)
        let profile = Array("ICC_PROFILE\0".utf8)
        var random = SeededRandom(seed: 7)
        let noise = (0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }
        // A directory of 65535 entries; one that is its own successor; a value of 4 GB far outside.
        let many = Array("II*\0".utf8) + [8, 0, 0, 0, 0xFF, 0xFF]
        let loop = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 0, 0, 0, 0, 8]
        let far =
            Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        let segments: [[UInt8]] = [
            segment(0xE1, exif), segment(0xE1, exif + noise), segment(0xE1, exif + many), segment(0xE1, exif + loop),
            segment(0xE1, exif + far), segment(0xE1, Array(exif.prefix(3))), segment(0xE2, profile),
            segment(0xE2, profile + [1, 1] + noise), segment(0xE2, profile + [1, 200] + noise),
            segment(0xE2, profile + [0, 0]), segment(0xE2, profile + [2, 1] + noise),
        ]
        for (index, segment) in segments.enumerated() {
            try bench.write([0xFF, 0xD8] + segment + photo.dropFirst(2), to: "in\(index).jpg")
        }
        for keep in ["none", "copyright", "all"] {
            try expectDone(
                bench.command(
                    ["capture"] + segments.indices.map { "in\($0).jpg" }
                        + ["-o", "out", "--screen", "64x64", "--keep", keep]
                ).run())
            #expect(bench.listing("out").count == segments.count)
        }
    }
}
