internal import FoundationEssentials
internal import Glibc
internal import TestSupport
internal import Testing

/// Bundles, judged by other programs: sha256sum, sqlite3, ffprobe and a JSON Schema library.
@Suite struct PrepareCommandTests {
    private let story: StoryBench
    private var bench: Workbench { story.bench }

    init() throws { story = try StoryBench() }

    @Test func everyFileIsThereAndIsWhatTheManifestSays() throws {
        expectDone(try story.prepare())
        let manifest = try Manifest(bench.bytes("bundle/manifest.json"))
        #expect(Set(manifest.roles) == ["image", "preview", "audio", "levels", "plot", "video", "poster", "treatment"])
        #expect(manifest.missing == nil)
        for file in manifest.files {
            let sum = try bench.shell("sha256sum bundle/\(file.path) | cut -d' ' -f1").text
            #expect(sum == file.sha256 + "\n", "\(file.path)")
            #expect(try bench.bytes("bundle/\(file.path)").count == file.bytes)
            #expect(file.path.contains(file.sha256))
        }
        // There are no unused files.
        let files = try bench.shell("cd bundle && find media -type f | wc -l").text
        #expect(Int(files.dropLast()) == manifest.files.count)
        expectDone(try bench.wayreel("verify", "bundle"))
    }

    @Test func theManifestKeepsToItsSchema() throws {
        expectDone(try story.prepare())
        let judged = try bench.shell(
            """
            /usr/bin/python3 -c '
            import json, jsonschema
            schema = json.load(open("\(Fixture.root)/Documentation/manifest.schema.json"))
            jsonschema.Draft202012Validator.check_schema(schema)
            jsonschema.Draft202012Validator(schema).validate(json.load(open("bundle/manifest.json")))'
            """)
        #expect(judged.ending == .exited(0), "\(judged.errors)")
    }

    @Test func theDatabaseKeepsToItsSchemas() throws {
        expectDone(try story.prepare())
        let judged = try bench.shell(
            """
            /usr/bin/python3 -c '
            import json, jsonschema, sqlite3
            read = lambda name: json.load(open("\(Fixture.root)/Documentation/" + name + ".schema.json"))
            def judge(schema, table):
                rows = sqlite3.connect("file:bundle/story.sqlite?immutable=1", uri=True).execute("select json from " + table).fetchall()
                for row in rows: jsonschema.Draft202012Validator(schema).validate(json.loads(row[0]))
                print(table, len(rows))
            story, options = read("story-json"), read("capture-options")
            for schema in (story, options): jsonschema.Draft202012Validator.check_schema(schema)
            part = lambda name: {"$ref": "#/$defs/" + name, "$defs": story["$defs"]}
            judge(story, "story"); judge(part("chapter"), "chapter"); judge(part("event"), "event"); judge(options, "treatment")'
            """)
        #expect(judged.text == "story 1\nchapter 1\nevent 3\ntreatment 1\n", "\(judged.errors)")
    }

    @Test func aBundleInTwoLanguagesKeepsToTheSchemas() throws {
        try bench.write(Fixture.bytes(Fixture.media("radio/bunny-4s.ogg")), to: "story/german.ogg")
        try story.write(
            translations: """
                <translation language="de">
                  <text key="story/name">Ein Weg</text>
                  <text key="event/listen/radio/1/source">german.ogg</text>
                </translation>
                """)
        let prepared = try story.prepare()
        expectDone(prepared)
        for language in ["en", "de"] {
            #expect(prepared.lines.contains { $0.hasPrefix("in \(language), players download ") }, "\(prepared.errors)")
        }
        #expect(prepared.lines.contains { $0.hasPrefix("warning: the translation into 'de': of ") })
        #expect(prepared.lines.contains { $0.contains(" media have no credits: neither the story nor the files name") })
        let judged = try bench.shell(
            """
            /usr/bin/python3 -c '
            import json, jsonschema, sqlite3
            read = lambda name: json.load(open("\(Fixture.root)/Documentation/" + name + ".schema.json"))
            manifest = json.load(open("bundle/manifest.json"))
            jsonschema.Draft202012Validator(read("manifest")).validate(manifest)
            print(*manifest["story"]["languages"])
            print(*sorted({entry["source"] for entry in manifest["media"] if "languages" in entry}))
            story = read("story-json")
            rows = sqlite3.connect("file:bundle/story.sqlite?immutable=1", uri=True).execute(
                "select part, json from translated where language = ?", ("de",)).fetchall()
            for part, text in rows:
                schema = story if part == "story" else {"$ref": "#/$defs/" + part, "$defs": story["$defs"]}
                jsonschema.Draft202012Validator(schema).validate(json.loads(text))
            print(*sorted(part for part, text in rows))'
            """)
        #expect(judged.text == "en de\ngerman.ogg radio.mp3\nevent story\n", "\(judged.errors)")
        expectDone(try story.prepare("--language", "en"))
        #expect(try !bench.shell("cat bundle/manifest.json").text.contains("german.ogg"))
        let refused = try story.prepare("--language", "fr")
        #expect(refused.ending == .exited(2) && refused.errors.contains("has no language 'fr'; it has en, de"))
    }

