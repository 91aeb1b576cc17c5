internal import TestSupport
internal import Testing

/// `wayreel story` and what goes with it: zones, conversion, schemas, recipes.
@Suite struct StoryCommandTests {
    private let bench = Workbench()

    private func write(window: String = "", to name: String = "story.yml") throws {
        try bench.write(
            """
            # A story of mine.
            story:
              id: s
              language: pt
              name: S
              chapters:
                - id: c
                  name: C            # the first
                  events:
                    - id: e
                      name: E
                      position: {latitude: 38.7, longitude: -9.1}
                      activation: {radius: 25}
                      \(window)
                      scrapbook: [{text: T}]
            """, to: name)
    }

    /// All commands say the same, and none goes on.
    @Test func anUnknownZoneIsRefusedEverywhere() throws {
        try write(window: "window: {zone: Lisbon, from: \"21:00\"}")
        try bench.write(
            "<gpx><trk><trkpt lat='38.7' lon='-9.1'><time>2026-01-01T08:00:00Z</time></trkpt></trk></gpx>", to: "w.gpx")
        let words = "story.yml:14:11: error: the time zone 'Lisbon' is unknown; did you mean 'Europe/Lisbon'?"
        for arguments in [
            ["story", "check", "story.yml"], ["play", "story.yml", "--track", "w.gpx"],
            ["prepare", "story.yml", "-o", "bundle", "--screen", "iphone-15"], ["story", "show", "story.yml"],
            ["walk", "story.yml", "-o", "out.gpx"],
        ] {
            let run = try bench.command(arguments).run()
            #expect(run.ending == .exited(1), "\(arguments): \(run.errors)")
            #expect((run.errors + run.text).contains(words), "\(arguments): \(run.errors)")
        }
        #expect(!bench.exists("bundle") && !bench.exists("out.gpx"))
        try write(window: "window: {zone: Europe/Lisbon, from: \"21:00\"}")
        expectDone(try bench.wayreel("story", "check", "story.yml"))
        let zone = try bench.wayreel("play", "story.yml", "--track", "w.gpx", "--zone", "Lisbon")
        #expect(zone.ending == .exited(2) && zone.errors.contains("did you mean 'Europe/Lisbon'?"), "\(zone.errors)")
    }

    @Test func theJSONKeepsToItsSchema() throws {
        let document = "\(Fixture.root)/Tests/WayreelStoryTests/Fixtures/every-kind.yml"
        try bench.write(
            """
            import json, jsonschema, sys
            schema = json.load(open(sys.argv[1]))
            jsonschema.Draft202012Validator.check_schema(schema)
            story = json.load(sys.stdin)
            jsonschema.Draft202012Validator(schema).validate(story)
            print(*sorted({event["content"]["type"] for chapter in story["chapters"] for event in chapter["events"]}))
            """, to: "judge.py")
        let schema = "\(Fixture.root)/Documentation/story-json.schema.json"
        let run = try bench.shell("wayreel story show \(document) --json | /usr/bin/python3 judge.py \(schema)")
        #expect(run.text == "camera exhibit goggles quiz radio\n", "\(run.errors)")
    }

    @Test func aConversionSaysThatCommentsAreLost() throws {
        try write()
        let run = try expectDone(bench.wayreel("story", "convert", "story.yml", "-o", "story.xml"))
        #expect(run.errors == "warning: story.yml: 2 comments are not kept, the first in line 1\n")
        let back = try expectDone(bench.wayreel("story", "convert", "story.xml", "-o", "back.yml"))
        #expect(back.errors.isEmpty)
        let xml = try bench.text("story.xml")
        try bench.write(xml.replacing("<chapter", with: "<!-- two\nlines --><chapter"), to: "noted.xml")
        let noted = try bench.wayreel("story", "convert", "noted.xml", "-o", "noted.yml")
        #expect(noted.errors == "warning: noted.xml: 1 comment is not kept, in line 4\n", "\(noted.errors)")
        let map = try bench.wayreel("story", "convert", "story.yml", "-o", "map.geojson")
        #expect(map.errors.isEmpty)
    }

    @Test func printsSchemas() throws {
        for (format, file) in [("json", "story.schema.json")] {
            let run = try expectDone(bench.wayreel("story", "schema", "--format", format))
            #expect(run.output == (try Fixture.bytes("\(Fixture.root)/Documentation/\(file)")))
        }
        #expect(try bench.wayreel("story", "schema").text.contains("<xs:schema"))
        #expect(try bench.wayreel("story", "schema", "--format", "markdown").text.hasPrefix("## story\n"))
    }

