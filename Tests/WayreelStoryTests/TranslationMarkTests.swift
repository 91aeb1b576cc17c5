import TestSupport
import Testing
import WayreelCore
import WayreelStory

/// What translators' marks, new words and older files do to the translations of a document.
@Suite struct TranslationMarkTests {
    /// `printf '%s' TEXT | sha256sum | cut -c1-12`.
    private static let hashes = (bells: "a4c44b9f9430", town: "390f25134ba0", when: "e5d2524902b7")

    /// A translation that is up to date, one that is out of date, one without a hash, and nothing of the answers.
    private static let document = """
        <story id="s" language="en">
          <name>Bells</name>
          <chapter id="c">
            <name>Town</name>
            <lockbox id="l"><question>When?</question><answer>1772</answer></lockbox>
          </chapter>
          <translation language="de">
            <text key="story/name" hash="\(hashes.bells)">Glocken</text>
            <text key="chapter/c/name" hash="0123456789ab">Stadt</text>
            <text key="lockbox/l/question">Wann?</text>
          </translation>
        </story>

        """

    private static func read(_ text: String) throws -> TranslatableDocument {
        try TranslatableDocument(Array(text.utf8), as: .xml, name: "s.xml")
    }

    /// What a unit is like in a file.
    struct Unit: Sendable {
        var key: String
        var text: String?
        var isFuzzy = false
        /// The hash of the source that the file was made of; nil for today's.
        var hash: String?
        var previous: String?
    }

    /// Takes one unit from a file. Returns the entry's words and hash, and whether the document has changed.
    private static func taken(
        _ unit: Unit, from text: String = document
    ) throws -> (words: String, hash: String?, isChange: Bool, remarks: [String]) {
        let document = try read(text)
        var file = try document.file(into: "de")
        file.units.removeAll { $0.key != unit.key }
        file.units[0].translation = unit.text
        file.units[0].isFuzzy = unit.isFuzzy
        file.units[0].previousSource = unit.previous
        if let hash = unit.hash { (file.units[0].hash, file.units[0].source) = (hash, "Before") }
        let change = try document.change(by: file, name: "de.po")
        let story = try #require(try StoryDocument.read(change.bytes ?? document.bytes, as: .xml).story)
        let entry = try #require(story.translations[0].entries.first { $0.key == unit.key })
        let words =
            switch entry.value {
            case .plain(let text): text
            case .rich(let text): text.plain
            case .list(let texts): texts.joined(separator: "\n")
            }
        return (words, entry.hash, change.bytes != nil, change.remarks.map(\.message))
    }

    private static let noSource = "000000000000"
    private static let older = "aaaaaaaaaaaa"

    /// All that a file may say of a text, and all that the document may have.
    private static let cases: [(Unit, String, String)] = [
        // New words.
        (Unit(key: "story/name", text: "Neu"), "Neu", hashes.bells),
        (Unit(key: "chapter/c/name", text: "Neu"), "Neu", hashes.town),
        (Unit(key: "lockbox/l/question", text: "Neu"), "Neu", hashes.when),
        // New words with the mark: the hash is that of no source, or of an older one.
        (Unit(key: "story/name", text: "Neu", isFuzzy: true), "Neu", noSource),
        (Unit(key: "chapter/c/name", text: "Neu", isFuzzy: true), "Neu", "0123456789ab"),
        (Unit(key: "lockbox/l/question", text: "Neu", isFuzzy: true), "Neu", noSource),
        (Unit(key: "story/name", text: "Neu", isFuzzy: true, previous: "Town"), "Neu", hashes.town),
        (Unit(key: "story/name", text: "Neu", isFuzzy: true, previous: "Bells"), "Neu", noSource),
        // The same words with the mark.
        (Unit(key: "story/name", text: "Glocken", isFuzzy: true), "Glocken", noSource),
        (Unit(key: "story/name", text: "Glocken", isFuzzy: true, hash: older), "Glocken", older),
        (Unit(key: "lockbox/l/question", text: "Wann?", isFuzzy: true), "Wann?", noSource),
        // The same words without the mark that they had.
        (Unit(key: "chapter/c/name", text: "Stadt"), "Stadt", hashes.town),
        // New words of an older source, and the same words of what had no hash.
        (Unit(key: "story/name", text: "Neu", hash: older), "Neu", older),
        (Unit(key: "lockbox/l/question", text: "Wann?", hash: older), "Wann?", older),
        (Unit(key: "chapter/c/name", text: "Stadt", hash: older), "Stadt", older),
    ]

    @Test(arguments: cases)
    func whatIsTaken(unit: Unit, words: String, hash: String) throws {
        let found = try Self.taken(unit)
        #expect(found.words == words && found.hash == hash && found.isChange, "\(found)")
    }

