import TestSupport
import Testing
import WayreelCore
import WayreelStory

/// Translators' files of documents, and what they change in them: nothing but the translation, byte for byte.
@Suite struct TranslatableDocumentTests {
    // MARK: Documents

    /// A document with what a rewriting would lose.
    private static let xml = """
        <?xml version="1.0"?>
        <!-- <translation language="de"> of the bells -->
        <story  id='s' language = "en">
          <name>Bells &amp; whistles</name>   <!-- the title -->
          <description><![CDATA[A <translation> of 1 > 0.]]></description>
          <?note keep?>
          <chapter id="c"><name>Town</name>
            <lockbox id="l"><question>When?</question><answer>1772</answer><answer>MDCCLXXII</answer></lockbox>
          </chapter>
          <!-- the end -->
        </story>
        <!-- behind -->

        """

    private static let yaml = """
        # The bells.
        story:
            id: s      # short
            language: en
            name:   "Bells & whistles"
            description: |
                A <translation> of 1 > 0.
            chapters:
              - &town
                id: c
                name: Town
                lockboxes: [{id: l, question: 'When?', answers: [1772, MDCCLXXII]}]
            # the end
        ...

        """

    private static func document(
        _ text: String, _ format: StoryDocument.Format = .xml
    ) throws -> TranslatableDocument {
        try TranslatableDocument(Array(text.utf8), as: format, name: format == .xml ? "s.xml" : "s.yml")
    }

    /// Returns a translators' file of a document with these translations by their keys.
    private static func file(
        _ document: TranslatableDocument, _ texts: [String: String], into language: String = "de"
    ) throws -> TranslationFile {
        var file = try document.file(into: language)
        for index in file.units.indices {
            guard let text = texts[file.units[index].key] else { continue }
            file.units[index].translation = text
            file.units[index].isFuzzy = false
        }
        return file
    }

    private static func story(of change: TranslatableDocument.Change) throws -> Story {
        let bytes = try #require(change.bytes)
        return try #require(try StoryDocument.read(bytes, as: .xml).story)
    }

    /// Puts translations into a document. Returns the changed text; nil if nothing is new.
    private static func changed(
        _ text: String, _ texts: [String: String], _ format: StoryDocument.Format = .xml, into language: String = "de"
    ) throws -> String? {
        let document = try document(text, format)
        let change = try document.change(by: try file(document, texts, into: language), name: "de.po")
        return change.bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// `printf '%s' TEXT | sha256sum | cut -c1-12` of `Bells & whistles`, `Town`, and the two answers in lines.
    private static let hashes = (name: "2a0d5d4b3234", town: "390f25134ba0", answers: "0ebe817227f4")

    private static let texts = [
        "story/name": "Glocken & <Pfeifen>", "chapter/c/name": "Stadt", "lockbox/l/answers": "1772\nMDCCLXXII",
    ]

    // MARK: XML

    private static let german = """
        <translation language="de">
            <text key="story/name" hash="\(hashes.name)">Glocken &amp; &lt;Pfeifen&gt;</text>
            <text key="chapter/c/name" hash="\(hashes.town)">Stadt</text>
            <text key="lockbox/l/answers" hash="\(hashes.answers)">
              <value>1772</value>
              <value>MDCCLXXII</value>
            </text>
          </translation>
        """

    @Test func aTranslationIsPutBehindTheChapters() throws {
        let expected = Self.xml.replacing("</chapter>\n", with: "</chapter>\n  \(Self.german)\n")
        #expect(try Self.changed(Self.xml, Self.texts) == expected)
        // And another one behind that.
        let both = try #require(try Self.changed(expected, ["story/name": "Cloches"], into: "fr"))
        #expect(
            both
                == expected.replacing(
                    "</translation>\n",
                    with: "</translation>\n  <translation language=\"fr\">\n"
                        + "    <text key=\"story/name\" hash=\"\(Self.hashes.name)\">Cloches</text>\n  </translation>\n"
                ))
    }

    @Test(arguments: ["\n", "\r\n"])
    func lineEndsStay(newline: String) throws {
        let document = Self.xml.replacing("\n", with: newline)
        let expected = Self.xml.replacing("</chapter>\n", with: "</chapter>\n  \(Self.german)\n")
        #expect(try Self.changed(document, Self.texts) == expected.replacing("\n", with: newline))
    }