    @Test func listsRecipes() throws {
        let run = try expectDone(bench.wayreel("recipes"))
        let names = run.text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
        let files = Fixture.listing("\(Fixture.root)/Filters").filter { $0.hasSuffix(".yml") }
        #expect(names.sorted() == files.map { String($0.dropLast(4)) }.sorted())
        let one = try expectDone(bench.wayreel("recipes", "old-postcard"))
        #expect(one.output == (try Fixture.bytes("\(Fixture.root)/Filters/old-postcard.yml")))
        // What is printed is a recipe.
        expectDone(
            try bench.shell(
                "wayreel recipes lomo > mine.yml && wayreel capture photo.jpg -o out.jpg --screen 64x64 --recipe mine.yml"
            ))
        let json = try bench.shell(
            "wayreel recipes --json | python3 -c 'import json,sys; print(len(json.load(sys.stdin)))'")
        #expect(json.text == "\(names.count)\n", "\(json.errors)")
    }

    @Test func anUnknownRecipeListsThem() throws {
        let words = ["did you mean 'old-postcard'? the recipes are blueprint, ", "x-ray-lab"]
        for arguments in [
            ["recipes", "old-postcrd"], ["capture", "photo.jpg", "-o", "out.jpg", "--recipe", "old-postcrd"],
        ] {
            expectRefused(try bench.command(arguments).run(), 2, words[0], words[1])
        }
    }