    /// What says nothing new changes no byte.
    @Test(arguments: [
        Unit(key: "story/name", text: "Glocken"), Unit(key: "story/name", text: "Glocken", hash: older),
        Unit(key: "story/name", text: nil), Unit(key: "story/name", text: nil, isFuzzy: true),
        Unit(key: "story/name", text: " \n", isFuzzy: true),
        Unit(key: "chapter/c/name", text: "Stadt", isFuzzy: true),
        Unit(key: "chapter/c/name", text: "Stadt", isFuzzy: true, hash: older, previous: "Bells"),
        Unit(key: "chapter/c/name", text: nil), Unit(key: "lockbox/l/question", text: "Wann?"),
        Unit(key: "lockbox/l/question", text: nil, isFuzzy: true),
    ])
    func whatStays(unit: Unit) throws {
        let found = try Self.taken(unit)
        #expect(!found.isChange, "\(found)")
    }

    /// The mark in each format, set and removed by hand in the text of the file.
    @Test(arguments: [
        (TranslationFormat.po, "msgctxt \"story/name\"", "#, fuzzy\nmsgctxt \"story/name\""),
        (
            .xliff, "<target state=\"translated\">Glocken</target>",
            "<target state=\"needs-review-translation\">Glocken</target>"
        ),
        (
            .xliff2, "<segment state=\"translated\">\n        <source>Bells</source>",
            "<segment state=\"initial\">\n        <source>Bells</source>"
        ),
        (.csv, ",Glocken,translated,", ",Glocken,needs review,"),
        (.tsv, "\tGlocken\ttranslated\t", "\tGlocken\tneeds review\t"),
    ])
    func marksGoThereAndBack(format: TranslationFormat, plain: String, marked: String) throws {
        let document = try Self.read(Self.document)
        func change(_ document: TranslatableDocument, _ old: String, _ new: String) throws -> String {
            let text = String(decoding: try document.file(into: "de").bytes(as: format), as: UTF8.self)
            #expect(text.contains(old), "\(text)")
            let name = "de.\(format == .xliff || format == .xliff2 ? "xlf" : format.rawValue)"
            let file = try TranslationFile.read(
                Array(text.replacing(old, with: new).utf8), name: name, story: "s", sourceLanguage: "en")
            return String(decoding: try #require(try document.change(by: file, name: name).bytes), as: UTF8.self)
        }
        let doubtful = try change(document, plain, marked)
        #expect(doubtful == Self.document.replacing("hash=\"\(Self.hashes.bells)\"", with: "hash=\"\(Self.noSource)\""))
        let again = try Self.read(doubtful)
        #expect(try again.file(into: "de").units.map(\.isFuzzy) == [true, true, false, false])
        #expect(again.story.translationProgress[0].outOfDate == 2)
        #expect(
            try again.document.checkedTranslations().issues.map(\.message).contains(
                "the translation of 'story/name' into 'de' is to be looked at again, because a translator marked it: "
                    + "it is 'Glocken', and the source is 'Bells'"))
        #expect(try change(again, marked, plain) == Self.document)
    }

