internal import TestSupport
internal import Testing

/// `wayreel capture --story --event`: a player's capture with the treatment of an event.
@Suite struct StoryEventTests {
    private let bench = Workbench()
    private static let story = "Media/story/story.xml"

    /// The treatments of the sample story, written by hand as recipes.
    private static let recipes = [
        "bell-tower": """
        use: old-postcard
        overlays:
          - image: Media/story/overlays/bell.png
            gravity: north-east
            x: 3%
            y: 3%
            scale: 22%
          - text: "Dear Tomas, yes. I."
            gravity: south
            size: 6%
            outline: "#3b2a1a"
        """,
        "library-door": """
        use: Media/story/recipes/late-post.yml
        overlays:
          - image: Media/story/overlays/bell.png
            gravity: north-east
            x: 3%
            y: 3%
            scale: 22%
          - text: Take a book, leave a book
            gravity: south
            size: 5%
            outline: "#3b2a1a"
        """,
        "except-bruno": """
        filters:
          - photo-effect-noir
          - vignette: {intensity: -0.3}
        overlays:
          - text: Except Bruno
            gravity: south
            size: 8%
        """,
    ]

    /// Expects the same bytes from the event and from the recipe, each with these options.
    private func expectSame(
        _ event: String, _ options: [String], of capture: String = "photo.jpg",
        location: SourceLocation = #_sourceLocation
    ) throws {
        try bench.write(try #require(Self.recipes[event]), to: "recipe.yml")
        let start = ["capture", capture, "--screen", "480x320"] + options
        expectDone(
            try bench.command(start + ["-o", "event.jpg", "--story", Self.story, "--event", event]).run(), location)
        expectDone(try bench.command(start + ["-o", "recipe.jpg", "--recipe", "recipe.yml"]).run(), location)
        let bytes = try bench.bytes("event.jpg")
        #expect(try bytes == bench.bytes("recipe.jpg"), sourceLocation: location)
        // The treatment has an effect.
        expectDone(try bench.command(start + ["-o", "plain.jpg"]).run(), location)
        #expect(try bytes != bench.bytes("plain.jpg"), sourceLocation: location)
    }

    @Test(arguments: recipes.keys.sorted()) func anEventIsARecipe(event: String) throws {
        try expectSame(event, [])
    }

    @Test func takesAPhonesCapture() throws {
        try expectSame("bell-tower", [], of: "Media/story/captures/sign-iphone11pro-12mp.heic")
        #expect(try bench.header("event.jpg") == ImageFileHeader("jpeg", 320, 480))
    }

    /// As with a recipe, options replace its settings, and filters and overlays are added.
    @Test func optionsAreAppliedAfterTheTreatment() throws {
        try expectSame("library-door", ["--quality", "40", "--filter", "sepia-tone:intensity=1", "--text", "Then"])
        let small = try bench.bytes("event.jpg").count
        try expectSame("library-door", ["--filter", "sepia-tone:intensity=1", "--text", "Then"])
        #expect(try bench.bytes("event.jpg").count > small)
    }

    @Test func textsAreThoseOfTheLanguage() throws {
        try bench.write(
            """
            story:
              id: s
              language: en
              name: S
              chapters:
                - {id: c, name: C, events: [{id: a, name: A, position: {latitude: 1, longitude: 2}, activation: {radius: 3},
                   camera: {clue: C, texts: [{text: Hello, style: "gravity=south,size=9%"}]}}]}
              translations:
                - language: de
                  texts:
                    - {key: event/a/camera/texts/1, text: Hallo}
            """, to: "two.yml")
        let start = ["capture", "photo.jpg", "--screen", "480x320"]
        let event = ["--story", "two.yml", "--event", "a"]
        for (language, text) in [([], "Hello"), (["--language", "de"], "Hallo"), (["--language", "de-AT"], "Hallo")] {
            expectDone(try bench.command(start + ["-o", "event.jpg"] + event + language).run())
            let style = ["--text", text, "--text-style", "gravity=south,size=9%"]
            expectDone(try bench.command(start + ["-o", "text.jpg"] + style).run())
            #expect(try bench.bytes("event.jpg") == bench.bytes("text.jpg"), "\(language)")
        }
    }

    /// Paths are relative to the story's folder, whatever the working directory.
    @Test func aStoryInTheWorkingFolder() throws {
        try expectSame("bell-tower", [])
        var command = bench.command([
            "capture", bench.path("photo.jpg"), "-o", bench.path("here.jpg"), "--screen", "480x320", "--story",
            "story.xml",
            "--event", "bell-tower",
        ])
        command.folder = bench.path("Media/story")
        expectDone(try command.run())
        #expect(try bench.bytes("here.jpg") == bench.bytes("event.jpg"))
    }

    @Test(arguments: [
        (["--story", story, "--event", "bel-tower"], ["bel-tower", "no such event", "did you mean 'bell-tower'?"]),
        (
            ["--story", story, "--event", "counter"],
            [
                "counter: story: is not a camera event but a quiz event",
                "camera events are library-door, except-bruno, five-lamps, bell-tower",
            ]
        ),
        (["--story", story], ["--story needs an --event"]), (["--event", "bell-tower"], ["--event needs a --story"]),
        (["--story", story, "--event", "bell-tower", "--recipe", "lomo"], ["remove --recipe"]),
        (
            ["--story", story, "--event", "bell-tower", "--language", "fr"],
            ["is not in the language 'fr'", "it is in en"]
        ),
        (["--language", "de"], ["--language needs a --story"]),
        (["--story", "photo.jpg", "--event", "a"], ["photo.jpg", "neither .xml nor .yml"]),
        (
            ["--story", "bad.yml", "--event", "a"],
            ["bad.yml", "has 1 error, the first in line 2", "wayreel story check"]
        ),
        (["--story", "none.yml", "--event", "a"], ["the story has no camera events"]),
        (["--story", "out.yml", "--event", "a"], ["leads out of the story's folder"]),
    ]) func refusesInOneLine(_ options: [String], _ words: [String]) throws {
        let start = "story:\n  {id: s, language: en, name: S, chapters: [{id: c, name: C, "
        try bench.write("story:\n  {id: s, language: en, name: S, chapters: [{id: c}]}\n", to: "bad.yml")
        try bench.write(start + "events: []}]}\n", to: "none.yml")
        try bench.write(
            start
                + """
                events: [{id: a, name: A, position: {latitude: 1, longitude: 2}, activation: {radius: 3}, \
                camera: {clue: C, overlays: [../logo.png]}}]}]}
                """, to: "out.yml")
        let run = try bench.command(["capture", "photo.jpg", "-o", "out.jpg"] + options).run()
        #expect(run.ending == .exited(2), "\(run.errors)")
        for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
        #expect(!bench.exists("out.jpg"))
    }

    @Test func aMissingStoryIsAnErrorOfTheMachine() throws {
        let run = try bench.wayreel("capture", "photo.jpg", "-o", "out.jpg", "--story", "no.xml", "--event", "a")
        expectRefused(run, 1, "no.xml", "no such file")
    }
}
