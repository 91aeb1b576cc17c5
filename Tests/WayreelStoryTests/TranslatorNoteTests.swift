import TestSupport
import Testing
import WayreelCore
import WayreelStory

/// What translators' files tell of a text: what it is, where it stands, what it takes, and what its author says.
@Suite struct TranslatorNoteTests {
    private static func document(
        _ text: String, _ format: StoryDocument.Format = .xml
    ) throws -> TranslatableDocument {
        try TranslatableDocument(Array(text.utf8), as: format, name: format == .xml ? "s.xml" : "s.yml")
    }

    private static func notes(_ document: TranslatableDocument) throws -> [String: [String]] {
        let units = try document.file(into: "fr", withFiles: true).units
        return Dictionary(uniqueKeysWithValues: units.map { ($0.key, $0.notes) })
    }

    // MARK: Fields

    /// Of the document whose parts are to be seen in `every-kind.xml`.
    @Test(arguments: [
        ("story/name", ["Name of the story", "Without markup"]),
        ("story/cover/source", ["File of the cover"]),
        ("story/cover/alt", ["Alternative text of the cover", "File: images/cover.jpg", "Without markup"]),
        ("news/closed/title", ["Title", "News of 2026-11-20 “Closed on Monday” (closed)", "Without markup"]),
        (
            "section/looms/description",
            ["Description of the section", "Section “Looms” (looms)", "With markup (CommonMark)"]
        ),
        (
            "item/great-bell/images/2/alt",
            [
                "Alternative text of the image 2 of 2 of the item",
                "Section “Bells” (bells) › item “The great bell” (great-bell)", "File: images/clapper.jpg",
                "Without markup",
            ]
        ),
        (
            "item/great-bell/audio/transcript",
            [
                "Transcript of the sound", "Section “Bells” (bells) › item “The great bell” (great-bell)",
                "File: radio/great.mp3", "With markup (CommonMark)",
            ]
        ),
        (
            "lockbox/year/answers",
            [
                "Accepted answers, in any number",
                "Chapter “The Mission” (mission) › lockbox “In which year was it founded?” (year)",
                "Case, spaces, punctuation and accents are ignored: ü counts as u, and ß as ss, but ü not as ue",
                "Players may give an answer of any language of the story", "Without markup",
            ]
        ),
        (
            "lockbox/year/hints/2",
            [
                "Hint 2, shown after a wrong answer",
                "Chapter “The Mission” (mission) › lockbox “In which year was it founded?” (year)", "Without markup",
            ]
        ),
        (
            "event/tower/camera/texts/1",
            [
                "Text drawn over the picture", "Chapter “The Mission” (mission) › event “The tower” (tower)",
                "Style: gravity=south", "Lines that are too wide for the picture break", "Without markup",
            ]
        ),
        (
            "event/tower/camera/texts/2",
            [
                "Text drawn over the picture", "Chapter “The Mission” (mission) › event “The tower” (tower)",
                "Lines that are too wide for the picture break", "Without markup",
            ]
        ),
        (
            "event/tower/journal/scrapbook/3/text",
            [
                "Text",
                "Chapter “The Mission” (mission) › event “The tower” (tower) › entry in the player's journal › scrapbook, "
                    + "part 3 of 4",
                "With markup (CommonMark)",
            ]
        ),
        (
            "event/broadcast/radio/2/alt",
            [
                "Alternative text of the sound",
                "Chapter “The Mission” (mission) › event “The broadcast” (broadcast) › radio, sound 2 of 2",
                "File: radio/creek.mp3", "Without markup",
            ]
        ),
        (
            "event/quiz/quiz/1/choices/2",
            [
                "Choice, a correct one", "Chapter “The Tour” (tour) › event “The quiz” (quiz) › quiz", "Without markup",
            ]
        ),
    ])
    func fieldsHaveNotes(key: String, notes: [String]) throws {
        let document = try TranslatableDocument(path: StorySamples.path("every-kind.xml"))
        #expect(try Self.notes(document)[key] == notes)
    }