    /// The hash of a doubtful translation is never that of its neighbour, to which it would move.
    @Test func doubtfulTranslationsStayInTheirPlaces() throws {
        let event = StorySamples.event("e", content: "<scrapbook><text>One.</text><text>Two.</text></scrapbook>")
        let document = try Self.read(
            StorySamples.chapter(event).replacing(
                "</story>",
                with: "<translation language=\"de\"><text key=\"event/e/scrapbook/1/text\" hash=\"70277bfc409b\">"
                    + "Eins.</text></translation></story>"))
        var file = try document.file(into: "de")
        let index = try #require(file.units.firstIndex { $0.key == "event/e/scrapbook/1/text" })
        file.units[index].isFuzzy = true
        file.units[index].previousSource = "Two."
        let change = try document.change(by: file, name: "de.po")
        let again = try TranslatableDocument(try #require(change.bytes), as: .xml, name: "s.xml")
        let units = try again.file(into: "de").units
        #expect(units[index].translation == "Eins." && units[index].isFuzzy)
        #expect(units[index + 1].key == "event/e/scrapbook/2/text" && units[index + 1].translation == nil)
    }

    /// A hash that a tool has damaged counts as lost.
    @Test func damagedHashesAreLost() throws {
        let document = try Self.read(Self.document)
        var file = try document.file(into: "de")
        file.units[0].translation = "Neu"
        file.units[0].hash = "a4c44b9f94"
        let change = try document.change(by: file, name: "de.po")
        let text = String(decoding: try #require(change.bytes), as: UTF8.self)
        #expect(text.contains("hash=\"\(Self.hashes.bells)\">Neu<"))
    }

    // MARK: Sources that have changed

    @Test func filesThatAreOlderThanTheSourceAreTold() throws {
        let new = try Self.taken(Unit(key: "story/name", text: "Neu", hash: Self.older))
        #expect(
            new.remarks == [
                "the source of 'story/name' has changed since the file was written, so that the translation is out of date: "
                    + "it was 'Before' and is now 'Bells'"
            ])
        #expect(try Self.taken(Unit(key: "story/name", text: "Neu")).remarks.isEmpty)
        #expect(try Self.taken(Unit(key: "story/name", text: "Glocken", hash: Self.older)).remarks.isEmpty)
    }

    private static let plain = "Ring the bell once, and wait until nobody comes out of the tower any more."

    private static func story(description: String, translation: String = "") -> String {
        """
        <story id="s" language="en">
          <name>Bells</name>
          <description>\(description)</description>
          <chapter id="c"><name>Town</name></chapter>\(translation)
        </story>
        """
    }

    /// The hash is that of ``plain``.
    private static func translation(hash: String = "be0e13fffc17") -> String {
        """

          <translation language="de">
            <text key="story/name" hash="\(hashes.town)">Glocken</text>
            <text key="story/description" hash="\(hash)">Läute.</text>
          </translation>
        """
    }

    private static func outOfDate(_ document: TranslatableDocument, _ former: FormerSources) throws -> [String] {
        try document.document.checkedTranslations(into: "de", former: former).issues.map(\.message)
            .filter { $0.contains("out of date") }
    }

    @Test func sourcesAreShownAsTheyWere() throws {
        let new = plainWords("until everybody comes out of the tower.")
        let document = try Self.read(Self.story(description: new, translation: Self.translation()))
        let old = Self.story(description: Self.plain).replacing("<name>Bells<", with: "<name>Town<")
        // From the story as it was, and from a file that was written then.
        let then = try Self.read(old)
        for former in [
            FormerSources(then.story), try FormerSources(then.file(into: "de"), of: document.story),
        ] {
            let units = try document.file(into: "de", former: former).units
            #expect(units[0].previousSource == "Town" && units[1].previousSource == Self.plain)
            #expect(
                try Self.outOfDate(document, former) == [
                    "the translation of 'story/name' into 'de' is out of date: it is 'Glocken', and the source was 'Town' "
                        + "and is now 'Bells'",
                    "the translation of 'story/description' into 'de' is out of date: it is 'Läute.', and the source was "
                        + "'…and wait until nobody comes out of the tower any more.' and is now "
                        + "'…and wait until everybody comes out of the tower.'",
                ])
        }
        // Without them, only today's source is known.
        let units = try document.file(into: "de").units
        #expect(units[0].previousSource == nil && units[0].isFuzzy)
        // The file with the old sources is of the same bytes in each format when it comes back.
        let file = try document.file(into: "de", former: FormerSources(then.story))
        #expect(try document.change(by: file, name: "de.po").bytes == nil)
        #expect(
            String(decoding: file.bytes(as: .po), as: UTF8.self).contains(
                "#, fuzzy\n#| msgid \"Town\"\nmsgctxt \"story/name\"\nmsgid \"Bells\"\nmsgstr \"Glocken\"\n"))
    }

    private func plainWords(_ end: String) -> String { "Ring the bell once, and wait \(end)" }

    @Test func markupAloneIsTold() throws {
        let new = Self.plain.replacing("once", with: "<em>once</em>")
        let document = try Self.read(Self.story(description: new, translation: Self.translation()))
        let unit = try document.file(into: "de").units[1]
        #expect(unit.isFuzzy && unit.previousSource == Self.plain)
        #expect(unit.notes.last == "Only the markup of the source is new")
        #expect(
            try Self.outOfDate(document, FormerSources()).last
                == "the translation of 'story/description' into 'de' is out of date: it is 'Läute.', and only the markup of "
                + "the source is new: 'Ring the bell _once_, and wait until nobody comes out of the…'")
        // Of a text that has lost its markup, the story as it was tells it.
        let hash = try Self.read(Self.story(description: new)).file(into: "de").units[1].hash ?? ""
        let plain = try Self.read(
            Self.story(description: Self.plain, translation: Self.translation(hash: hash)))
        let former = FormerSources(try Self.read(Self.story(description: new)).story)
        let notes = try plain.file(into: "de", former: former).units[1].notes
        #expect(notes.last == "Only the markup of the source is new")
        // A file from before the markup.
        var file = try Self.read(Self.story(description: Self.plain)).file(into: "de")
        file.units[1].translation = "Läute einmal."
        #expect(
            try document.change(by: file, name: "de.po").remarks.map(\.message) == [
                "of 'story/description', only the markup of the source is new since the file was written, so that the "
                    + "translation is out of date"
            ])
    }

    @Test func otherStoriesAreNoFormerOnes() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/other.xml"
        try OutputFile.write(Array(Self.document.replacing("id=\"s\"", with: "id=\"t\"").utf8), to: path)
        let story = try Self.read(Self.document).story
        #expect {
            try FormerSources.read(path: path, of: story)
        } throws: {
            ($0 as? MediaError)?.reason == "is the story 't', not 's'"
        }
    }
}
