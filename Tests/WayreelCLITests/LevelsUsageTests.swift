internal import TestSupport
internal import Testing

/// Wrong usage of `levels` is refused before any work, in one line.
@Suite struct LevelsUsageTests {
    private let bench = Workbench()

    @Test(arguments: [
        ([], ["no output was requested", "-o", "--loudness", "--live"]), (["-o", "out"], ["out", "format", ".json"]),
        (["-o", "out.xyz"], ["out.xyz", "format"]), (["-o", ""], ["empty"]),
        (["-o", "out.json", "--format", "wavsurfer"], ["did you mean 'wavesurfer'?"]),
        (["-o", "a.json", "-o", "./a.json"], ["a.json", "twice"]), (["-o", "-", "-o", "-"], ["two outputs"]),
        (["-o", "a.json", "--format", "dat", "--format", "csv"], ["a.json", "2 formats"]),
        (["-o", "Media/radio/bunny-4s.wav", "--format", "dat"], ["is an input itself"]),
        (["-o", "a.json", "--report", "a.json"], ["a.json", "--report"]),
        (["-o", "a.json", "--bits", "8"], ["--bits", "dat"]), (["-o", "a.dat", "--bits", "12"], ["8 or 16"]),
        (["-o", "a.dat", "--meter", "vu"], ["--meter", "json"]), (["-o", "a.json", "--height", "9"], ["soundcloud"]),
        (["-o", "a.json", "--size", "9x9"], ["--size", "image"]), (["-o", "a.png", "--zoom", "9"], ["--zoom"]),
        (["-o", "a.json", "--readings", "hold"], ["hold", "meter"]), (["-o", "a.png", "--bar-gap", "3"], ["bars"]),
        (["-o", "a.json", "--decimals", "99"], ["decimals", "0 to 9"]),
        (["-o", "a.dat", "--zoom", "99999999999"], ["99999999999", "2147483647"]),
        (["-o", "a.png", "--style", "strip", "--capacity", "0"], ["capacity"]),
        (["-o", "a.png", "--bar-width", "nan", "--style", "bars"], ["bar width"]),
        (["-o", "a.png", "--style", "strip", "--label", "%s"], ["%s", "%.1f"]),
        (["--loudness", "--bits", "8"], ["require", "-o"]), (["--loudness", "--zoom", "9"], ["require"]),
        (["--loudness", "--format", "csv"], ["--format", "-o"]),
        (["--live", "-o", "a.ndjson"], ["--live", ">"]), (["--live", "--loudness"], ["--loudness"]),
        (["--live", "--zoom", "9"], ["--rate"]), (["--live", "--format", "csv"], ["ndjson"]),
        (["--live", "--size", "9x9"], ["image"]), (["--live", "--fail-on", "warning"], ["--fail-on"]),
        (["--live", "--if-exists", "skip"], ["--if-exists"]), (["-o", "a.png", "--meter", "vu"], ["meter", "strip"]),
    ]) func refusesInOneLine(_ options: [String], _ words: [String]) throws {
        let run = try bench.command(["levels", "Media/radio/bunny-4s.wav"] + options).run()
        expectRefused(run, 2)
        for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
        #expect(bench.listing() == [])
    }

    @Test(arguments: [
        ["--rate", "0"], ["--rate=-5"], ["--rate", "1/0"], ["--rate", "nan"], ["--zoom", "0"], ["--points", "0"],
        ["--rate", "30", "--zoom", "256"], ["--track", "0"], ["--track", "99999999999999999999"], ["--jobs", "0"],
        ["--sample-rate", "999"], ["--sample-rate", "x"], ["--max-hours", "0"], ["--max-seconds=-1"],
        ["--raw", "s16le"], ["--raw", "s16le:0:2"], ["--meter", "bbc"],
        ["--raw", "s16le:44100:99999999"], ["--amplitude-scale", "nan"], ["--size", "0x0"], ["--color", "blu"],
        ["--split-channels", "--channels", "mono"], ["--raw", "u8:8000:1", "--track", "1"],
    ]) func rejectsValuesOutOfRange(_ options: [String]) throws {
        let run = try bench.command(["levels", "Media/radio/bunny-4s.wav", "-o", "out.json"] + options).run()
        #expect(run.ending == .exited(2) && run.errors.hasPrefix("Error: "), "\(run.errors)")
        #expect(bench.listing() == [])
    }

    @Test func acceptsNegativeLevels() throws {
        expectDone(
            try bench.wayreel(
                "levels", "Media/radio/bunny-4s.wav", "-o", "out.png", "--style", "strip", "--lower-limit", "-50",
                "--upper-limit", "-3", "--baseline", "-20"))
        #expect(try bench.header("out.png") == ImageFileHeader("png", 1200, 300))
    }

    @Test func namesBothInputsOfACollision() throws {
        let run = try bench.shell("wayreel levels Media/radio/* -o levels/")
        expectRefused(run, 2, "levels/bunny-4s.json", "bunny-4s.flac", "bunny-4s.m4a")
        expectRefused(
            try bench.shell("wayreel levels Media/radio/*.mp3 -o levels.json"), 2, "levels.json",
            "2 inputs need a folder")
        #expect(bench.listing() == [])
    }

    @Test func leavesTheInputAlone() throws {
        let audio = try Fixture.bytes(Fixture.media("radio/bunny-4s.wav"))
        try bench.write(audio, to: "in.wav")
        for line in [
            "wayreel levels in.wav -o in.wav --format dat", "wayreel levels in.wav -o ./in.wav --format png",
            "ln in.wav hard.dat; wayreel levels in.wav -o hard.dat", "wayreel levels in.wav --live -o in.wav",
            "ln -s in.wav soft.dat; wayreel levels in.wav -o soft.dat",
            "wayreel levels in.wav --loudness --report in.wav",
        ] {
            let run = try bench.shell(line)
            #expect(run.ending == .exited(2), "\(line): \(run.errors)")
            #expect(try bench.bytes("in.wav") == audio, "\(line)")
        }
    }

    @Test func handlesExistingOutputs() throws {
        try bench.write("mine", to: "a.json")
        expectRefused(
            try bench.shell("wayreel levels Media/radio/bunny-4s.wav -o a.json --if-exists fail"), 1,
            "a.json: write: already exists")
        expectDone(try bench.shell("wayreel levels Media/radio/bunny-4s.wav -o a.json --if-exists skip"))
        #expect(try bench.bytes("a.json") == Array("mine".utf8))
        expectDone(try bench.shell("wayreel levels Media/radio/bunny-4s.wav -o a.json"))
        #expect(try bench.levels("a.json").sampleRate == 44_100)
    }
}