    @Test func theDatabaseIsOneFileThatOthersRead() throws {
        expectDone(try story.prepare())
        let rows = try bench.shell(
            "sqlite3 'file:bundle/story.sqlite?immutable=1' 'pragma integrity_check; pragma journal_mode; select id, kind from event'"
        ).text
        #expect(rows == "ok\ndelete\nlook|camera\nlisten|radio\nread|scrapbook\n")
        #expect(Fixture.listing(bench.path("bundle/current/")) == ["manifest.json", "story.sqlite"])
    }

    @Test func imagesHaveTheWidthOfTheScreenAndAreNeverEnlarged() throws {
        // 640×480: the width of the iPhone's screen.
        expectDone(try story.prepare())
        let manifest = try Manifest(bench.bytes("bundle/manifest.json"))
        for (screen, width, height) in [("320x480", 320, 240), ("iphone-4s", 640, 480)] {
            let path = try #require(manifest.path(of: "photo.jpg", "image", screen))
            let header = try bench.header("bundle/\(path)")
            #expect(header?.width == width && header?.height == height)
        }
        // One file serves both screens.
        #expect(
            manifest.path(of: "clip.mkv", "video", "320x480") == manifest.path(of: "clip.mkv", "video", "iphone-4s"))
        let audio = try #require(manifest.path(of: "radio.mp3", "audio", nil))
        let probed = try SampleVideo.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", bench.path("bundle/\(audio)")])
        #expect(probed.text == "aac\n")
    }

    /// From SubRip in Windows-1252, and from the German one of two subtitle tracks of a video.
    @Test func captionsAreWebVTT() throws {
        let cue = "1\n00:00:00,100 --> 00:00:00,600\n"
        try bench.write(
            Array("\(cue)<i>Caf".utf8) + [0xE9] + Array("</i> & <font size=9>bar</font>\n".utf8), to: "story/said.SRT")
        for (name, text) in [("de", "Eine Glocke"), ("fr", "Une cloche")] {
            try bench.write(cue + text + "\n", to: "\(name).srt")
        }
        try SampleVideo.make([
            "-i", bench.path("story/clip.mkv"), "-i", bench.path("fr.srt"), "-i", bench.path("de.srt"), "-map", "0",
            "-map", "1",
            "-map", "2", "-c", "copy", "-metadata:s:s:0", "language=fre", "-metadata:s:s:1", "language=ger",
            bench.path("story/said.mkv"),
        ])
        try story.write(
            items: """
                <video source="said.mkv" alt="Bars">
                  <captions source="said.SRT"/><captions source="said.mkv" language="de-AT"/>
                </video>
                """)
        expectDone(try story.prepare())
        let manifest = try Manifest(bench.bytes("bundle/manifest.json"))
        let texts = try ["said.SRT", "said.mkv"].map { source in
            let path = try #require(manifest.path(of: source, "captions", nil))
            #expect(path.hasSuffix(".vtt"))
            return try bench.text("bundle/\(path)")
        }
        let time = "WEBVTT\n\n00:00:00.100 --> 00:00:00.600\n"
        #expect(texts == ["\(time)<i>Café</i> &amp; bar\n", "\(time)Eine Glocke\n"])
        expectDone(try bench.wayreel("verify", "bundle"))
    }

    @Test func captionsThatAreNoneAreAnError() throws {
        try bench.write("no captions", to: "story/said.vtt")
        try story.write(
            items: """
                <video source="clip.mkv" alt="Bars">
                  <captions source="said.vtt"/><captions source="clip.mkv" language="de"/>
                </video>
                """)
        let failed = try story.prepare()
        #expect(failed.ending == .exited(1))
        #expect(
            failed.errors.contains("said.vtt: subtitles: there are no cues of SubRip or WebVTT in it"),
            "\(failed.errors)")
        #expect(
            failed.errors.contains("clip.mkv: subtitles: is neither .srt nor .vtt, and has no text subtitles"),
            "\(failed.errors)")
        #expect(!bench.exists("bundle/manifest.json"))
    }

    /// The clip of all tests has no sound.
    @Test func soundWithoutCaptionsIsTold() throws {
        try SampleVideo.make([
            "-i", bench.path("story/clip.mkv"), "-i", bench.path("story/radio.mp3"), "-c", "copy", "-t", "1",
            bench.path("story/loud.mkv"),
        ])
        try story.write(items: #"<video source="loud.mkv" alt="Bars"/>"#)
        let told = try story.prepare().errors
        #expect(told.contains("loud.mkv: it has audio but no captions"), "\(told)")
        #expect(!told.contains("clip.mkv: it has sound"), "\(told)")
        try bench.write("1\n00:00:00,000 --> 00:00:01,000\n[Music]\n", to: "story/loud.srt")
        try story.write(items: #"<video source="loud.mkv" alt="Bars"><captions source="loud.srt"/></video>"#)
        #expect(try !story.prepare().errors.contains("no captions"))
    }

    @Test func nothingIsMadeTwice() throws {
        let first = try #require(story.counts(try story.prepare()))
        #expect(first.reused == 0)
        let sums = try story.sums("bundle")
        let second = try story.prepare()
        #expect(try #require(story.counts(second)).made == 0)
        #expect(second.errors.contains("up to date"))
        #expect(try story.sums("bundle") == sums)
        // Text changes affect no media.
        try story.write(name: "Another name")
        let third = try story.prepare()
        #expect(try #require(story.counts(third)).made == 0)
        #expect(!third.errors.contains("up to date"))
    }

    @Test func onlyWhatChangedIsMadeAnew() throws {
        let first = try #require(story.counts(try story.prepare()))
        let media = try bench.shell("cd bundle && find media -type f | sort").text
        try bench.write("mine", to: "bundle/media/notes.txt")
        // An edit of the same size with the old modification time is only detected by the time of the status change.
        expectDone(
            try bench.shell(
                """
                touch -r story/radio.mp3 stamp; printf '\\377' | dd of=story/radio.mp3 bs=1 seek=9000 conv=notrunc status=none
                touch -r stamp story/radio.mp3
                """))
        let second = try #require(story.counts(try story.prepare()))
        // Only the clip's audio, and its levels with their plot, are made again.
        #expect(second.made == 2 && second.reused == first.made - 2)
        let after = try bench.shell("cd bundle && find media -type f | sort").text
        #expect(Set(media.split(separator: "\n")).subtracting(after.split(separator: "\n")).count >= 1)
        #expect(try bench.bytes("bundle/media/notes.txt") == Array("mine".utf8))
        expectDone(try bench.wayreel("verify", "bundle"))
    }

    @Test(arguments: ["truncate -s 100 F", "printf x | dd of=F bs=1 seek=50 conv=notrunc status=none", "rm F"])
    func damageIsFoundAndMendedByTheNextRun(damage: String) throws {
        expectDone(try story.prepare())
        let sums = try story.sums("bundle")
        let manifest = try Manifest(bench.bytes("bundle/manifest.json"))
        let path = try #require(manifest.path(of: "photo.jpg", "image", "320x480"))
        expectDone(try bench.shell(damage.replacing("F", with: "bundle/\(path)")))
        let verified = try bench.wayreel("verify", "bundle")
        #expect(verified.ending == .exited(1) && verified.text.contains(path), "\(verified.text)")
        let run = try story.prepare()
        #expect(try #require(story.counts(run)).made == 1)
        #expect(run.errors.contains("warning: \(path) is damaged or missing, and is made again"), "\(run.errors)")
        #expect(run.errors.contains("the bundle is the same as before"))
        #expect(try story.sums("bundle") == sums)
    }

    @Test func mediaThatFailKeepTheOldBundle() throws {
        expectDone(try story.prepare())
        let sums = try story.sums("bundle")
        try bench.write("no image", to: "story/broken.jpg")
        try story.write(items: #"<image source="broken.jpg" alt="?"/>"#)
        let failed = try story.prepare()
        #expect(failed.ending == .exited(1))
        #expect(
            failed.errors.contains("error: broken.jpg: ") && failed.errors.contains("--allow-missing"),
            "\(failed.errors)")
        #expect(try story.sums("bundle") == sums)
        try expectDone(story.prepare("--allow-missing"))
        #expect(try Manifest(bench.bytes("bundle/manifest.json")).missing?.map(\.source) == ["broken.jpg"])
        expectDone(try bench.wayreel("verify", "bundle"))
    }

    @Test func planMakesNothingAndSaysWhatIsThere() throws {
        let plan = try expectDone(story.prepare("--plan"))
        #expect(plan.text.contains("photo.jpg") && plan.text.contains("to do"), "\(plan.text)")
        #expect(!bench.exists("bundle"))
        expectDone(try story.prepare())
        #expect(try story.prepare("--plan").text.contains(" 0 to do"))
    }

    @Test func otherPeoplesFilesAreRefused() throws {
        bench.makeFolder("bundle")
        try bench.write("{}", to: "bundle/manifest.json")
        expectRefused(try story.prepare(), 1, "manifest.json", "not part of a Wayreel bundle", "folder of its own")
        #expect(bench.listing("bundle") == ["manifest.json"])
        bench.makeFolder("photos")
        bench.makeFolder("photos/media")
        expectRefused(try story.prepare(output: "photos"), 1, "media", "not part of a Wayreel bundle")
    }

    @Test func twoRunsAtOnceDoNotMix() throws {
        expectDone(try story.prepare())
        // Locked in the way in which the first run locks it.
        let held = try bench.shell(
            "flock -x bundle/.wayreel/lock wayreel prepare story/story.xml -o bundle --screen 320x480")
        expectRefused(held, 1, "another run is preparing this bundle")
    }

    @Test func aNewerVersionIsNotGuessedAt() throws {
        expectDone(try story.prepare())
        expectDone(
            try bench.shell(
                #"sed -i 's/"version" : 1/"version" : 9/' bundle/current/manifest.json && sqlite3 bundle/current/story.sqlite 'pragma user_version = 9'"#
            ))
        expectRefused(try bench.wayreel("verify", "bundle"), 1, "has version 9", "use a newer Wayreel")
        expectRefused(try story.prepare(), 1, "has version 9", "use a newer Wayreel")
    }

    @Test func aDamagedStateIsMadeAnew() throws {
        expectDone(try story.prepare())
        let sums = try story.sums("bundle")
        expectDone(
            try bench.shell("rm -f bundle/.wayreel/state.sqlite-*; yes | head -c 9999 > bundle/.wayreel/state.sqlite"))
        let run = try expectDone(story.prepare())
        #expect(run.errors.contains("the bundle's state file is damaged"), "\(run.errors)")
        #expect(try story.sums("bundle") == sums)
    }

    /// The state is a file that anyone may have edited.
    @Test func anEditedStateLeadsNowhere() throws {
        let made = try #require(story.counts(try story.prepare())).made
        try bench.write("mine", to: "precious.txt")
        try bench.write("mine", to: "bundle/notes.txt")
        expectDone(
            try bench.shell(
                """
                sqlite3 bundle/.wayreel/state.sqlite "insert into made values ('../precious.txt'), ('notes.txt'), ('media/../notes.txt');
                    update task set json = json_set(json, '$.outputs', json('[]'))"
                """))
        let again = try expectDone(story.prepare())
        #expect(try #require(story.counts(again)).made == made)
        #expect(bench.exists("precious.txt") && bench.exists("bundle/notes.txt"))
        expectDone(try bench.wayreel("verify", "bundle"))
    }

    @Test func anEditedManifestIsFoundAndMended() throws {
        expectDone(try story.prepare())
        let sums = try story.sums("bundle")
        expectDone(
            try bench.shell(
                "sed -i 's/\"screen\" : \"iphone-4s\"/\"screen\" : \"other\"/' bundle/current/manifest.json"))
        let verified = try bench.wayreel("verify", "bundle")
        #expect(verified.ending == .exited(1) && verified.text.contains("manifest.json: lists other media"))
        expectDone(try story.prepare())
        #expect(try story.sums("bundle") == sums)
        expectDone(
            try bench.shell("sed -i 's#\"path\" : \"media/#\"path\" : \"media/../../#' bundle/current/manifest.json"))
        expectRefused(try bench.wayreel("verify", "bundle"), 1, "manifest.json", "is damaged")
    }

    /// Nothing in a manifest can be changed unnoticed, whether or not the database holds it too.
    @Test(arguments: [
        #"s/"events" : [0-9]*/"events" : 99/"#, #"s/"width" : 320/"width" : 1/"#,
        #"s/"wayreel" : ".*"/"wayreel" : "9"/"#, #"s/^  "version" : 1/  "x" : 1,\n&/"#,
        #"s/^  "version" : 1/  "missing" : [{"source":"a","reason":"b"}],\n&/"#,
        #"/"story" : {/,/}/s/"name" : ".*"/"name" : "Another"/"#,
        #"/"story" : {/,/}/s/"id" : "[^"]*"/"id" : "another"/"#,
    ])
    func anyChangeOfAManifestIsFound(edit: String) throws {
        expectDone(try story.prepare())
        let sums = try story.sums("bundle")
        expectDone(try bench.shell("sed -i '\(edit)' bundle/current/manifest.json"))
        #expect(try story.sums("bundle") != sums)
        let verified = try bench.wayreel("verify", "bundle")
        #expect(
            verified.ending == .exited(1) && verified.text.contains("manifest.json: was changed"), "\(verified.text)")
        let run = try story.prepare()
        #expect(run.errors.contains("warning: manifest.json was damaged or missing, and is made again"))
        #expect(try story.sums("bundle") == sums)
    }

    @Test(arguments: [
        ("sqlite3 bundle/current/story.sqlite 'update event set radius = 99'", ["story.sqlite"]),
        ("rm -r bundle/versions", ["manifest.json", "story.sqlite"]), ("rm bundle/current", ["current"]),
        ("rm bundle/manifest.json", ["manifest.json"]),
    ])
    func whatIsRepairedIsNamed(damage: String, names: [String]) throws {
        expectDone(try story.prepare())
        let sums = try story.sums("bundle")
        expectDone(try bench.shell(damage))
        let run = try expectDone(story.prepare())
        let told = run.errors.split(separator: "\n").filter { $0.hasPrefix("warning: ") }.sorted()
        #expect(told == names.map { "warning: \($0) was damaged or missing, and is made again" }, "\(run.errors)")
        #expect(!run.errors.contains("up to date"))
        #expect(try story.sums("bundle") == sums)
        #expect(try story.prepare().errors.contains("up to date"))
    }

    @Test func replacingAnotherStoryIsTold() throws {
        expectDone(try story.prepare())
        try expectDone(
            bench.shell(
                #"sed -i 's/id="walk"/id="another"/' story/story.xml"#))
        let run = try expectDone(story.prepare())
        #expect(run.errors.contains("holds the story 'walk', which 'another' replaces"), "\(run.errors)")
        #expect(try !story.prepare().errors.contains("replaces"))
    }

    @Test func theLengthOfAudioIsInTheDatabase() throws {
        expectDone(try story.prepare())
        let row =
            try bench.shell(
                "sqlite3 -separator ' ' bundle/story.sqlite \"select path, seconds from file where type = 'audio/mp4'\""
            ).text.split(separator: "\n").first?.split(separator: " ") ?? []
        try #require(row.count == 2)
        let probed = try SampleVideo.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", bench.path("bundle/\(row[0])")])
        let length = try #require(Double(probed.text.filter { !$0.isWhitespace }))
        #expect(abs((Double(row[1]) ?? 0) - length) < 0.05 && length > 0.1)
    }

    @Test func aStateOfANewerWayreelIsLeftAlone() throws {
        expectDone(try story.prepare())
        expectDone(try bench.shell("sqlite3 bundle/.wayreel/state.sqlite 'pragma user_version = 99'"))
        expectRefused(try story.prepare(), 1, "has version 99", "use a newer Wayreel")
        expectDone(try story.prepare("--plan"))
    }

    @Test func aFileThatCannotBeMadeSmallEnoughIsAnError() throws {
        let outcome = try story.prepare("--max-file-bytes", "900")
        #expect(outcome.ending == .exited(1))
        // The same file fails for each screen.
        for screen in ["320x480", "iphone-4s"] {
            #expect(outcome.errors.contains("error: photo.jpg for \(screen): "), "\(outcome.errors)")
        }
        #expect(!bench.exists("bundle/manifest.json"))
    }
}

/// The parts of a manifest that tests read, declared independently.
private struct Manifest: Decodable {
    struct File: Decodable {
        var path: String
        var bytes: Int
        var sha256: String
    }

    struct Entry: Decodable {
        var source: String
        var role: String
        var screen: String?
        var path: String
    }

    struct Missing: Decodable {
        var source: String
    }

    var files: [File]
    var media: [Entry]
    var missing: [Missing]?

    init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(Manifest.self, from: Data(bytes)) }

    var roles: [String] { media.map(\.role) }

    func path(of source: String, _ role: String, _ screen: String?) -> String? {
        media.first { $0.source == source && $0.role == role && $0.screen == screen }?.path
    }
}
