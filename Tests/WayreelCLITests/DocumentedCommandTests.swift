internal import TestSupport
internal import Testing

/// The commands of the documentation, word for word, in a shell.
@Suite struct DocumentedCommandTests {
    private let bench = Workbench()

    @Test func preparesForANamedScreen() throws {
        let run = try expectDone(
            bench.shell(
                "wayreel capture Media/captures/wisteria-iphone6-8mp.jpg -o out.jpg --screen iphone-4s"))
        // A portrait screen of 640×960, turned to the landscape capture.
        #expect(try bench.header("out.jpg") == ImageFileHeader("jpeg", 960, 640))
        #expect(run.lines.count == 1 && run.errors.contains("→ out.jpg  960×640"))
        #expect(bench.listing() == ["out.jpg"])
    }

    @Test func filtersAndDrawsOver() throws {
        let run = try bench.shell(
            """
            wayreel capture Media/captures/wisteria-iphone6-8mp.jpg -o out.jpg --screen 960x640 --fit cover \
            --filter sepia-tone:intensity=0.8 --text "The Mission Bell" --overlay Media/overlays/badge.png@north-east+16+16 \
            --quality 85
            """)
        expectDone(run)
        #expect(try bench.header("out.jpg") == ImageFileHeader("jpeg", 960, 640))
    }

    @Test func preparesManyByARecipe() throws {
        let run = try bench.shell(
            """
            wayreel capture Media/captures/*.jpg Media/captures/still-photo.heic -o prepared/ --screen iphone-15 \
            --recipe Filters/old-postcard.yml --format webp --report report.json
            """)
        expectDone(run)
        let report = try bench.report()
        #expect(report.tasks.count == 5 && bench.listing("prepared").count == 5)
        for task in report.tasks {
            #expect(task.status == "done" && task.error == nil)
            #expect(task.output.format == "webp" && task.output.path.hasPrefix("prepared/"))
            let file = try bench.bytes(task.output.path)
            #expect(task.output.bytes == file.count)
            #expect(task.input.bytes == (try bench.bytes(task.input.path)).count)
            let header = try #require(ImageFileHeader(file))
            #expect(header == ImageFileHeader("webp", task.output.width ?? 0, task.output.height ?? 0))
            // 1179×2556 is the screen; smaller captures are not enlarged.
            let (short, long) = (min(header.width, header.height), max(header.width, header.height))
            #expect(short <= 1179 && long <= 2556)
            #expect(abs(Double(long) / Double(short) - 2556 / 1179) < 0.01)
            #expect(task.wallMilliseconds > 0 && task.cpuMilliseconds > 0 && task.peakMemoryBytes > 1 << 20)
            let names = task.steps.map(\.name)
            #expect(names == ["read", "open", "decode and resample", "filter", "overlay", "encode", "write"])
            #expect(task.steps.map(\.milliseconds).reduce(0, +) <= task.wallMilliseconds + 1)
        }
        let formats = Dictionary(uniqueKeysWithValues: report.tasks.map { ($0.input.path, $0.input.format) })
        #expect(formats["Media/captures/still-photo.heic"] == "heif")
        // 8 MP captures fill the screen, turned or not.
        #expect(
            try bench.header("prepared/wisteria-iphone6-8mp.webp") == ImageFileHeader("webp", 2556, 1179))
        #expect(
            try bench.header("prepared/rooftop-pixel8-gainmap.webp") == ImageFileHeader("webp", 1179, 2556))
    }

    @Test func usesAPipe() throws {
        let run = try bench.shell("cat photo.jpg | wayreel capture - -o - --screen 640x960 --format png > out.png")
        expectDone(run)
        #expect(run.output.isEmpty)
        // 640×480 covers a landscape 960×640 at a scale of 1.5; it is cropped to its shape instead of being enlarged.
        #expect(try bench.header("out.png") == ImageFileHeader("png", 640, 427))
    }

    @Test func listsFilters() throws {
        let run = try expectDone(bench.shell("wayreel filters"))
        #expect(run.errors.isEmpty)
        #expect(run.text.contains("\nsepia-tone") || run.text.hasPrefix("sepia-tone"))
        #expect(run.text.contains("intensity  number 0 to 1, default 1"))
        #expect(run.text.split(separator: "\n").count { !$0.hasPrefix(" ") } >= 30)
        let json = try expectDone(bench.shell("wayreel filters --json"))
        #expect(json.text.contains("\"coreImageName\" : \"CISepiaTone\""))
    }

    @Test func describesAFilter() throws {
        let run = try expectDone(bench.shell("wayreel filters noir"))
        #expect(run.text.contains("source:") && run.text.contains("CIPhotoEffectNoir"))
    }

    @Test func listsScreens() throws {
        let run = try expectDone(bench.shell("wayreel screens"))
        let rows = run.text.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
        #expect(rows.count >= 40)
        #expect(rows.contains { $0.prefix(2) == ["iphone-4s", "640x960"] })
    }

    @Test func probes() throws {
        let run = try expectDone(bench.shell("wayreel probe photo.jpg Media/captures/still-photo.heic"))
        #expect(run.text.contains("640×480") && run.text.lowercased().contains("location"))
        #expect(run.text.contains("still-photo.heic"))
        let json = try expectDone(bench.shell("wayreel probe --json photo.jpg"))
        #expect(json.text.contains("\"jpeg\""))
    }
}