    /// A video of 2 s, made by ffmpeg.
    @Test func captionsBeyondTheVideo() throws {
        let made = try bench.shell("ffmpeg -v error -f lavfi -i testsrc2=s=64x64:d=2 -pix_fmt yuv420p v.mp4")
        expectDone(made)
        try bench.write("1\n00:00:01,000 --> 00:00:02,500\nA\n\n2\n00:01:05,000 --> 00:01:06,000\nB\n", to: "late.srt")
        try bench.write("1\n00:00:01,000 --> 00:00:09,000\nA\n", to: "good.srt")
        try write()
        let story = try bench.text("story.yml")
        let video = "- video: {source: v.mp4, alt: V, captions: [{source: late.srt}, {source: good.srt, language: de}]}"
        try bench.write(story.replacing("[{text: T}]", with: "\n            \(video)"), to: "story.yml")
        let words = "1 of 2 captions begin after the end of the video: the last at 65 s, the video is 2 s long"
        let check = try expectDone(bench.wayreel("story", "check", "story.yml"))
        #expect(
            check.text.contains(": warning: 'late.srt': \(words)\n") && !check.text.contains("good.srt"),
            "\(check.text)")
        let plan = try bench.wayreel("prepare", "story.yml", "-o", "bundle", "--screen", "iphone-15", "--plan")
        expectDone(plan)
        #expect((plan.text + plan.errors).contains("late.srt: \(words)"), "\(plan.text)\(plan.errors)")
    }

    /// Players hear sounds of 30 s at most, in every language. Made by ffmpeg.
    @Test func soundsOnArrivalThatAreTooLong() throws {
        let sounds = [("long", 31), ("lang", 45), ("short", 30)]
        for (name, seconds) in sounds {
            expectDone(try bench.shell("ffmpeg -v error -f lavfi -i sine=r=8000:d=\(seconds) \(name).wav"))
        }
        try write(window: "arrival: {sound: {source: short.wav, alt: Ding}}")
        let others = """
              name: S
              arrival: {sound: {source: long.wav, alt: Dong}}
              translations: [{language: de, texts: [{key: arrival/sound/source, text: lang.wav}]}]
            """
        try bench.write(bench.text("story.yml").replacing("  name: S", with: others), to: "story.yml")
        let check = try expectDone(bench.wayreel("story", "check", "story.yml"))
        let plan = try bench.wayreel("prepare", "story.yml", "-o", "bundle", "--screen", "iphone-15", "--plan")
        expectDone(plan)
        let words = "players do not hear it on arrival: a sound of more than 30 s is no signal, and it is"
        for (name, seconds) in sounds.dropLast() {
            #expect(check.text.contains(": warning: '\(name).wav': \(words) \(seconds) s long\n"), "\(check.text)")
            #expect((plan.text + plan.errors).contains("\(name).wav: \(words) \(seconds) s long"), "\(plan.errors)")
        }
        #expect(!(check.text + plan.errors).contains("short.wav': players"), "\(check.text)")
        #expect(!(check.text + plan.errors).contains("short.wav: players"), "\(plan.errors)")
    }

    /// What a preparation refuses, a check does too: files that are not what their names say.
    @Test func mediaAreOpened() throws {
        let made = try bench.shell(
            """
            ffmpeg -v error -f lavfi -i sine=d=1 s.m4a && ffmpeg -v error -f lavfi -i sine=d=1 s.ogg \
              && ffmpeg -v error -f lavfi -i testsrc2=s=64x64:d=1 -pix_fmt yuv420p v.mp4 && head -c 900 v.mp4 > cut.mp4 \
              && head -c 20 photo.jpg > cut.jpg && head -c 5000 /dev/zero > zeros.mp4
            """)
        expectDone(made)
        try bench.write("1\n00:00:05,000 --> 00:00:01,000\nA\n", to: "back.srt")
        for (content, words) in [
            ("scrapbook: [{video: {source: s.m4a, alt: A}}]", "'s.m4a': is not video; name audio in a radio event"),
            ("scrapbook: [{video: {source: s.ogg, alt: A}}]", "'s.ogg': is not video; name audio in a radio event"),
            ("radio: {tracks: [{source: v.mp4, alt: A}]}", "'v.mp4': holds no audio"),
            (
                "scrapbook: [{video: {source: zeros.mp4, alt: A}}]",
                "'zeros.mp4': is not a known image, audio or video format"
            ),
            (
                "radio: {tracks: [{source: zeros.mp4, alt: A}]}",
                "'zeros.mp4': is not a known image, audio or video format"
            ),
            (
                "scrapbook: [{video: {source: cut.mp4, alt: A}}]",
                "looks like an MP4 or QuickTime video; send the whole file"
            ),
            ("scrapbook: [{image: {source: cut.jpg, alt: A}}]", "'cut.jpg': not a readable JPEG"),
            (
                "scrapbook: [{video: {source: v.mp4, alt: A, captions: {source: s.m4a}}}]",
                "'s.m4a': is neither .srt nor .vtt, and has no text subtitles"
            ),
            (
                "scrapbook: [{video: {source: v.mp4, alt: A, captions: {source: back.srt}}}]",
                "'back.srt': there are no cues of SubRip or WebVTT in it"
            ),
        ] {
            try write()
            let story = try bench.text("story.yml")
            try bench.write(story.replacing("scrapbook: [{text: T}]", with: content), to: "story.yml")
            let check = try bench.wayreel("story", "check", "story.yml")
            #expect(check.ending == .exited(1) && check.text.contains(": error: "), "\(content): \(check.text)")
            #expect(check.text.contains(words), "\(content): \(check.text)")
            let prepare = try bench.wayreel("prepare", "story.yml", "-o", "bundle", "--screen", "iphone-15")
            #expect(prepare.ending == .exited(1), "\(content): \(prepare.errors)")
        }
    }

    /// The story, its media and the bundle are not replaced by a report.
    @Test func aReportReplacesNoFileOfTheStory() throws {
        try write()
        let story = try bench.text("story.yml").replacing(
            "{text: T}", with: "{image: {source: p.jpg, alt: A}}")
        try bench.write(story, to: "story.yml")
        let photo = try Fixture.bytes(Workbench.smallPhoto)
        try bench.write(photo, to: "p.jpg")
        let prepare = ["prepare", "story.yml", "-o", "bundle", "--screen", "iphone-15", "--report"]
        expectDone(try bench.command(prepare + ["report.json"]).run())
        expectDone(try bench.command(prepare + ["report.json"]).run())
        for path in ["story.yml", "./p.jpg", "bundle/manifest.json", "bundle/story.sqlite"] {
            expectRefused(try bench.command(prepare + [path]).run(), 2, "\(path): report: is a file of the story")
        }
        #expect(try bench.bytes("story.yml") == Array(story.utf8) && bench.bytes("p.jpg") == photo)
        expectDone(try bench.wayreel("verify", "bundle"))
    }

    /// As `mkdir -p` does.
    @Test func aBundleMayBeInFoldersThatAreNotThere() throws {
        try write()
        expectDone(try bench.wayreel("prepare", "story.yml", "-o", "bundles/new/s", "--screen", "iphone-15"))
        #expect(bench.exists("bundles/new/s/manifest.json"))
        try bench.write("", to: "file")
        expectRefused(
            try bench.wayreel("prepare", "story.yml", "-o", "file/s", "--screen", "iphone-15"), 1, "file",
            "not a directory")
    }
}
