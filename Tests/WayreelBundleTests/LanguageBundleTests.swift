internal import FoundationEssentials
internal import TestSupport
internal import Testing
internal import WayreelBundle
internal import WayreelCore
internal import WayreelImage
internal import WayreelStory

/// Bundles of stories in several languages.
@Suite struct LanguageBundleTests {
    private let folder = TemporaryFolder()
    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private static let place = GeoPoint(latitude: 1, longitude: 2)

    /// A story with a sound of each language, one image for both, and captures with a text over them.
    private static func story(_ translations: [Translation]) -> Story {
        func event(_ id: String, _ name: String, _ content: EventContent) -> Event {
            Event(id: id, name: name, position: place, activation: Activation(radius: 9), content: content)
        }
        let treatment = Treatment(texts: [.init("Hello", style: "gravity=south,size=20,color=#fff")])
        let events = [
            event(
                "look", "Look",
                .camera(CameraContent(clue: "The bell", sample: Asset(source: "a.png"), treatment: treatment))),
            event("listen", "Listen", .radio(RadioContent(tracks: [.init(Asset(source: "en.mp3"))]))),
        ]
        return Story(
            id: "walk", language: "en", name: "Test", cover: Asset(source: "cover.png"),
            chapters: [Chapter(id: "c", name: "First", events: events)], translations: translations)
    }

    private static let german = Translation(
        language: "de",
        entries: [
            ("story/name", "Probe"), ("chapter/c/name", "Erstes"), ("event/look/name", "Schau"),
            ("event/look/camera/clue", "Die Glocke"), ("event/look/camera/texts/1", "Mahlzeit"),
            ("event/listen/name", "Horch"), ("event/listen/radio/1/source", "de.ogg"),
        ].map { Translation.Entry(key: $0, value: .plain($1)) })

    /// Only what differs from German.
    private static let austrian = Translation(
        language: "de-AT", entries: [.init(key: "event/look/camera/texts/1", value: .plain("Servus"))])

    private func prepare(
        _ translations: [Translation] = [german], languages: [String]? = nil
    ) async throws -> PrepareReport {
        try await preparation(Self.story(translations), languages).run()
    }

    private func preparation(_ story: Story, _ languages: [String]? = nil) throws -> Preparation {
        try OutputFile.write(
            Array(StoryDocument.text(of: story, as: .xml).utf8), to: path("story.xml"), ifExists: .replace)
        for (name, width) in [("cover.png", 30), ("a.png", 300)] {
            try OutputFile.write(PNGFile.black(width: width, height: 200), to: path(name), ifExists: .replace)
        }
        for (name, source) in [("en.mp3", "mp3"), ("de.ogg", "ogg")] {
            try OutputFile.write(
                Fixture.bytes(Fixture.media("radio/bunny-4s.\(source)")), to: path(name), ifExists: .replace)
        }
        return Preparation(
            document: path("story.xml"), bundle: path("bundle"),
            options: PrepareOptions(screens: [try Screen(parsing: "100x150")], languages: languages))
    }

    private func bundle() throws -> StoryBundle { try StoryBundle.open(path("bundle")) }

    @Test func aBundleHasEachLanguageAsAWholeStory() async throws {
        #expect(try await prepare([Self.german, Self.austrian]).isSwitched)
        let bundle = try bundle()
        #expect(try bundle.languages() == ["en", "de", "de-AT"])
        #expect(try bundle.manifest().story.languages == ["en", "de", "de-AT"])
        let own = try bundle.wholeStory()
        #expect((own.language, own.name) == ("en", "Test"))
        #expect(own.languages == ["en", "de", "de-AT"] && own.translations.isEmpty)
        #expect(own.chapters[0].events.map(\.name) == ["Look", "Listen"])
        for language in ["de", "de-AT", "DE"] {
            let story = try bundle.wholeStory(language: language)
            #expect(story.language.lowercased() == language.lowercased())
            #expect(story.name == "Probe" && story.languages == own.languages && story.translations.isEmpty)
            #expect(story.chapters[0].name == "Erstes" && story.chapters[0].events.map(\.name) == ["Schau", "Horch"])
            #expect(try bundle.chapters(language: language).map(\.name) == ["Erstes"])
            #expect(try bundle.chapter("c", language: language) == story.chapters[0])
        }
        #expect(try bundle.wholeStory(language: "en") == own)
        let unknown = #expect(throws: MediaError.self) { try bundle.story(language: "fr") }
        #expect(unknown?.kind == .parameter && unknown?.reason == "has no language 'fr'")
        #expect(try await StoryBundle.verify(path("bundle")).issues.isEmpty)
    }

