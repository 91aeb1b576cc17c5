import FoundationEssentials
import TestSupport
import Testing
import WayreelCore
import WayreelStory

/// The languages of a story: the fields that differ, what players see, and what is said about translations.
@Suite struct TranslationTests {
    // MARK: Fields and hashes

    /// `printf '%s' TEXT | sha256sum | cut -c1-12`.
    @Test(arguments: [
        ("", "e3b0c44298fc"), ("abc", "ba7816bf8f01"), ("The tower", "cfe67db80ed3"), ("Glöckchen 🔔", "8b011c1b1123"),
        (String(repeating: "a", count: 55), "9f4390f8d30c"), (String(repeating: "a", count: 56), "b35439a4ac6f"),
        (String(repeating: "a", count: 64), "ffe054fe7ae0"), (String(repeating: "a", count: 1000), "41edece42d63"),
    ])
    func hashesAreThoseOfSHA256(text: String, hash: String) throws {
        var story = Self.story
        story.chapters[0].events[0].name = text.isEmpty ? "x" : text
        let found = story.translatableFields.first { $0.key == "event/e/name" }?.hash
        #expect(text.isEmpty ? found != nil : found == hash)
    }

    /// Of `First.\nSecond.`, of the JSON of RFC 8785, and of the items in lines.
    @Test func richTextsAndListsHaveHashesOfTheirOwn() throws {
        var story = Self.story
        story.description = "First.\nSecond."
        story.credits = RichText(blocks: [
            .paragraph([.text("Ring \"it\"\u{1}\n"), .strong([.text("once")]), .text(".")]),
            .list(
                start: 3, items: [[.paragraph([.link(address: "https://example.org/a?b", [.emphasis([.text("ü")])])])]]),
            .quote([.paragraph([.text("Q")])]),
        ])
        let hashes = Dictionary(
            story.translatableFields.map { ($0.key, $0.hash) }, uniquingKeysWith: { first, _ in first })
        #expect(hashes["story/description"] == "4bc5477fed25")
        #expect(hashes["story/credits"] == "a5c2e15454ef")
        #expect(hashes["lockbox/l/answers"] == "5280ffd310f6")
    }