    /// A text over a picture can have 10,000 characters.
    @Test func textsOverPicturesHaveALimit() throws {
        let document = try TranslatableDocument(path: StorySamples.path("every-kind.xml"))
        var file = try document.file(into: "fr")
        let index = try #require(file.units.firstIndex { $0.key == "event/tower/camera/texts/1" })
        #expect(file.units[index].maxLength == 10_000)
        file.units[index].translation = String(repeating: "x", count: 10_001)
        #expect {
            try document.change(by: file, name: "fr.po")
        } throws: {
            ($0 as? MediaError)?.reason == "the translation of 'event/tower/camera/texts/1' has 10001 characters"
        }
    }

    // MARK: Authors' comments

    @Test func commentsOfXMLAreNotes() throws {
        let document = try Self.document(
            """
            <?xml version="1.0"?>
            <story id="s" language="en">
              <!-- translators: a house,
                   not a person -->
              <name>Bell</name>
              <!-- a remark -->
              <cover source="a.jpg" alt="A"/>
              <chapter id="c"><!-- Translators:  of a town --><!-- no note --><!-- TRANSLATORS: short --><name>Town</name>
                <!-- translators: formal -->
                <lockbox id="l"><question>When?</question>
                  <!-- translators: the year --><answer>1772</answer>
                  <!-- translators: --><answer>MDCC</answer>
                  <!-- translators: in words --><answer>seventeen</answer>
                  <hint>A --> B</hint>
                </lockbox>
              </chapter>
              <!-- translators: <translation> of a CDATA -->
            </story>
            """)
        func notes(_ key: String) throws -> [String] {
            try #require(try Self.notes(document)[key]).filter { $0.hasPrefix("Author: ") }
        }
        #expect(try notes("story/name") == ["Author: a house, not a person"])
        #expect(try notes("story/cover/alt") == [] && notes("story/cover/source") == [])
        #expect(try notes("chapter/c/name") == ["Author: of a town", "Author: short"])
        #expect(try notes("lockbox/l/question") == ["Author: formal"])
        #expect(try notes("lockbox/l/answers") == ["Author: formal", "Author: the year", "Author: in words"])
        #expect(try notes("lockbox/l/hints/1") == ["Author: formal"])
        let po = String(decoding: try document.file(into: "fr").bytes(as: .po), as: UTF8.self)
        #expect(po.contains("#. Without markup\n#. Author: a house, not a person\n#. Hash: "))
    }

    @Test func notesHaveLimits() throws {
        let long = "<!-- translators: \(String(repeating: "x", count: 2000)) -->"
        let many = (1...20).map { "<!-- translators: \($0) -->" }.joined()
        let text = Self.german.replacing("<name>Bells", with: "\(long)\(many)<name>Bells")
        let notes = try #require(try Self.notes(try Self.document(text))["story/name"])
        #expect(
            notes.filter { $0.hasPrefix("Author: ") }
                == ["Author: \(String(repeating: "x", count: 999))…"] + (1...9).map { "Author: \($0)" })
    }

    @Test func whatOnlyLooksLikeACommentIsNoNote() throws {
        let document = try Self.document(
            """
            <story id="s" language="en">
              <name>Bell</name>
              <description><![CDATA[<!-- translators: x -->]]> -- <em>y</em></description>
              <credits>a <!-- translators: z --> b --> <strong>c</strong></credits>
              <chapter id="c"><name>Town</name></chapter>
            </story>
            """)
        #expect(try Self.notes(document).values.allSatisfy { $0.allSatisfy { !$0.hasPrefix("Author") } })
    }

    @Test func commentsOfYAMLAreNotes() throws {
        let document = try Self.document(
            """
            story:
              id: s
              language: en
              # a remark
              # translators: a house,
              # not a person
              name: Bell
              cover:
                source: a.jpg
                # translators: for the blind
                alt: A
              description: |
                # translators: no comment
              # translators: far away

              chapters:
                # translators: of a town
                # translators: short
                - id: c
                  name: Town   # Translators: no city
                  lockboxes:
                    - id: l
                      question: When?
                      # translators: also in words
                      answers:
                        - "1772"
                        - MDCC
                      hints: [First, Second] # translators: kind
                - id: d
                  name: Harbour # translators
            """, .yaml)
        func notes(_ key: String) throws -> [String] {
            try #require(try Self.notes(document)[key]).filter { $0.hasPrefix("Author: ") }
        }
        let town = ["Author: of a town", "Author: short"]
        #expect(try notes("story/name") == ["Author: a house, not a person"])
        #expect(try notes("story/cover/alt") == ["Author: for the blind"] && notes("story/cover/source") == [])
        #expect(try notes("story/description") == [])
        #expect(try notes("chapter/c/name") == town + ["Author: no city"])
        #expect(try notes("lockbox/l/question") == town)
        #expect(try notes("lockbox/l/answers") == town + ["Author: also in words"])
        #expect(try notes("lockbox/l/hints/2") == town + ["Author: kind"])
        #expect(try notes("chapter/d/name") == [])
    }

    // MARK: Regional languages

    private static let german = """
        <story id="s" language="en"><name>Bells</name><chapter id="c"><name>Town</name></chapter>
        <translation language="de"><text key="story/name" hash="a4c44b9f9430">Glocken
        der Stadt</text></translation></story>
        """

    /// A regional language begins empty, and its notes have the words of the more general one.
    @Test func regionalLanguagesBeginEmpty() throws {
        let document = try Self.document(german(""))
        let file = try document.file(into: "de-AT")
        #expect(file.units.map(\.translation) == [nil, nil] && file.units.map(\.isFuzzy) == [false, false])
        #expect(file.units[0].notes.last == "Without a translation, it is as in de: Glocken der Stadt")
        #expect(file.units[1].notes.last == "Without markup")
        #expect(document.fallback(of: "de-AT") == "de" && document.fallback(of: "fr") == nil)
        #expect(document.fallback(of: "de") == nil)
        #expect(try document.change(by: file, name: "de-AT.po").bytes == nil)
        // With a translation of its own, it says nothing of the other one.
        let both = try Self.document(
            german("<translation language=\"de-AT\"><text key=\"story/name\">Glockn</text></translation>"))
        let units = try both.file(into: "de-AT").units
        #expect(units[0].translation == "Glockn" && units[0].notes.last == "Without markup")
        #expect(try both.file(into: "de").units[0].translation == "Glocken der Stadt")
    }

    private func german(_ more: String) -> String { Self.german.replacing("</story>", with: "\(more)</story>") }

    // MARK: Names of languages

    /// RFC 5646, section 2.2.1: no language has a tag of more than three letters.
    @Test(arguments: [
        ("Deutsch", "is the tag of no language", "did you mean 'de'?"),
        ("german-at", "is the tag of no language", "did you mean 'de-AT'?"),
        ("Deutch", "is the tag of no language", "did you mean 'de'?"),
        ("français", "is not a language tag", "did you mean 'fr'?"),
        ("日本語", "is not a language tag", "did you mean 'ja'?"),
        ("de_AT", "is not a language tag", "did you mean 'de-AT'?"),
        ("Portugues_BR", "is not a language tag", "did you mean 'pt-BR'?"),
        ("qwertzui", "is the tag of no language", "write one such as de or de-AT"),
        ("", "is not a language tag", "write one such as de or de-AT"),
        ("-", "is not a language tag", "write one such as de or de-AT"),
    ])
    func namesAreNoTags(tag: String, reason: String, advice: String) throws {
        let document = try Self.document(Self.german)
        #expect {
            try document.file(into: tag)
        } throws: {
            let error = $0 as? MediaError
            return error?.reason == reason && error?.advice.map { "\($0)" } == advice
        }
    }

    @Test func filesIntoNamesAreRefused() throws {
        let document = try Self.document(Self.german)
        var file = try document.file(into: "fr")
        file.language = "Französisch"
        file.units[0].translation = "Cloches"
        for (language, reason) in [
            ("Deutsch", "is a translation into 'Deutsch', which is the tag of no language"),
            ("fr_FR", "is a translation into 'fr_FR', which is not a language tag"),
        ] {
            file.language = language
            #expect {
                try document.change(by: file, name: "x.po")
            } throws: {
                ($0 as? MediaError)?.reason == reason && ($0 as? MediaError)?.subject == "x.po"
            }
        }
        // What the document has already goes on.
        let named = try Self.document(
            german("<translation language=\"Deutsch\"><text key=\"story/name\">Glocken</text></translation>"))
        #expect(try named.file(into: "Deutsch").units[0].translation == "Glocken")
        for tag in ["x-elvish", "i-lux", "gsw-CH", "zh-Hant-TW"] {
            #expect(try document.file(into: tag).language.lowercased() == tag.lowercased())
        }
    }
}