    @Test func languagesShareMediaThatNoTranslationReplaces() async throws {
        let report = try await prepare()
        let manifest = try bundle().manifest()
        func languages(_ source: String, _ role: MediaRole) -> [[String]?] {
            manifest.media.filter { $0.source == source && $0.role == role }.map(\.languages)
        }
        #expect(languages("cover.png", .image) == [nil] && languages("a.png", .image) == [nil])
        #expect(languages("en.mp3", .audio) == [["en"]] && languages("de.ogg", .audio) == [["de"]])
        #expect(languages("a.png", .preview) == [["en"], ["de"]])
        let bundle = try bundle()
        let previews = try ["en", "de"].map { language in
            try bundle.media(for: "a.png", role: .preview, screen: "100x150", language: language)
        }
        #expect(previews.map(\.count) == [1, 1] && previews[0] != previews[1])
        #expect(try bundle.media(for: "de.ogg", role: .audio, language: "en").isEmpty)
        // What a player downloads is all but what only the other language has.
        let german = try [previews[1][0], bundle.media(for: "de.ogg", role: .audio)[0]].reduce(0) {
            $0 + $1.file.bytes
        }
        let english = try [previews[0][0], bundle.media(for: "en.mp3", role: .audio)[0]].reduce(0) {
            $0 + $1.file.bytes
        }
        #expect(report.languages.map(\.language) == ["en", "de"])
        #expect(report.languages[0].downloads.map(\.bytes) == [report.bytesOut - german])
        #expect(report.languages[1].downloads.map(\.bytes) == [report.bytesOut - english])
    }

    @Test func capturesHaveTheTextsOfTheLanguage() async throws {
        _ = try await prepare([Self.german, Self.austrian])
        let bundle = try bundle()
        func text(_ language: String?) throws -> String? {
            let options = try bundle.captureOptions(for: "look", screen: nil, language: language)
            return options.overlays.compactMap { if case .text(let text) = $0 { text.text } else { nil } }.first
        }
        #expect(try text(nil) == "Hello" && text("en") == "Hello")
        #expect(try text("de") == "Mahlzeit" && text("de-AT") == "Servus")
    }

    @Test func aBundleHasTheLanguagesThatAreAskedFor() async throws {
        let translations = [Self.german, Self.austrian]
        #expect(try await prepare(translations, languages: ["DE-at"]).isSwitched)
        #expect(try bundle().languages() == ["en", "de-AT"])
        // What it lacks is German, although German itself is not there.
        #expect(try bundle().story(language: "de-AT").name == "Probe")
        #expect(try await prepare(translations, languages: []).isSwitched)
        #expect(try bundle().languages() == ["en"])
        #expect(try bundle().media(for: "de.ogg").isEmpty)
        #expect(try bundle().manifest().story.languages == nil)
        let preparation = try preparation(Self.story(translations), ["fr"])
        let error = await #expect(throws: MediaError.self) { try await preparation.run() }
        #expect(error?.kind == .parameter && error?.reason == "has no language 'fr'")
        #expect(error?.advice?.description == "it has en, de, de-AT; qps is a pseudo-language")
    }

    /// Its texts are there for every bundle, its media and its place among the languages only when it is asked for.
    @Test func thePseudoLanguageIsAddedWhenItIsAskedFor() async throws {
        _ = try await prepare()
        #expect(try bundle().languages() == ["en", "de"])
        // U+0166, U+1E17, U+015F, U+0167: four letters are 40 % longer with the brackets alone.
        let name = "[\u{166}\u{1E17}\u{15F}\u{167}]"
        #expect(try bundle().story(language: "qps").name == name)
        let chapter = try bundle().chapter("c", language: "qps")
        #expect(try chapter == bundle().wholeStory(language: "qps").chapters[0])
        #expect(chapter.name.hasPrefix("[\u{191}"))
        #expect(try bundle().chapters(language: "qps").map(\.name) == [chapter.name])
        _ = try await prepare(languages: ["qps"])
        #expect(try bundle().languages() == ["en", "qps"])
        #expect(try bundle().story(language: "qps").name == name)
        #expect(try bundle().chapter("c", language: "qps") == chapter)
        #expect(try bundle().media(for: "a.png", role: .preview, language: "qps").count == 1)
    }