    @Test func encodingsStay() throws {
        let declared = Self.xml.replacing("\"1.0\"?", with: "\"1.0\" encoding=\"UTF-16\"?").replacing(
            "Town", with: "T\u{F6}wn \u{1F514}")
        let expected = declared.replacing(
            "</chapter>\n",
            with: "</chapter>\n  <translation language=\"ja\">\n"
                + "    <text key=\"story/name\" hash=\"\(Self.hashes.name)\">\u{9418}\u{1F514}</text>\n  </translation>\n"
        )
        for isBig in [true, false] {
            func bytes(_ text: String) -> [UInt8] {
                "\u{FEFF}\(text)".utf16.flatMap {
                    isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)]
                }
            }
            let document = try TranslatableDocument(bytes(declared), as: .xml, name: "s.xml")
            let file = try Self.file(document, ["story/name": "\u{9418}\u{1F514}"], into: "ja")
            #expect(try document.change(by: file, name: "ja.po").bytes == bytes(expected))
        }
        // What an encoding lacks is written by its number; an unknown encoding is refused.
        let latin = declared.replacing("UTF-16", with: "ISO-8859-1").replacing(" \u{1F514}", with: "")
        let bytes = latin.unicodeScalars.map { UInt8($0.value) }
        let document = try TranslatableDocument(bytes, as: .xml, name: "s.xml")
        let change = try document.change(
            by: try Self.file(document, ["story/name": "\u{FC}\u{9418}"], into: "ja"), name: "ja.po")
        let added = Array("hash=\"\(Self.hashes.name)\">".utf8) + [0xFC] + Array("&#x9418;</text>".utf8)
        let found = try #require(change.bytes)
        #expect(found.firstRange(of: added) != nil && found.starts(with: bytes[..<400]))
        let other = Array(Self.xml.replacing("\"1.0\"?", with: "\"1.0\" encoding=\"windows-1252\"?").utf8)
        let windows = try TranslatableDocument(other, as: .xml, name: "s.xml")
        #expect {
            try windows.change(by: try Self.file(windows, Self.texts), name: "de.po")
        } throws: {
            ($0 as? MediaError)?.reason == "is encoded as 'windows-1252', which cannot be changed in place"
        }
    }

    /// Only what is new is written; comments in the translation stay.
    @Test func entriesAreChangedWhereTheyStand() throws {
        let translation = """
            <translation language='de'><!-- by A. Ringer -->
                <text key="story/name"   hash="\(Self.hashes.name)">Glocken</text>  <!-- sic -->
                <text hash='0123456789ab' key="lockbox/l/answers"><value>x</value></text>
              </translation>
            """
        let document = Self.xml.replacing("</chapter>\n", with: "</chapter>\n  \(translation)\n")
        let changed = try Self.changed(document, ["chapter/c/name": "Stadt", "lockbox/l/answers": "1772"])
        let expected = document.replacing(
            "  <!-- sic -->",
            with: "\n    <text key=\"chapter/c/name\" hash=\"\(Self.hashes.town)\">Stadt</text>  <!-- sic -->"
        ).replacing(
            "<text hash='0123456789ab' key=\"lockbox/l/answers\"><value>x</value></text>",
            with:
                "<text key=\"lockbox/l/answers\" hash=\"\(Self.hashes.answers)\">\n      <value>1772</value>\n    </text>"
        )
        #expect(changed == expected)
    }

    @Test func emptyTranslationsAreFilled() throws {
        let text = "    <text key=\"story/name\" hash=\"\(Self.hashes.name)\">G</text>\n  "
        for (before, after) in [
            ("<translation language=\"de\"/>", "<translation language=\"de\">\n\(text)</translation>"),
            ("<translation language=\"de\" />", "<translation language=\"de\">\n\(text)</translation>"),
            ("<translation language=\"de\"></translation>", "<translation language=\"de\">\n\(text)</translation>"),
            (
                "<translation language=\"de\">\n  <!-- soon -->\n  </translation>",
                "<translation language=\"de\">\n  <!-- soon -->\n\(text)</translation>"
            ),
        ] {
            let document = Self.xml.replacing("</chapter>\n", with: "</chapter>\n  \(before)\n")
            #expect(try Self.changed(document, ["story/name": "G"]) == document.replacing(before, with: after))
        }
    }

    /// A document in one line, and one whose elements have a prefix.
    @Test func otherFormsStay() throws {
        let line = "<story id=\"s\" language=\"en\"><name>Town</name><chapter id=\"c\"><name>C</name></chapter></story>"
        let added =
            "<translation language=\"de\"><text key=\"story/name\" hash=\"\(Self.hashes.town)\">Stadt</text></translation>"
        let changed = try #require(try Self.changed(line, ["story/name": "Stadt"]))
        #expect(changed.split(separator: "\n").joined() == line.replacing("</story>", with: "\(added)</story>"))
        func prefixed(_ text: String) -> String {
            text.replacing("<", with: "<w:").replacing("<w:/", with: "</w:").replacing(
                "<w:story", with: "<w:story xmlns:w=\"urn:wayreel:story:1\"")
        }
        #expect(
            try Self.changed(prefixed(line), ["story/name": "Stadt"])?.split(separator: "\n").joined()
                == prefixed(line).replacing("</w:story>", with: "\(prefixed(added))</w:story>"))
    }

    /// A text that does not fit into a line is broken as an author would: nine letters and a space are ten columns.
    @Test func longTextsAreBrokenIntoLines() throws {
        func words(_ count: Int) -> String { Array(repeating: "abcdefghi", count: count).joined(separator: " ") }
        func changed(_ document: String, _ name: String, _ description: String) throws -> String {
            try #require(try Self.changed(document, ["story/name": name, "story/description": description]))
        }
        func document(_ newLine: String = "\n", _ indent: String = "  ", description: String = "D") -> String {
            [
                "<story id=\"s\" language=\"en\">", "\(indent)<name>Town</name>",
                "\(indent)<description>\(description)</description>",
                "\(indent)<chapter id=\"c\"><name>C</name></chapter>", "</story>",
            ].joined(separator: newLine)
        }
        // `printf '%s' D | sha256sum | cut -c1-12`.
        let (name, text) = (
            "<text key=\"story/name\" hash=\"\(Self.hashes.town)\">",
            "<text key=\"story/description\" hash=\"3f39d5c348e5\">"
        )
        func expected(_ document: String, _ lines: [String], _ newLine: String = "\n") -> String {
            document.replacing(
                "\(newLine)</story>", with: "\(newLine)\(lines.joined(separator: newLine))\(newLine)</story>")
        }
        // Lines of 120 columns at most: 4 of indentation, the tags, and 6 words; then 6 of indentation and 11 words.
        #expect(
            try changed(document(), words(6), "\(words(23))\n\n\(words(1))")
                == expected(
                    document(),
                    [
                        "  <translation language=\"de\">", "    \(name)\(words(6))</text>", "    \(text)",
                        "      \(words(11))", "      \(words(11))", "      \(words(1))", "", "      \(words(1))",
                        "    </text>", "  </translation>",
                    ]))
        #expect(
            try changed(
                document("\r\n", "\t"), words(12), "- \(words(2))\n- \(words(12)) [\(words(2))](https://e.org/a)")
                == expected(
                    document("\r\n", "\t"),
                    [
                        "\t<translation language=\"de\">", "\t\t\(name)", "\t\t\t\(words(11))", "\t\t\t\(words(1))",
                        "\t\t</text>", "\t\t\(text)", "\t\t\t<ul>", "\t\t\t\t<li>\(words(2))</li>", "\t\t\t\t<li>",
                        "\t\t\t\t\t\(words(11))",
                        "\t\t\t\t\t\(words(1)) <a href=\"https://e.org/a\">\(words(2))</a>", "\t\t\t\t</li>",
                        "\t\t\t</ul>", "\t\t</text>", "\t</translation>",
                    ], "\r\n"))
        // A document with lines of text of 90 columns: 6 of indentation and 8 words.
        let narrow = document(description: "\n    \(words(8)) abcdef\n    \(words(1))\n  ")
        let lines = try changed(narrow, words(9), "E").split(separator: "\n").map(String.init)
        #expect(lines.contains("      \(words(8))") && lines.contains("      \(words(1))"))
        // Nothing is broken where elements follow each other without line ends.
        let line = document("", "")
        #expect(
            try changed(line, words(20), "\(words(20))\n\n\(words(2))")
                == line.replacing(
                    "</story>",
                    with: "<translation language=\"de\">\(name)\(words(20))</text>\(text)\(words(20))\n\n\(words(2))"
                        + "</text></translation></story>"))
    }

    // MARK: YAML

    @Test func yamlIsChangedInItsOwnStyle() throws {
        let german = """
                translations:
                  - language: de
                    texts:
                    - key: story/name
                      hash: \(Self.quoted(Self.hashes.name))
                      text: Glocken & <Pfeifen>
                    - key: chapter/c/name
                      hash: \(Self.quoted(Self.hashes.town))
                      text: Stadt
                    - key: lockbox/l/answers
                      hash: \(Self.quoted(Self.hashes.answers))
                      text:
                      - "1772"
                      - MDCCLXXII
            """
        let expected = Self.yaml.replacing("MDCCLXXII]}]\n", with: "MDCCLXXII]}]\n\(german)\n")
        let changed = try #require(try Self.changed(Self.yaml, Self.texts, .yaml))
        #expect(changed == expected)
        let windows = Self.yaml.replacing("\n", with: "\r\n")
        #expect(try Self.changed(windows, Self.texts, .yaml) == expected.replacing("\n", with: "\r\n"))
        // Without a line end at the end, and with a byte order mark.
        let short = "\u{FEFF}" + Self.yaml.replacing("    # the end\n...\n", with: "").dropLast(1)
        #expect(
            try Self.changed(short, Self.texts, .yaml)
                == short + "\n" + german)
        // Another language, behind it.
        let both = try #require(try Self.changed(expected, ["story/name": "Cloches"], .yaml, into: "fr"))
        let french = """
                  - language: fr
                    texts:
                    - key: story/name
                      hash: \(Self.quoted(Self.hashes.name))
                      text: Cloches
            """
        #expect(both == expected.replacing("      - MDCCLXXII\n", with: "      - MDCCLXXII\n\(french)\n"))
    }

    /// Digits alone would be a number.
    private static func quoted(_ hash: String) -> String {
        hash.first?.isNumber == true ? "\"\(hash)\"" : hash
    }

    @Test func itemsOfYAMLAreChangedWhereTheyStand() throws {
        let document = Self.yaml.replacing(
            "    # the end",
            with: """
                    translations:
                    # German
                    -   language: de
                        texts:
                        # the title
                        - {key: story/name, hash: "\(Self.hashes.name)", text: Glocken}  # sic
                        -
                          key: lockbox/l/answers      # as painted

                          text:
                          - x                         # wrong
                        # more
                    - language: fr
                    # the end
                """)
        let changed = try Self.changed(
            document, ["story/name": "Die Glocken", "chapter/c/name": "Stadt", "lockbox/l/answers": "1772\nz"], .yaml)
        let expected = document.replacing(
            "{key: story/name, hash: \"\(Self.hashes.name)\", text: Glocken}  # sic",
            with: """
                key: story/name
                          hash: \(Self.quoted(Self.hashes.name))
                          text: Die Glocken  # sic
                        - key: chapter/c/name
                          hash: \(Self.quoted(Self.hashes.town))
                          text: Stadt
                """
        ).replacing(
            "key: lockbox/l/answers      # as painted\n\n          text:\n          - x ",
            with: "key: lockbox/l/answers\n          hash: \(Self.quoted(Self.hashes.answers))\n          text:\n"
                + "          - \"1772\"\n          - z ")
        #expect(changed == expected)
        let french = try #require(try Self.changed(document, ["story/name": "Cloches"], .yaml, into: "fr"))
        #expect(
            french
                == document.replacing(
                    "- language: fr\n",
                    with: """
                        - language: fr
                              texts:
                              - key: story/name
                                hash: \(Self.quoted(Self.hashes.name))
                                text: Cloches

                        """))
    }

    /// Flow style and anchors that would be lost.
    @Test(arguments: [
        ("story: {id: s, language: en, name: Town, chapters: [{id: c, name: C}]}", "'story' is not in block style"),
        (
            "story:\n  id: s\n  language: en\n  name: Town\n  chapters: [{id: c, name: C}]\n  translations: [{language: de}]",
            "'translations' is not in block style"
        ),
        (
            "story:\n  id: s\n  language: en\n  name: Town\n  chapters: [{id: c, name: C}]\n  translations:\n  - {language: de}",
            "the translation into 'de' is not in block style"
        ),
        (
            "story:\n  id: s\n  language: en\n  name: Town\n  chapters: [{id: c, name: C}]\n  translations:\n  - language: de\n    texts: []",
            "the list of texts of the translation into 'de' is not in block style"
        ),
        (
            "story:\n  id: s\n  language: en\n  name: Town\n  chapters: [{id: c, name: C}]\n  translations:\n"
                + "  - language: de\n    texts:\n    - {key: story/name, text: &a x}\n    - {key: chapter/c/name, text: *a}",
            "is written in a way that cannot be changed in place"
        ),
    ])
    func whatCannotBeChangedInPlaceIsRefused(document: String, reason: String) throws {
        #expect {
            try Self.changed(document, ["story/name": "Stadt"], .yaml)
        } throws: { error in
            guard let error = error as? MediaError else { return false }
            return error.kind == .unsupported && error.reason.hasPrefix(reason) && error.subject == "s.yml"
                && "\(error.advice.map(String.init(describing:)) ?? "")".contains("wayreel story convert")
        }
    }

    // MARK: Round trips

    /// Each format gives back what it was given: no byte changes.
    @Test(arguments: TranslationFormat.allCases, ["every-kind.xml", "every-kind.yml"])
    func roundTripsChangeNothing(format: TranslationFormat, name: String) throws {
        let document = try TranslatableDocument(path: StorySamples.path(name))
        for language in ["de", "es-MX", "nb"] {
            for withFiles in [false, true] {
                let bytes = try document.file(into: language, withFiles: withFiles).bytes(as: format)
                let file = try TranslationFile.read(
                    bytes, name: "x.\(format == .xliff2 ? "xlf" : format.rawValue)", story: document.story.id,
                    sourceLanguage: document.story.language, language: language)
                let change = try document.change(by: file, name: "x")
                #expect(change.bytes == nil && change.remarks.isEmpty, "\(change.remarks)")
            }
        }
    }

    /// An item of a list is one line for translators, also one of several paragraphs.
    @Test func itemsOfListsAreLines() throws {
        let document = Self.xml.replacing(
            "</chapter>\n",
            with: "</chapter>\n<translation language=\"de\"><text key=\"lockbox/l/answers\"><value>A\n\nB</value>"
                + "<value>C</value></text></translation>\n")
        let file = try Self.document(document).file(into: "de")
        #expect(file.units.last?.translation == "A B\nC")
        #expect(try Self.changed(document, [:]) == nil)
    }

    /// A translation of everything is read again as it was, by both kinds of documents.
    @Test(arguments: ["every-kind.xml", "every-kind.yml"])
    func everyFieldCanBeTranslated(name: String) throws {
        let document = try TranslatableDocument(path: StorySamples.path(name))
        let format = try #require(StoryDocument.Format(path: name))
        var file = try document.file(into: "pt-BR", withFiles: true)
        for index in file.units.indices {
            file.units[index].translation =
                "\(index) \u{E9}: \"<&'>\" # {x} \u{1F514}" + (file.units[index].isList ? "\nB" : "")
        }
        let change = try document.change(by: file, name: "pt.po")
        #expect(change.added == file.units.count && change.changed == 0 && change.progress?.missing == 0)
        let bytes = try #require(change.bytes)
        let again = try TranslatableDocument(bytes, as: format, name: name)
        let translated = try again.file(into: "pt-BR", withFiles: true)
        #expect(translated.units.map(\.translation) == file.units.map(\.translation))
        // Taken out again, the document is what it was, but for its one new part.
        #expect(bytes.count > document.bytes.count && again.story.localized("pt-BR").language == "pt-BR")
        var story = again.story
        story.translations.removeLast()
        story.languages.removeLast()
        #expect(story == document.story)
    }

    /// Markup is CommonMark for translators, elements in XML, and CommonMark in YAML.
    @Test func richTextsTravelAsCommonMark() throws {
        let (german, source) = (
            "Läute _nicht_, siehe [es](https://example.org/de).\n\n1. A\n2. B\n\n> C",
            "Ring **once**, see [it](https://example.org).\n\n- A\n- B"
        )
        let description = """
            <description>
                <p>Ring <strong>once</strong>, see <a href="https://example.org">it</a>.</p>
                <ul><li>A</li><li>B</li></ul>
              </description>
            """
        let xml = Self.xml.replacing(
            "<description><![CDATA[A <translation> of 1 > 0.]]></description>", with: description)
        let yaml = Self.yaml.replacing(
            "        A <translation> of 1 > 0.",
            with: source.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.isEmpty ? "" : "        \($0)"
            }.joined(separator: "\n"))
        for (text, format) in [(xml, StoryDocument.Format.xml), (yaml, .yaml)] {
            let document = try Self.document(text, format)
            let file = try Self.file(document, ["story/description": german])
            #expect(file.units[1].source == source)
            let change = try document.change(by: file, name: "de.po")
            #expect(change.remarks.isEmpty, "\(change.remarks)")
            let bytes = try #require(change.bytes)
            let again = try TranslatableDocument(bytes, as: format, name: "again")
            #expect(try again.file(into: "de").units[1].translation == german)
            #expect(try again.change(by: try again.file(into: "de"), name: "de.po").bytes == nil)
            // A link that was forgotten is told, with its line.
            var forgotten = try Self.file(document, ["story/description": "Läute."])
            forgotten.units[1].line = 7
            let remarks = try document.change(by: forgotten, name: "de.po").remarks
            #expect(
                remarks.map(\.message) == [
                    "the translation of 'story/description' has no link, its source 1",
                    "the translation of 'story/description' has no list, its source 1",
                ])
            #expect(remarks.map(\.line) == [7, 7])
        }
    }

    // MARK: Merging

    private static let half = xml.replacing(
        "</chapter>\n",
        with: """
            </chapter>
              <translation language="de">
                <text key="story/name" hash="0123456789ab">Alte Glocken</text>
                <text key="chapter/c/name">Stadt</text>
              </translation>

            """)

    @Test func translationsOfOlderSourcesAreFuzzy() throws {
        let document = try Self.document(Self.half)
        let file = try document.file(into: "de")
        #expect(file.units.map(\.isFuzzy) == [true, false, false, false, false])
        #expect(file.units.map(\.translation) == ["Alte Glocken", nil, "Stadt", nil, nil])
        #expect(file.units.map(\.hash?.count) == [12, 12, 12, 12, 12] && file.units[0].hash == Self.hashes.name)
        #expect(
            file.units[0].notes == ["Name of the story", "Without markup"] && file.units[0].reference == "s.xml:4")
        #expect(
            file.units[3].notes == [
                "Question of the lockbox",
                "Chapter \u{201C}Town\u{201D} (c) \u{203A} lockbox \u{201C}When?\u{201D} (l)",
                "With markup (CommonMark)",
            ])
        #expect(file.units[4].isList && file.units[4].source == "1772\nMDCCLXXII")
    }

    private static func merged(_ edit: (inout TranslationFile.Unit) -> Void) throws -> [Translation.Entry] {
        let document = try document(half)
        var file = try document.file(into: "de")
        edit(&file.units[0])
        let change = try document.change(by: file, name: "de.po")
        let bytes = change.bytes ?? document.bytes
        return try #require(try StoryDocument.read(bytes, as: .xml).story).translations[0].entries
    }

    @Test func reviewedTranslationsAreCurrentAndDoubtfulOnesAreNot() throws {
        // The translator found that it still fits.
        #expect(try Self.merged { $0.isFuzzy = false }[0].hash == Self.hashes.name)
        #expect(try Self.merged { _ in }[0].hash == "0123456789ab")
        // Another text that is still in doubt keeps the hash of its source.
        let doubtful = try Self.merged { $0.translation = "Neue Glocken" }[0]
        #expect(doubtful.hash == "0123456789ab" && doubtful.value == .plain("Neue Glocken"))
        let previous = try Self.merged {
            $0.translation = "Neue Glocken"
            $0.previousSource = "Town"
        }
        #expect(previous[0].hash == Self.hashes.town)
        // A file whose tool has lost the hash was made of the source that it has.
        let lost = try Self.merged {
            $0.isFuzzy = false
            $0.hash = nil
            $0.source = "Town"
        }
        #expect(lost[0].hash == Self.hashes.town)
        // One that is in doubt about today's source has no source's hash.
        let document = try Self.document(Self.xml)
        var file = try Self.file(document, ["chapter/c/name": "Stadt"])
        for index in file.units.indices { file.units[index].isFuzzy = file.units[index].translation != nil }
        let change = try document.change(by: file, name: "de.po")
        #expect(change.progress?.outOfDate == 1)
        // What the file does not mention stays.
        #expect(try Self.merged { $0.translation = nil }.map(\.key) == ["story/name", "chapter/c/name"])
    }

    @Test func whatIsGoneIsToldAndWhatMovedIsFollowed() throws {
        let texts = ["One.", "Two."]
        func document(_ texts: [String], _ more: String = "") throws -> TranslatableDocument {
            let items = texts.map { "<text>\($0)</text>" }.joined()
            let event = StorySamples.event("e", content: "<scrapbook>\(items)</scrapbook>")
            return try Self.document(StorySamples.chapter(event).replacing("</story>", with: "\(more)</story>"))
        }
        var file = try Self.file(
            try document(texts), ["event/e/scrapbook/1/text": "Eins.", "event/e/scrapbook/2/text": "Zwei."])
        file.units[1].key = "event/gone/name"
        file.units[1].translation = "Weg"
        file.units[1].line = 12
        // An item was put in while the file was away.
        let new = try document(["New.", "One.", "Two."])
        let change = try new.change(by: file, name: "de.po")
        let entries = try Self.story(of: change).translations[0]
            .entries
        #expect(entries.map(\.key) == ["event/e/scrapbook/2/text", "event/e/scrapbook/3/text"])
        #expect(change.remarks.map(\.message) == ["the story has no 'event/gone/name' any more; it is left out"])
        #expect(change.remarks.map(\.line) == [12] && change.added == 2)
        // Entries that moved in the document get the keys of their fields when anything changes.
        let moved = """
            <translation language="de"><text key="event/e/scrapbook/1/text" hash="70277bfc409b">Eins.</text>\
            <text key="event/e/scrapbook/2/text" hash="1eb32d1ee445">Zwei.</text></translation>
            """
        let shifted = try document(["New.", "One.", "Two."], moved)
        #expect(try shifted.change(by: try shifted.file(into: "de"), name: "de.po").bytes == nil)
        let changed = try shifted.change(
            by: try Self.file(shifted, ["event/e/scrapbook/1/text": "Neu."]), name: "de.po")
        let found = try Self.story(of: changed).translations[0]
        #expect(found.entries.map(\.key) == (1...3).map { "event/e/scrapbook/\($0)/text" })
        #expect(found.entries.map { "\($0.value)" }.map { $0.contains("Neu") } == [true, false, false])
    }

    @Test func wrongFilesAreRefused() throws {
        let document = try Self.document(Self.xml)
        #expect { try document.file(into: "de_AT") } throws: {
            ($0 as? MediaError)?.reason == "is not a language tag"
        }
        #expect { try document.file(into: "EN") } throws: {
            ($0 as? MediaError)?.reason == "is the story's own language"
        }
        var file = try Self.file(document, Self.texts)
        file.language = "en"
        #expect { try document.change(by: file, name: "en.po") } throws: {
            ($0 as? MediaError)?.reason == "is a translation into 'en', the story's own language"
        }
        let broken = try Self.file(document, ["story/description": "[x](javascript:alert)"])
        #expect { try document.change(by: broken, name: "de.po") } throws: {
            ($0 as? MediaError)?.reason.hasPrefix("the translation of 'story/description' has a link to") == true
        }
        // A document with errors is not changed.
        #expect(throws: MediaError.self) { try Self.document("<story/>") }
    }
}