    /// Each field has a place in its document, and what is put into it is found there again.
    @Test(arguments: ["every-kind.xml", "every-kind.yml"])
    func fieldsAreReadAndWrittenInOnePlace(name: String) throws {
        let document = try TranslatableDocument(path: StorySamples.path(name))
        let fields = document.story.translatableFields
        #expect(Set(fields.map(\.key)).count == fields.count)
        let file = try document.file(into: "fr", withFiles: true)
        #expect(file.units.map(\.key) == fields.map(\.key))
        #expect(file.units.allSatisfy { $0.reference?.hasPrefix("\(name):") == true })
        let lines = try #require(String(validating: document.bytes, as: UTF8.self)).split(
            separator: "\n", omittingEmptySubsequences: false)
        for unit in file.units {
            let line = try #require(unit.reference?.split(separator: ":").last.flatMap { Int($0) })
            let word = unit.source.split { "\n \"'".contains($0) }.first ?? ""
            let near = lines[(line - 1)..<min(line + 3, lines.count)].joined(separator: "\n")
            #expect(near.contains(word), "\(unit.key): '\(word)' is not in line \(line)")
        }
        var changed = document.story
        var number = 0
        changed.updateFields { field in
            number += 1
            switch field.value {
            case .plain: field.value = .plain("text \(number)")
            case .rich: field.value = .rich(RichText(plain: "text \(number)"))
            case .list: field.value = .list(["text \(number)"])
            }
        }
        #expect(number == fields.count)
        let values = changed.translatableFields.map { String(describing: $0.value) }
        #expect(changed.translatableFields.map(\.key) == fields.map(\.key))
        for (index, value) in values.enumerated() {
            #expect(value.contains("text \(index + 1)"), "\(fields[index].key)")
        }
        // Nothing but the fields has changed.
        let originals = Dictionary(uniqueKeysWithValues: fields.map { ($0.key, $0.value) })
        changed.updateFields { $0.value = originals[$0.key] ?? $0.value }
        #expect(changed == document.story)
    }

    @Test func absentAndEmptyFieldsAreNone() {
        let keys = Self.story.translatableFields.map(\.key)
        #expect(
            keys == [
                "story/name", "chapter/c/name", "lockbox/l/question", "lockbox/l/answers", "event/e/name",
                "event/e/scrapbook/1/text", "event/e/scrapbook/2/source", "event/e/scrapbook/2/alt",
                "event/e/scrapbook/3/text",
            ])
    }

    // MARK: Languages

    private static let story = Story(
        id: "s", language: "en", name: "Bells",
        chapters: [
            Chapter(
                id: "c", name: "Town",
                lockboxes: [Lockbox(id: "l", question: "When?", answers: ["1772", "September 1772"])],
                events: [
                    Event(
                        id: "e", name: "The tower", position: GeoPoint(latitude: 1, longitude: 2),
                        activation: Activation(radius: 5),
                        content: .scrapbook(
                            ScrapbookContent(items: [
                                .text("One."), .image(Asset(source: "a.jpg", alt: "A bell")), .text("Two."),
                            ])))
                ])
        ])

    /// The story with translations; a hash is that of a source of these words, or none.
    private static func story(
        _ translations: [(language: String, texts: [(key: String, source: String?, text: String)])]
    ) -> Story {
        var story = story
        story.translations = translations.map { translation in
            Translation(
                language: translation.language,
                entries: translation.texts.map { text in
                    Translation.Entry(
                        key: text.key, hash: text.source.map(hash), value: .plain(text.text))
                })
        }
        story.languages = ["en"] + translations.map(\.language)
        return story
    }

    /// `printf '%s' TEXT | sha256sum | cut -c1-12`.
    private static func hash(of text: String) -> String {
        [
            "Bells": "a4c44b9f9430", "One.": "70277bfc409b", "Two.": "1eb32d1ee445", "Old.": "e88304b8cefe",
            "A bell": "4c4caceef7a0", "New.": "d69242231126",
        ][text] ?? "none"
    }

    private static func words(_ story: Story) -> [String] {
        guard case .scrapbook(let scrapbook) = story.chapters[0].events[0].content else { return [] }
        return scrapbook.items.map { item in
            switch item {
            case .text(let text): text.plain
            case .image(let image): "\(image.source) \(image.alt ?? "")"
            case .video: ""
            }
        }
    }

    @Test func eachFieldFallsBackToMoreGeneralLanguages() {
        let story = Self.story([
            (
                "de",
                [
                    ("story/name", "Bells", "Glocken"), ("event/e/scrapbook/1/text", "Old.", "Alt."),
                    ("event/e/scrapbook/2/source", nil, "de/a.jpg"),
                ]
            ),
            ("de-AT", [("event/e/scrapbook/2/alt", "A bell", "A Glockn")]),
            ("fr", []),
        ])
        let austrian = story.localized("de-AT")
        #expect(austrian.name == "Glocken" && austrian.language == "de-AT" && austrian.translations.isEmpty)
        #expect(austrian.languages == ["en", "de", "de-AT", "fr"])
        // An older translation is better than another language.
        #expect(Self.words(austrian) == ["Alt.", "de/a.jpg A Glockn", "Two."])
        #expect(Self.words(story.localized("DE")) == ["Alt.", "de/a.jpg A bell", "Two."])
        #expect(story.localized("de-CH").language == "de" && story.localized("de-CH").name == "Glocken")
        #expect(story.localized("fr").language == "fr" && story.localized("fr").name == "Bells")
        var source = story
        source.translations = []
        #expect(
            story.localized("en") == source && story.localized("ja") == source && story.localized("en-GB") == source)
    }

    /// A story in German with some Austrian texts falls back to itself.
    @Test func theSourceIsALanguageOfTheChain() {
        var story = Self.story([("de-AT", [("story/name", nil, "Glockn")]), ("en", [("story/name", nil, "Wrong")])])
        story.language = "de"
        #expect(story.localized("de-AT").name == "Glockn" && story.localized("de").name == "Bells")
        #expect(story.localized("de-AT").chapters == story.chapters)
    }

    /// A page says of each text which language it is in.
    @Test func textsThatFallBackNameTheirLanguage() throws {
        let story = Self.story([
            ("de", [("story/name", "Bells", "Glocken"), ("event/e/scrapbook/1/text", "One.", "Eins.")]),
            ("de-AT", [("event/e/scrapbook/2/alt", "A bell", "A Glockn")]),
        ])
        let austrian = story.localized("de-AT")
        #expect(
            austrian.textLanguages == [
                "story/name": "de", "chapter/c/name": "en", "lockbox/l/question": "en", "event/e/name": "en",
                "event/e/scrapbook/1/text": "de", "event/e/scrapbook/3/text": "en",
            ])
        let json = try JSONEncoder().encode(austrian)
        #expect(try JSONDecoder().decode(Story.self, from: json) == austrian)
        // In its own language nothing falls back, and the pseudo-language has all.
        #expect(story.localized("en").textLanguages.isEmpty && story.localized("qps").textLanguages.isEmpty)
    }

    /// Accepted answers are no text that is read, and neither are the paths of files.
    @Test func filesAndAnswersHaveNoLanguage() {
        var story = Self.story([("de", [("story/name", nil, "Glocken")])])
        story.chapters[0].lockboxes[0].hints = ["Soon."]
        let languages = story.localized("de").textLanguages
        #expect(languages["lockbox/l/question"] == "en" && languages["lockbox/l/hints/1"] == "en")
        #expect(languages["lockbox/l/answers"] == nil && languages["event/e/scrapbook/2/source"] == nil)
        // A translation that does not fit falls back, too.
        story.translations[0].entries.append(.init(key: "lockbox/l/question", value: .list(["Wann?"])))
        #expect(story.localized("de").textLanguages["lockbox/l/question"] == "en")
    }

    @Test func captionsKeepTheirLanguage() throws {
        var story = Self.story([("de", [("story/name", nil, "Glocken")])])
        let captions = [
            ScrapbookContent.Captions(source: "a.srt"), ScrapbookContent.Captions(source: "b.srt", language: "fr"),
        ]
        let track = RadioContent.Track(Asset(source: "a.mp3"), captions: captions)
        story.sections = [Section(id: "s", name: "S", items: [Item(id: "i", name: "I", audio: track)])]
        story.chapters[0].events[0].content = .radio(RadioContent(tracks: [track]))
        story.chapters[0].events[0].journal = JournalEntry(
            title: "J",
            content: .scrapbook(ScrapbookContent(items: [.video(.init(source: "v.mp4", captions: captions))])))
        for language in ["de", "qps"] {
            let found = story.localized(language).captioned.map { $0.captions.map(\.language) }
            #expect(found == [["en", "fr"], ["en", "fr"], ["en", "fr"]])
        }
        #expect(story.localized("en").captioned.map { $0.captions.map(\.language) }[0] == [nil, "fr"])
    }

    // MARK: Realigning

    private static func scrapbook(_ texts: [RichText], _ entries: [(key: Int, source: String?, text: String)]) -> Story
    {
        var story = story([("de", entries.map { ("event/e/scrapbook/\($0.key)/text", $0.source, $0.text) })])
        story.chapters[0].events[0].content = .scrapbook(ScrapbookContent(items: texts.map { .text($0) }))
        return story
    }

    /// The current ones, those out of date, those without a hash, those that are missing.
    private static func counts(_ story: Story) -> [Int] {
        story.translationProgress.flatMap { [$0.current, $0.outOfDate, $0.unwatched, $0.missing - 5] }
    }

    @Test func translationsFollowTheirSources() {
        let pair: [(key: Int, source: String?, text: String)] = [(1, "One.", "Eins."), (2, "Two.", "Zwei.")]
        // An item was put in before them.
        var story = Self.scrapbook(["New.", "One.", "Two."], pair)
        #expect(Self.words(story.localized("de")) == ["New.", "Eins.", "Zwei."] && Self.counts(story) == [2, 0, 0, 1])
        // They have changed places, or the first was taken out.
        story = Self.scrapbook(["Two.", "One."], pair)
        #expect(Self.words(story.localized("de")) == ["Zwei.", "Eins."] && Self.counts(story) == [2, 0, 0, 0])
        story = Self.scrapbook(["Two."], pair)
        #expect(Self.words(story.localized("de")) == ["Zwei."] && Self.counts(story) == [1, 0, 0, 0])
        // The second has changed.
        story = Self.scrapbook(["One.", "New."], pair)
        #expect(Self.words(story.localized("de")) == ["Eins.", "Zwei."] && Self.counts(story) == [1, 1, 0, 0])
    }

    @Test func equalSourcesKeepTheirOrder() {
        let pair: [(key: Int, source: String?, text: String)] = [(1, "One.", "Eins."), (2, "One.", "Ein.")]
        #expect(Self.words(Self.scrapbook(["One.", "One."], pair).localized("de")) == ["Eins.", "Ein."])
        #expect(
            Self.words(Self.scrapbook(["New.", "One.", "One."], pair).localized("de")) == ["New.", "Eins.", "Ein."])
        #expect(
            Self.words(Self.scrapbook(["One.", "One.", "One."], pair).localized("de")) == ["Eins.", "Ein.", "One."])
    }

    @Test func entriesWithoutAHashStayWhereTheyAre() {
        let story = Self.scrapbook(["One.", "Two."], [(1, nil, "Eins."), (2, "One.", "Anders.")])
        #expect(Self.words(story.localized("de")) == ["Eins.", "Anders."] && Self.counts(story) == [0, 1, 1, 0])
    }

    /// A text of one event is not taken for that of another one, nor a name for an alternative text.
    @Test func translationsStayInTheirElement() {
        var story = Self.story([("de", [("event/x/name", "A bell", "Falsch"), ("event/e/name", "A bell", "Alt")])])
        #expect(story.localized("de").chapters[0].events[0].name == "Alt")
        #expect(Self.words(story.localized("de"))[1] == "a.jpg A bell")
        story.translations[0].entries.removeLast()
        #expect(story.localized("de").chapters[0].events[0].name == "The tower")
    }

    // MARK: The pseudo-language

    @Test func thePseudoLanguageShowsWhatTranslationDoes() throws {
        var story = try #require(try StoryDocument.read(path: StorySamples.path("every-kind.xml")).story)
        story.description = RichText(blocks: [
            .paragraph([
                .text("Ring "), .strong([.text("once")]), .text(" or "), .link(address: "https://a.b", [.text("look")]),
            ]),
            .list(start: nil, items: [[.paragraph([.text("Late")])]]),
        ])
        let pseudo = story.pseudolocalized()
        #expect(pseudo.language == "qps" && !pseudo.languages.contains("qps") && pseudo.translations.isEmpty)
        #expect(pseudo == story.localized("QPS"))
        #expect(pseudo.name == "[Ŧħḗ Ḿīşşīǿƞ Ɓḗŀŀ one two]")
        #expect(
            pseudo.description
                == RichText(blocks: [
                    .paragraph([
                        .text("[Řīƞɠ "), .strong([.text("ǿƞƈḗ")]), .text(" ǿř "),
                        .link(address: "https://a.b", [.text("ŀǿǿķ")]), .text(" one two three]"),
                    ]),
                    .list(start: nil, items: [[.paragraph([.text("[Ŀȧŧḗ]")])]]),
                ]))
        for (field, other) in zip(story.translatableFields, pseudo.translatableFields) {
            #expect(field.key == other.key)
            guard case .plain(let text) = field.value, case .plain(let new) = other.value, !field.isFile else {
                continue
            }
            #expect(new.hasPrefix("[") && new.hasSuffix("]"))
            // Each line is at least 40 % longer, at most by another word.
            let (lines, longer) = (text.split(separator: "\n"), new.split(separator: "\n"))
            for (line, new) in zip(lines, longer) {
                #expect(new.count * 10 >= line.count * 14 && new.count * 10 <= line.count * 14 + 80, "\(new)")
            }
        }
        func kept(_ story: Story) -> [Translation.Value] {
            story.translatableFields.filter { $0.isFile || $0.kind == .list }.map(\.value)
        }
        #expect(kept(pseudo) == kept(story))
    }

    // MARK: Messages

    private static func issues(_ translations: String, _ parts: String = "") throws -> [String] {
        let lockbox = "<lockbox id=\"l\"><question>When?</question><answer>1772</answer></lockbox>"
        let image = "<scrapbook><text>One.</text><image source=\"a.jpg\" alt=\"A bell\"/></scrapbook>"
        let document = StorySamples.chapter(lockbox + StorySamples.event("e", content: image))
            .replacing("</story>", with: "\n\(translations)</story>")
        return try StorySamples.read(document).issues.map { "\($0.line): \($0.severity.rawValue): \($0.message)" }
    }

    private static func text(_ key: String, _ text: String = "T", hash: String? = nil) -> String {
        "<text key=\"\(key)\"\(hash.map { " hash=\"\($0)\"" } ?? "")>\(text)</text>"
    }

    @Test func mistakesAreReportedAtTheirLines() throws {
        func found(_ lines: [String]) throws -> [String] {
            try Self.issues("<translation language=\"de\">\n\(lines.joined(separator: "\n"))\n</translation>")
        }
        #expect(try found([Self.text("event/e/name"), Self.text("story/name", hash: "0123456789AB")]) == [])
        #expect(
            try found([Self.text("event/e/nmae"), Self.text("about/text")]) == [
                "5: error: the story has no field 'event/e/nmae'; did you mean 'event/e/name'?",
                "6: error: the story has no field 'about/text'; wayreel story translate lists all fields",
            ])
        #expect(
            try found([Self.text("event/x/name", hash: "0123456789ab")]) == [
                "5: warning: the translation of 'event/x/name' is left over: the story no longer has what it was made of; remove it"
            ])
        #expect(
            try found([Self.text("story/name"), Self.text("story/name", "U")]) == [
                "6: error: there are two translations of 'story/name', the other one in line 5; remove one"
            ])
        #expect(
            try found([Self.text("story/name", "<value>A</value><value>B</value>")]) == [
                "5: error: 'story/name' takes a text, not a list of texts"
            ])
        #expect(
            try found([Self.text("story/name", hash: "123")]) == [
                "5: error: 'hash' of <text> takes the 12 hexadecimal digits that wayreel story translate writes, not '123'"
            ])
        #expect(
            try found([Self.text("event/e/scrapbook/2/alt", String(repeating: "x", count: 4001))]) == [
                "5: error: the translation of 'event/e/scrapbook/2/alt' has 4001 characters; it takes 4000 at most"
            ])
        let long = try found([Self.text("story/name", String(repeating: "x", count: 100_001))])
        #expect(long.count == 1 && long[0].hasPrefix("5: error: ") && long[0].contains("100000 characters"), "\(long)")
    }

    /// A rich field takes markup, and should have as many links and lists as its source; a plain one takes none.
    @Test func markupIsComparedWithItsSource() throws {
        func found(_ name: String, _ description: String) throws -> [String] {
            let source = "<p>See <a href=\"https://example.org\">it</a>.</p><ul><li>A</li><li>B</li></ul>"
            let document = StorySamples.chapter(StorySamples.event("e"))
                .replacing("<name>S</name>", with: "<name>S</name><description>\(source)</description>")
                .replacing(
                    "</story>",
                    with: "\n<translation language=\"de\">"
                        + Self.text("story/name", name, hash: "8de0b3c47f11")
                        + Self.text("story/description", description, hash: "f9ce696fe849") + "</translation></story>")
            let read = try StorySamples.read(document).checkedTranslations()
            return read.issues.filter { $0.line == 4 }.map(\.message)
        }
        let whole = "<p>Siehe <a href=\"https://example.org/de\">es</a>.</p><ol><li>A</li></ol>"
        #expect(try found("Name", whole) == [])
        #expect(
            try found("Name", "Siehe.") == [
                "the translation of 'story/description' into 'de' has no link, its source 1",
                "the translation of 'story/description' into 'de' has no list, its source 1",
            ])
        #expect(
            try found("Name", whole + whole) == [
                "the translation of 'story/description' into 'de' has 2 links, its source 1",
                "the translation of 'story/description' into 'de' has 2 lists, its source 1",
            ])
        #expect(try found("A <em>name</em>", whole) == ["'story/name' takes a text without markup"])
    }

    /// Markup where none is taken is told once, and in the same words of a document in XML and in YAML, and of a file.
    @Test func markupIsToldOnce() throws {
        let message = "has '**Neu**', which players see as it is: it takes no markup"
        let lines = [
            Self.text("story/name", "**Neu**"), Self.text("event/e/scrapbook/2/alt", "&lt;b>x&lt;/b>"),
            Self.text("lockbox/l/answers", "<value>*x*</value><value>y</value>"),
            Self.text("event/e/scrapbook/1/text", "A **b**"),
        ]
        #expect(
            try Self.issues("<translation language=\"de\">\n\(lines.joined(separator: "\n"))\n</translation>") == [
                "5: warning: the translation of 'story/name' \(message)",
                "6: warning: the translation of 'event/e/scrapbook/2/alt' has '<b>', which players see as it is: it takes no "
                    + "markup",
                "7: warning: the translation of 'lockbox/l/answers' has '*x*', which players see as it is: it takes no markup",
                "8: warning: the translation of 'event/e/scrapbook/1/text' has '**b**', which players see as it is; write "
                    + "<strong>b</strong>",
            ])
        let yaml = """
            story:
              id: s
              language: en
              name: Bells
              chapters: [{id: c, name: Town}]
            """
        let texts = "\n  translations: [{language: de, texts: [{key: story/name, text: '**Neu**'}]}]\n"
        #expect(
            try StoryDocument.read(Array((yaml + texts).utf8), as: .yaml).issues.map(\.message)
                == ["the translation of 'story/name' \(message)"])
        let document = try TranslatableDocument(Array(yaml.utf8), as: .yaml, name: "s.yml")
        var file = try document.file(into: "de")
        file.units[0].translation = "**Neu**"
        file.units[1].translation = "Stadt"
        #expect(
            try document.change(by: file, name: "de.po").remarks.map(\.message)
                == ["the translation of 'story/name' \(message)"])
    }

    // MARK: Captions

    /// The great bell has captions in the story's language and German, the ship in Austrian German, the bell in the
    /// story's language alone.
    @Test func languagesWithoutCaptionsAreTold() throws {
        let document = try StoryDocument.read(path: StorySamples.path("every-kind.xml"))
        func found(_ language: String?) throws -> Set<String> {
            Set(
                try document.checkedTranslations(into: language).issues.filter { $0.message.contains("has captions") }
                    .map { "\($0.line): \($0.message)" })
        }
        let german = "122: 'radio/bell.mp3' has captions in en-US, but none in 'de'"
        #expect(try found("de") == [german])
        #expect(
            try found(nil) == [
                german, "45: 'radio/great.mp3' has captions in en-US, de, but none in 'es-MX'",
                "102: 'video/ship.mp4' has captions in en-US, de-AT, but none in 'es-MX'",
                "122: 'radio/bell.mp3' has captions in en-US, but none in 'es-MX'",
            ])
        // The story's own language counts as well.
        let own = StorySamples.chapter(
            StorySamples.event(
                "e",
                content: "<radio><audio source=\"a.mp3\"><captions source=\"a.vtt\" language=\"fr\"/></audio></radio>"))
        #expect(
            try StorySamples.read(own).checkedTranslations().issues.map(\.message)
                == ["'a.mp3' has captions in fr, but none in 'en'"])
    }

    @Test func languagesAreTranslatedToOnce() throws {
        #expect(
            try Self.issues("<translation language=\"de\"/>\n<translation language=\"DE\"/>") == [
                "5: error: there is another translation into 'de' in line 4; put their texts into one"
            ])
        #expect(
            try Self.issues("<translation language=\"EN\"/>") == [
                "4: error: the story itself is in 'en'; a translation is into another language"
            ])
        #expect(
            try Self.issues("<translation language=\"qps\"/>") == [
                "4: error: 'qps' is the pseudo-language, which Wayreel makes by itself; remove it"
            ])
        #expect(
            try Self.issues("<translation language=\"de_AT\"/>").first
                == "4: error: 'language' of <translation> takes a language tag such as en or de-AT, not 'de_AT'; did you mean 'de-AT'?"
        )
    }

    /// `printf '%s' E | sha256sum | cut -c1-12` is `a9f51566bd67`, that of `S` `8de0b3c47f11`.
    @Test func checksTellWhatIsToBeDone() throws {
        let texts = [
            Self.text("story/name", "Neu", hash: "8de0b3c47f11"),
            Self.text("event/e/name", "Alt", hash: "0123456789ab"),
            Self.text("chapter/c/name", "Kapitel"),
        ]
        let lockbox = "<lockbox id=\"l\"><question>When?</question><answer>1772</answer></lockbox>"
        let document = StorySamples.chapter(lockbox + "\n" + StorySamples.event("e")).replacing(
            "</story>",
            with: "\n<translation language=\"de\">\n\(texts.joined(separator: "\n"))</translation>"
                + "<translation language=\"de-AT\"/><translation language=\"fr\"/></story>")
        let read = try StorySamples.read(document)
        let found = try read.checkedTranslations(into: "DE").issues.map { "\($0.line): \($0.severity): \($0.message)" }
        #expect(
            found == [
                "2: warning: 'lockbox/l/question' has no translation into 'de'",
                "2: warning: 'lockbox/l/answers' has no translation into 'de'",
                "3: warning: 'event/e/scrapbook/1/text' has no translation into 'de'",
                "7: warning: the translation of 'event/e/name' into 'de' is out of date: it is 'Alt', and the source is now 'E'",
                "8: warning: the translation of 'chapter/c/name' into 'de' has no hash, so that nothing tells when its source changes; today's is 6b23c0d5f35d",
            ])
        let all = try read.checkedTranslations().issues
        #expect(all.count == 5 + 3 + 6)
        #expect(all.allSatisfy { $0.severity == .warning })
        let progress = try #require(read.story).translationProgress.map {
            "\($0.language) \($0.texts): \($0.current) \($0.outOfDate) \($0.unwatched) \($0.missing)"
        }
        // German stands in for what Austrian German lacks.
        #expect(progress == ["de 6: 1 1 1 3", "de-AT 6: 1 1 1 3", "fr 6: 0 0 0 6"])
        #expect {
            try read.checkedTranslations(into: "it")
        } throws: { error in
            (error as? MediaError)?.reason == "has no translation into 'it'"
        }
    }
}
