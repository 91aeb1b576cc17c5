internal import TestSupport
internal import Testing

/// Texts and overlays at their extremes.
@Suite struct OverlayCommandTests {
    private let bench = Workbench()

    @Test func anOverlayLargerThanTheImage() throws {
        try expectDone(
            bench.wayreel(
                "capture", "photo.jpg", "-o", "out.jpg", "--screen", "100x100", "--overlay",
                "Media/captures/frame-1080p.png"))
        #expect(try bench.header("out.jpg") == ImageFileHeader("jpeg", 100, 100))
    }

    @Test func rejectsAnInvalidOverlay() throws {
        try bench.write("not an image", to: "logo.png")
        for (name, reason) in [
            ("missing.png", "no such file"), ("logo.png", "plain text"), ("Media", "is a directory"),
        ] {
            let run = try bench.wayreel("capture", "photo.jpg", "-o", "out.jpg", "--overlay", name)
            expectRefused(run, 1, name, reason)
        }
        #expect(bench.listing() == ["logo.png"])
    }

    @Test func aTextOfAHundredKilobytes() throws {
        let text = String(repeating: "All the world's a stage. ", count: 4000)
        let run = try bench.wayreel("capture", "photo.jpg", "-o", "out.jpg", "--screen", "320x240", "--text", text)
        // Either it is drawn as far as it fits, with a warning, or it is refused; it is never silent and never slow.
        #expect(run.ending == .exited(0) || run.ending == .exited(1) || run.ending == .exited(2))
        #expect(run.lines.contains { $0.contains("text") }, "\(run.errors.prefix(300))")
        #expect(run.lines.allSatisfy { $0.utf8.count < 1000 })
    }

    /// Texts of the same style are lines of one overlay; otherwise they would overlap.
    @Test func textsOfOneStyleAreLines() throws {
        let start = ["capture", "photo.jpg", "--screen", "320x240", "--text-style", "size=9%,gravity=north"]
        expectDone(try bench.command(start + ["-o", "two.jpg", "--text", "The Bell", "--text", "Mission"]).run())
        expectDone(try bench.command(start + ["-o", "lines.jpg", "--text", "The Bell\nMission"]).run())
        #expect(try bench.bytes("two.jpg") == bench.bytes("lines.jpg"))
    }

    @Test func stylesEachText() throws {
        let start = ["capture", "photo.jpg", "--screen", "320x240", "--text", "The Bell"]
        let north = ["--text-style", "size=9%,gravity=north"]
        expectDone(try bench.command(start + north + ["-o", "one.png"]).run())
        let south = ["--text", "Mission", "--text-style", "size=5%,gravity=south"]
        expectDone(try bench.command(start + north + south + ["-o", "two.png"]).run())
        #expect(try bench.bytes("one.png") != bench.bytes("two.png"))
    }

    @Test(arguments: [
        "", " ", "\u{1}\u{2}", "👩‍👩‍👧‍👦", "مرحبا بالعالم", "a\nb", "<b>not markup</b> & so on", "e\u{301}\u{202E}x",
    ])
    func anyTextIsDrawnOrRejectedInOneLine(_ text: String) throws {
        let run = try bench.wayreel("capture", "photo.jpg", "-o", "out.jpg", "--screen", "320x240", "--text", text)
        if run.ending == .exited(0) {
            #expect(try bench.header("out.jpg")?.format == "jpeg")
        } else {
            expectRefused(run, 2, "text")
        }
    }
}
