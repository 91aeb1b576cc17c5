internal import TestSupport
internal import Testing

/// Wrong usage is refused with status 2 before any work, with advice.
@Suite struct UsageTests {
    private let bench = Workbench()

    @Test(arguments: [
        (["--filter", "sepia-tonne"], ["sepia-tonne", "did you mean 'sepia-tone'?"]),
        (["--filter", "CISepiaTon"], ["CISepiaTon", "did you mean"]),
        (["--filter", "sepia-tone:intensty=1"], ["intensty", "did you mean 'intensity'?"]),
        (["--filter", "sepia-tone:intensity=1.5"], ["intensity", "0 to 1"]),
        (["--filter", "sepia-tone:intensity=nan"], ["intensity"]),
        (["--filter", "sepia-tone:intensity=brown"], ["intensity", "brown"]),
        (["--filter", "sepia-tone:intensity=0.5,intensity=0.6"], ["intensity"]),
        (["--filter", ""], ["filter"]),
        (["--screen", "iphone-4z"], ["iphone-4z", "did you mean 'iphone-4'?"]),
        (["--screen", "0x100"], ["0x100"]), (["--screen=-5x100"], ["-5x100"]), (["--screen", "1e9x1"], ["1e9x1"]),
        (["--quality", "0"], ["quality", "1 to 100"]), (["--quality", "101"], ["quality", "1 to 100"]),
        (["--bits", "12", "--format", "png"], ["bits", "8 or 16"]),
        (["--progressive", "--format", "png"], ["progressive", "jpeg"]),
        (["--quality", "80", "--format", "png"], ["png", "quality"]),
        (["--quality", "80", "--format", "webp", "--lossless"], ["lossless webp", "quality"]),
        (["--subsampling", "4:4:4", "--format", "webp"], ["subsampling", "jpeg"]),
        (["--fit", "contain"], ["--fit", "add --screen"]), (["--linear"], ["--linear", "add --screen"]),
        (["--full-decode"], ["--full-decode", "add --screen"]),
        (["--recipe", "old-postcart"], ["old-postcart", "did you mean 'old-postcard'?"]),
        (["--overlay", "Media/overlays/badge.png@nort-east+16+16"], ["nort-east", "north-east"]),
        (["--text", "x", "--text-style", "size=-3"], ["size"]),
        (["--text", "x", "--text-style", "colour=red"], ["colour", "did you mean 'color'?"]),
        (["--text", "x", "--text-style", "size=5%", "--text-style", "size=6%"], ["1 --text and 2 --text-style"]),
    ]) func refusesInOneLine(_ options: [String], _ words: [String]) throws {
        let run = try bench.command(["capture", "photo.jpg", "-o", "out.img", "--format", "jpeg"] + options).run()
        expectRefused(run, 2)
        for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
        #expect(bench.listing() == [])
    }

    @Test(arguments: [
        ["capture"], ["capture", "photo.jpg"], ["capture", "-o", "out.jpg"], ["captur", "photo.jpg"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--sreen", "1x1"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--fit", "stretch"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--quality", "high"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--jobs", "0"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--max-seconds", "-1"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--max-pixels", "1e400"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--max-pixels", "9999999999999999999"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--max-frames", "0"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--max-input-bytes", "1MP"],
        ["capture", "photo.jpg", "-o", "out.jpg", "--text-style", "size=9"],
        ["filters", "sepia-tonne"], ["screens", "extra"], ["--verbose"],
    ]) func refusesWrongUsage(_ arguments: [String]) throws {
        let run = try bench.command(arguments).run()
        #expect(run.ending == .exited(2), "\(run.errors)")
        #expect(run.output.isEmpty && run.errors.hasPrefix("error: ") || run.errors.hasPrefix("Error: "))
        #expect(bench.listing() == [])
    }

    @Test(arguments: [
        (["stroy", "check", "s.yml"], "Error: Unknown command 'stroy'. Did you mean 'story'?"),
        (["story", "chek", "s.yml"], "Error: Unknown command 'chek'. Did you mean 'check'?"),
        (["story", "photo.jpg"], "Error: Unknown command 'photo.jpg'"),
        (["streams", "reply"], "Did you mean 'replay'?"),
    ]) func namesTheCommandThatIsMeant(_ arguments: [String], _ words: String) throws {
        let run = try bench.command(arguments).run()
        #expect(run.ending == .exited(2) && run.output.isEmpty)
        #expect(run.errors.contains(words) && run.errors.contains("\nUsage: wayreel "), "\(run.errors)")
    }

    @Test func printsHelpAndVersion() throws {
        for arguments in [["--help"], ["capture", "--help"], ["help", "filters"], ["--version"]] {
            let run = try expectDone(bench.command(arguments).run())
            #expect(run.errors.isEmpty && !run.output.isEmpty)
        }
    }

    @Test func anOutputOfNoKnownFormat() throws {
        expectRefused(
            try bench.wayreel("capture", "photo.jpg", "-o", "out.tiff"), 2, "out.tiff",
            "tiff can be read but not written",
            "png")
    }

    @Test func reportsErrorsInARecipe() throws {
        try bench.write("use: b.yml\n", to: "a.yml")
        try bench.write("use: a.yml\n", to: "b.yml")
        try bench.write("filters:\n  - noir\n  - {blurr: 1}\n", to: "unknown.yml")
        try bench.write("filtres: []\n", to: "key.yml")
        try bench.write("filters:\n  - sepia-tone: {intensity: 7}\n", to: "range.yml")
        try bench.write("description: \"a\0b\"\nfilters:\n  - noir\n", to: "nul.yml")
        try bench.write("a: &a [*a, *a]\n", to: "anchor.yml")
        try bench.write([0xFF, 0xFE, 0x00, 0xD8], to: "bytes.yml")
        try bench.write(String(repeating: "[", count: 100_000), to: "deep.yml")
        for (name, words) in [
            ("a.yml", ["a.yml", "b.yml"]), ("unknown.yml", ["unknown.yml:3: ", "blurr"]),
            ("key.yml", ["key.yml:1: ", "filtres", "did you mean 'filters'?"]),
            ("range.yml", ["range.yml:2: ", "intensity", "0 to 1"]), ("nul.yml", ["nul.yml"]),
            ("anchor.yml", ["anchor.yml"]), ("bytes.yml", ["bytes.yml"]),
        ] {
            let run = try bench.wayreel("capture", "photo.jpg", "-o", "out.jpg", "--recipe", name)
            expectRefused(run, 2)
            for word in words { #expect(run.errors.contains(word), "\(name): \(run.errors)") }
        }
        for (name, reason) in [("none.yml", "no such file"), ("deep.yml", "nested"), ("./Media", "directory")] {
            expectRefused(
                try bench.wayreel("capture", "photo.jpg", "-o", "out.jpg", "--recipe", name), 1, name, reason)
        }
        #expect(!bench.exists("out.jpg"))
    }
}
