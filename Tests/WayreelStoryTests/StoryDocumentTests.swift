import FoundationEssentials
import TestSupport
import Testing
import WayreelCore
import WayreelStory

@Suite struct StoryDocumentTests {
    /// The expected content was read from the fixture by a person.
    @Test func everyKindIsRead() throws {
        let document = try StoryDocument.read(path: StorySamples.path("every-kind.xml"))
        #expect(document.issues.isEmpty)
        let story = try #require(document.story)
        #expect(
            story.id == "mission-bell" && story.language == "en-US" && story.chapters.map(\.id) == ["mission", "tour"])
        #expect(story.description == "Who rang the bell on the night the creek rose?\nWalk & find out: 1 < 2.")
        #expect(story.cover == Asset(source: "images/cover.jpg", alt: #"The mission's "five" bells"#))
        #expect(story.credits == "Written by A. Ringer.\nBells: © B. Ringer, CC BY 4.0")
        let mission = story.chapters[0]
        #expect(mission.location == GeoPoint(latitude: 35.2806, longitude: -120.6647, altitude: 70.5))
        #expect(mission.lockboxes.map(\.answers) == [["1772", "September 1772"]])
        #expect(mission.lockboxes[0].hints == ["Before the Constitution.", "After 1771."])
        let treatment = Treatment(
            recipe: "old-postcard", filters: ["sepia-tone:intensity=0.8", "vignette"],
            overlays: ["badge.png@north-east+16+16"],
            texts: [.init("The Mission Bell", style: "gravity=south"), .init("1772")])
        #expect(
            mission.events[0].content
                == .camera(
                    CameraContent(
                        clue: "Take the bells.", sample: Asset(source: "images/bells.jpg", alt: "Bells"),
                        treatment: treatment)))
        #expect(
            mission.events[0].journal?.content
                == .scrapbook(
                    ScrapbookContent(items: [
                        .text("First."), .image(Asset(source: "images/ship.jpg", alt: "A ship")), .text("Last."),
                        .video(
                            ScrapbookContent.Video(
                                Asset(
                                    source: "video/ship.mp4", alt: "A ship sails", author: "D. Ringer",
                                    license: "CC0 1.0", origin: "https://example.org/ship?id=1"),
                                captions: [
                                    .init(source: "video/ship.srt"),
                                    .init(source: "video/ship.de.vtt", language: "de-AT", label: "Deutsch"),
                                ])),
                    ])))
        let broadcast = mission.events[1]
        #expect(broadcast.position == GeoPoint(latitude: -35.5, longitude: 0.00002))
        #expect(broadcast.activation == Activation(radius: 30.5, trigger: .dwell, dwellSeconds: 10))
        #expect(
            broadcast.window
                == TimeWindow(
                    zone: "America/Los_Angeles", from: TimeOfDay(minutes: 1260), until: TimeOfDay(minutes: 120),
                    days: [.friday, .saturday], firstDate: "2026-06-01", lastDate: "2026-09-30"))
        #expect(
            broadcast.condition
                == .all([
                    .found(event: "tower"),
                    .any([.opened(lockbox: "year"), .during(TimeWindow(zone: "UTC", until: TimeOfDay(minutes: 1440)))]),
                    .not(.found(event: "quiz")),
                ]))
        let radio = RadioContent(
            tracks: [
                .init(
                    Asset(source: "radio/bell.mp3", alt: "A bell"), transcript: "Dong.",
                    captions: [.init(source: "radio/bell.srt")]),
                .init(Asset(source: "radio/creek.mp3", alt: "A creek")),
            ], visualizer: .init(rate: 60, meter: "vu", style: "strip"))
        #expect(broadcast.content == .radio(radio))
        #expect(broadcast.arrival == Arrival())
        let tour = story.chapters[1]
        #expect(tour.order == .sequence && tour.presentation == .list)
        let pin = GogglesContent.Pin(
            image: Asset(source: "images/then.png", alt: "The church in 1880"),
            position: GeoPoint(latitude: 35.2801, longitude: -120.6601, altitude: 80), size: 12.5)
        let goggles = GogglesContent(
            pins: [pin], minScalingDistance: 5, maxScalingDistance: 200, scalingFactor: 0.25, maxDistance: 400)
        #expect(tour.events[0].content == .goggles(goggles))
        #expect(tour.events[0].activation.trigger == .exit)
        let question = QuizContent.Question(
            text: "How many bells?", image: Asset(source: "images/bells.jpg", alt: "Bells"),
            choices: [.init("Three"), .init("Five", isCorrect: true)], points: 3)
        #expect(tour.events[1].content == .quiz(QuizContent(questions: [question])))
        #expect(tour.events[2].content == .exhibit(ExhibitContent(item: "rope")))
        #expect(tour.events[2].journal?.content == .exhibit(ExhibitContent(item: "great-bell")))
    }

    /// What is not in chapters.
    @Test func theHouseIsRead() throws {
        let story = try #require(try StoryDocument.read(path: StorySamples.path("every-kind.xml")).story)
        #expect(story.languages == ["en-US", "de", "es-MX"])
        let logo = Asset(
            source: "images/logo.png", alt: "A bell", author: "C. Ringer", license: "CC BY-SA 4.0",
            origin: "https://example.org/logo")
        let face = Face(
            name: "Mission Museum", color: "#0b66c3", accent: "#A8430A", logo: logo, font: "fonts/bell.woff2",
            fontLicense: "OFL 1.1")
        #expect(story.face == face)
        let about = About(
            text: "The museum of the mission.", address: "751 Palm Street\nSan Luis Obispo",
            position: GeoPoint(latitude: 35.2805, longitude: -120.6646), hours: "Daily from 9 to 5.")
        #expect(story.about == about)
        let bell = NewsEntry(
            id: "sixth-bell", date: "2026-12-01", title: "A sixth bell", text: "It is to be heard at noon.",
            image: Asset(source: "images/sixth.jpg", alt: "A bell on a cart"))
        #expect(story.news == [bell, NewsEntry(id: "closed", date: "2026-11-20", title: "Closed on Monday")])
        let map = BaseMap(
            source: "maps/county.osm.pbf", author: "D. Ringer", license: "CC BY 4.0", origin: "https://example.org/map")
        #expect(story.map == map)
        #expect(story.chapters.map(\.map) == [BaseMap(source: "maps/mission.osm"), nil])
        #expect(
            story.arrival
                == Arrival(sound: Asset(source: "radio/ding.mp3", alt: "A small bell"), isVibrating: false))
        let translated: [Translation.Entry] = [
            .init(key: "story/name", hash: "3fa9c1d20b7e", value: .plain("Die Glocke der Mission")),
            .init(
                key: "story/description", value: .rich("Wer läutete in der Nacht?\nGeh und finde es heraus.")),
            .init(key: "lockbox/year/answers", hash: "0123456789ab", value: .list(["1772", "September 1772"])),
        ]
        #expect(
            story.translations == [
                Translation(language: "de", entries: translated), Translation(language: "es-MX"),
            ])
    }

    @Test func theCollectionIsRead() throws {
        let story = try #require(try StoryDocument.read(path: StorySamples.path("every-kind.xml")).story)
        let audio = RadioContent.Track(
            Asset(source: "radio/great.mp3", alt: "A deep bell"), transcript: "Dong, dong.",
            captions: [
                .init(source: "radio/great.vtt"),
                .init(source: "radio/great.de.vtt", language: "de", label: "Deutsch"),
            ])
        let bell = Item(
            id: "great-bell", name: "The great bell", text: "Cast in Lima.",
            images: [
                Asset(source: "images/great.jpg", alt: "A bell"), Asset(source: "images/clapper.jpg", alt: "A clapper"),
            ], audio: audio, position: GeoPoint(latitude: 35.2807, longitude: -120.6648, altitude: 75))
        let bells = Section(
            id: "bells", name: "Bells", description: "All that ring.",
            image: Asset(source: "images/bells.jpg", alt: "Bells"),
            items: [bell, Item(id: "rope", name: "The rope", isHidden: true)])
        let looms = RichText(blocks: [
            .paragraph([
                .text("They "), .emphasis([.text("still "), .strong([.text("work")])]), .text(": see "),
                .link(
                    address: "https://example.org/looms?day=mon&open=1",
                    [.text("the "), .emphasis([.text("workshop")])]), .text("."),
            ]),
            .list(
                start: nil,
                items: [
                    [.paragraph([.text("warp")])],
                    [
                        .paragraph([.text("weft")]),
                        .list(start: 3, items: [[.paragraph([.text("under")])], [.paragraph([.text("over")])]]),
                    ],
                ]),
            .quote([.paragraph([.text("Who weaves, "), .strong([.text("waits")]), .text(".")])]),
        ])
        #expect(story.sections == [bells, Section(id: "looms", name: "Looms", description: looms)])
    }

    /// The JSON of `Documentation/story-json.schema.json` holds what the documents hold.
    @Test func jsonHasTheSameContent() throws {
        let story = try #require(try StoryDocument.read(path: StorySamples.path("every-kind.xml")).story)
        let json = try JSONEncoder().encode(story)
        #expect(try JSONDecoder().decode(Story.self, from: json) == story)
        // What is empty is left out, so that a story of version 2 stays as it was.
        let plain = Story(id: "s", language: "en", name: "S", chapters: [])
        let text = String(decoding: try JSONEncoder().encode(plain), as: UTF8.self)
        for name in ["languages", "face", "about", "news", "sections", "arrival", "translations", "textLanguages"] {
            #expect(!text.contains("\"\(name)\""), "\(text)")
        }
    }

    @Test func yamlHasTheSameContent() throws {
        let yaml = try StoryDocument.read(path: StorySamples.path("every-kind.yml"))
        #expect(yaml.issues.isEmpty)
        #expect(try yaml.story == StoryDocument.read(path: StorySamples.path("every-kind.xml")).story)
    }

    @Test(arguments: StoryDocument.Format.allCases) func nothingIsLostInWriting(_ format: StoryDocument.Format) throws {
        let story = try #require(try StoryDocument.read(path: StorySamples.path("every-kind.xml")).story)
        let text = try StoryDocument.text(of: story, as: format)
        let again = try StoryDocument.read(Array(text.utf8), as: format)
        #expect(again.issues.isEmpty && again.story == story)
    }

    /// Texts that YAML would parse as something else.
    @Test(arguments: [
        "null", "~", "true", "1e3", "- a", "a: b", "#5", "'", "\"", "{", "ünï✓", "a\nb", "&a *b !c", "@x", "%",
        // No-break spaces, joiners and marks of languages are no white space of XML.
        "Où\u{202F}?", "«\u{A0}été\u{A0}»", "می\u{200C}خواهم", "e \u{301}", "\u{3000}字", "שלום \u{200F}עולם",
        "👩\u{200D}👧",
        "a\u{2028}b", "a\u{85}b\nc\u{202F}d",
    ])
    func textsSurviveYAML(_ text: String) throws {
        var story = try #require(try StoryDocument.read(path: StorySamples.path("every-kind.xml")).story)
        story.name = text
        story.cover?.alt = text.replacing("\n", with: " ")
        let yaml = try StoryDocument.text(of: story, as: .yaml)
        #expect(try StoryDocument.read(Array(yaml.utf8), as: .yaml).story == story)
        let xml = try StoryDocument.text(of: story, as: .xml)
        #expect(try StoryDocument.read(Array(xml.utf8), as: .xml).story == story)
    }

    /// YAML folds single line breaks of all texts but literal ones into spaces, and an empty line into one line break.
    @Test(arguments: [
        "|\n      a\n      b\n\n      c", ">\n      a\n      b\n\n      c", "a\n    b\n\n    c", "'a\n    b\n\n    c'",
    ])
    func emptyLinesOfYAMLBeginParagraphs(_ scalar: String) throws {
        let yaml = """
            story:
              id: x
              language: no
              name: N
              description: \(scalar)
              chapters: [{id: c, name: C}]
            """
        let story = try #require(try StoryDocument.read(Array(yaml.utf8), as: .yaml).story)
        #expect(story.description == "a b\nc")
        #expect(story.language == "no")
    }

    /// XML has no such characters, also not by their numbers.
    @Test func controlCharactersOfYAMLAreRefused() throws {
        let yaml = """
            story:
              id: x
              language: en
              name: "a\\u0007b"
              cover: {source: c.jpg, alt: "\\e[31m"}
              chapters: [{id: c, name: C, bogus: 1}]
            """
        let document = try StoryDocument.read(Array(yaml.utf8), as: .yaml, name: "s.yml")
        #expect(document.story == nil)
        let found = document.issues.map(\.description)
        #expect(found.count == 3, "\(found)")
        #expect(found.first == "s.yml:4:9: error: a text may not hold the control character U+0007")
        #expect(found.dropFirst().first == "s.yml:5:31: error: a text may not hold the control character U+001B")
    }

    /// iconv converts the document, whose characters have different lengths in all encodings.
    @Test(arguments: ["UTF-16LE", "UTF-16BE", "UTF-16", "ISO-8859-1"]) func encodingsKeepLocations(_ encoding: String)
        throws
    {
        try Fixture.withFolder { folder in
            let text = StorySamples.chapter("<!-- été -->\n<é/>" + StorySamples.event("e"))
            let declared =
                "<?xml version=\"1.0\" encoding=\"\(encoding == "UTF-16LE" || encoding == "UTF-16BE" ? "UTF-16" : encoding)\"?>"
            try OutputFile.write(Array((declared + "\n" + text).utf8), to: "\(folder)/u8.xml")
            let converted = try Command("/usr/bin/iconv", ["-f", "UTF-8", "-t", encoding, "\(folder)/u8.xml"]).run()
            let document = try StoryDocument.read([UInt8](converted.output), as: .xml, name: "s.xml")
            let first = try #require(document.issues.first)
            #expect((first.line, first.column) == (4, 1), "\(document.issues)")
            #expect(first.message.contains("<é>"))
        }
    }

    @Test func theOriginalsNamesAreRead() throws {
        let xml = StorySamples.chapter(StorySamples.event("e"))
        let former = xml.replacing("<story", with: "<myth").replacing("</story", with: "</myth")
            .replacing("<chapter", with: "<shade").replacing("</chapter", with: "</shade")
        let story = try #require(try StorySamples.read(xml).story)
        #expect(try StorySamples.read(former).story == story)
        let yaml = try StoryDocument.text(of: story, as: .yaml).replacing("story:", with: "myth:")
        #expect(try StoryDocument.read(Array(yaml.utf8), as: .yaml).story == story)
    }

    /// The schema, and documents that follow it, are checked with xmllint.
    @Test func xmllintAgreesWithTheSchema() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write(Array(StoryDocument.schema.utf8), to: "\(folder)/story.xsd")
            let story = try #require(try StoryDocument.read(path: StorySamples.path("every-kind.yml")).story)
            try OutputFile.write(Array(StoryDocument.text(of: story, as: .xml).utf8), to: "\(folder)/written.xml")
            let bad = StorySamples.chapter(StorySamples.event("e", at: (91, 0))).replacing(
                "<story", with: #"<story xmlns="urn:wayreel:story:1""#)
            try OutputFile.write(Array(bad.utf8), to: "\(folder)/bad.xml")
            for (file, status) in [
                (StorySamples.path("every-kind.xml"), Int32(0)), ("\(folder)/written.xml", 0), ("\(folder)/bad.xml", 3),
            ] {
                let outcome = try Command(
                    "/usr/bin/xmllint", ["--nonet", "--noout", "--schema", "\(folder)/story.xsd", file]
                ).run()
                #expect(outcome.ending == .exited(status), "\(outcome.errors)")
            }
        }
    }

    /// 10,000 events are read like any other document.
    @Test func manyEventsAreRead() throws {
        let events = (0..<10_000).map { StorySamples.event("e\($0)", at: (Double($0) / 1000, 5)) }
        let document = try StorySamples.read(StorySamples.chapter(events.joined(separator: "\n")))
        #expect(document.issues.isEmpty && document.story?.chapters[0].events.count == 10_000)
    }
}