    @Test func aPlanTellsWhatIsMissingAndOutOfDate() async throws {
        var german = Self.german
        german.entries.removeFirst()
        german.entries[1].hash = "000000000000"
        let plan = try await preparation(Self.story([german, Self.austrian])).plan()
        // Six texts and three files.
        #expect(
            plan.warnings.filter { $0.hasPrefix("the translation") } == [
                "the translation into 'de': of 6 texts, 1 is missing, 1 is out of date",
                "the translation into 'de-AT': of 6 texts, 1 is missing, 1 is out of date",
            ])
        let own = try await preparation(Self.story([german]), []).plan()
        #expect(own.warnings.isEmpty)
    }

    @Test func verificationFindsWhatALanguageLacks() async throws {
        _ = try await prepare()
        let database = path("bundle/story.sqlite")
        let sql = "DELETE FROM media WHERE source = 'de.ogg' OR role = 'preview' AND languages = '[\"de\"]'"
        #expect(try Command("/usr/bin/sqlite3", [database, sql]).run().ending == .exited(0))
        let reasons = try await StoryBundle.verify(path("bundle")).issues.map(\.reason)
        #expect(reasons.contains("the story shows 'de.ogg', and there is no audio of it in de"))
        #expect(reasons.contains("the story shows 'a.png', and there is no preview of it for 100x150 in de"))
        #expect(!reasons.contains { $0.contains("en.mp3") || $0.contains("cover.png") })
    }

    // MARK: Credits

    /// The story's words come first, then those of the file; a translation's file has its own before.
    @Test func creditsAreThoseOfTheStoryCompletedByTheFiles() async throws {
        var story = Self.story([Self.german])
        story.cover = Asset(source: "cover.png", author: "The house", origin: "https://example.org/cover")
        story.chapters[0].events[1].content = .radio(
            RadioContent(tracks: [.init(Asset(source: "en.mp3", author: "Ann", license: "CC BY 4.0"))]))
        let preparation = try preparation(story)
        func text(_ keyword: String, _ text: String) -> [UInt8] {
            PNGFile.chunk("tEXt", Array(keyword.utf8) + [0] + Array(text.utf8))
        }
        try OutputFile.write(
            PNGFile.black(
                width: 30, height: 20,
                before: text("Author", "Somebody else") + text("Copyright", "(c) 2026\nthe  house")),
            to: path("cover.png"), ifExists: .replace)
        // The tags of RIFF (Multimedia Programming Interface and Data Specifications 1.0, chapter 2).
        func part(_ name: String, _ content: [UInt8]) -> [UInt8] {
            let size = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: content.count >> $0) }
            return Array(name.utf8) + size + content
        }
        var sound = try Fixture.bytes(Fixture.media("radio/bunny-4s.wav"))
        let tags = Array("INFO".utf8) + part("IART", Array("Berta\0".utf8)) + part("ICOP", Array("CC0 1.0\0".utf8))
        sound.insert(contentsOf: part("LIST", tags), at: 12)
        try OutputFile.write(sound, to: path("de.ogg"), ifExists: .replace)
        let report = try await preparation.run()
        let credits = try bundle().manifest().credits ?? []
        #expect(credits.map(\.author) == ["Ann", "Berta", "The house"])
        #expect(credits.map(\.license) == ["CC BY 4.0", "CC0 1.0", "(c) 2026, the house"])
        #expect(credits.map(\.origin) == [nil, nil, "https://example.org/cover"])
        #expect(credits.map(\.sources) == [["en.mp3"], ["de.ogg"], ["cover.png"]])
        #expect(report.credited == 3 && report.uncredited == 1)
    }

    @Test func mediaOfTheSameHandAreCreditedOnce() async throws {
        var story = Self.story([])
        story.cover = Asset(source: "cover.png", author: "Ann")
        story.chapters[0].image = Asset(source: "a.png", author: "Ann")
        let plan = try await preparation(story).plan()
        #expect(plan.credits.map(\.sources) == [["a.png", "cover.png"]] && plan.uncredited == 1)
    }
}
