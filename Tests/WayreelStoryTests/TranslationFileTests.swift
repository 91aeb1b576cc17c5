import Testing
import WayreelCore
import WayreelStory

/// Translators' files: what is written by hand from the specifications, and texts that are hard to write.
@Suite struct TranslationFileTests {
    private static func file(_ units: [TranslationFile.Unit]) -> TranslationFile {
        TranslationFile(story: "tour", sourceLanguage: "en", language: "de-AT", units: units)
    }

    /// Units of all kinds.
    private static let sample = file([
        TranslationFile.Unit(
            key: "event/bell/name", hash: "3fa9c1d20b7e", source: "The \"great\" bell", translation: "Die große Glocke",
            notes: ["Name of an event", "Picture: images/bell.jpg"], reference: "story.xml:12", maxLength: 40,
            translatorComments: ["Ask the sexton; it's \"Pummerin\""]),
        TranslationFile.Unit(
            key: "event/bell/description", hash: "12345e678901",
            source: "Ring **once**.\n\n- then [look up](https://example.org/a;b)\n- wait",
            translation: "Läute **einmal**.\n\n- dann [schau hinauf](https://example.org/a;b)\n- warte", isFuzzy: true,
            reference: "my story.xml:14", previousSource: "Ring **twice**.\n\nWait"),
        TranslationFile.Unit(
            key: "lockbox/year/answers", hash: "0a0b0c0d0e0f", source: "1772\nseventeen seventy-two", isList: true),
    ])

    private func read(
        _ text: String, _ name: String, language: String? = "de-AT"
    ) throws(MediaError) -> TranslationFile {
        try read(Array(text.utf8), name, language: language)
    }

    private func read(
        _ bytes: [UInt8], _ name: String, language: String? = "de-AT"
    ) throws(MediaError) -> TranslationFile {
        var file = try TranslationFile.read(bytes, name: name, story: "tour", sourceLanguage: "en", language: language)
        for index in file.units.indices { file.units[index].line = nil }
        return file
    }

    // MARK: The formats

    private static let po = #"""
        msgid ""
        msgstr ""
        "Project-Id-Version: tour\n"
        "PO-Revision-Date: \n"
        "Last-Translator: \n"
        "Language-Team: \n"
        "Language: de_AT\n"
        "MIME-Version: 1.0\n"
        "Content-Type: text/plain; charset=UTF-8\n"
        "Content-Transfer-Encoding: 8bit\n"
        "X-Source-Language: en\n"
        "X-Wayreel-Story: tour\n"

        # Ask the sexton; it's "Pummerin"
        #. Name of an event
        #. Picture: images/bell.jpg
        #. At most 40 characters
        #. Hash: 3fa9c1d20b7e
        #: event/bell/name story.xml:12
        msgctxt "event/bell/name"
        msgid "The \"great\" bell"
        msgstr "Die große Glocke"

        #. Hash: 12345e678901
        #: event/bell/description ⁨my story.xml⁩:14
        #, fuzzy
        #| msgid ""
        #| "Ring **twice**.\n"
        #| "\n"
        #| "Wait"
        msgctxt "event/bell/description"
        msgid ""
        "Ring **once**.\n"
        "\n"
        "- then [look up](https://example.org/a;b)\n"
        "- wait"
        msgstr ""
        "Läute **einmal**.\n"
        "\n"
        "- dann [schau hinauf](https://example.org/a;b)\n"
        "- warte"

        #. One item in each line
        #. Hash: 0a0b0c0d0e0f
        #: lockbox/year/answers
        msgctxt "lockbox/year/answers"
        msgid ""
        "1772\n"
        "seventeen seventy-two"
        msgstr ""

        """#

    private static let xliff = """
        <?xml version="1.0" encoding="UTF-8"?>
        <xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
          <file original="wayreel:tour" source-language="en" target-language="de-AT" datatype="plaintext">
            <body>
              <trans-unit id="event/bell/name" xml:space="preserve" approved="yes" maxwidth="40" size-unit="char">
                <source>The "great" bell</source>
                <target state="translated">Die große Glocke</target>
                <context-group purpose="location">
                  <context context-type="sourcefile">event/bell/name</context>
                </context-group>
                <context-group purpose="location">
                  <context context-type="sourcefile">story.xml</context>
                  <context context-type="linenumber">12</context>
                </context-group>
                <note from="developer">Name of an event</note>
                <note from="developer">Picture: images/bell.jpg</note>
                <note from="developer">At most 40 characters</note>
                <note from="developer">Hash: 3fa9c1d20b7e</note>
                <note from="translator">Ask the sexton; it's "Pummerin"</note>
              </trans-unit>
              <trans-unit id="event/bell/description" xml:space="preserve" approved="no">
                <source>Ring **once**.

        - then [look up](https://example.org/a;b)
        - wait</source>
                <target state="needs-review-translation">Läute **einmal**.

        - dann [schau hinauf](https://example.org/a;b)
        - warte</target>
                <alt-trans alttranstype="previous-version" origin="previous">
                  <source>Ring **twice**.

        Wait</source>
                  <target>Läute **einmal**.

        - dann [schau hinauf](https://example.org/a;b)
        - warte</target>
                </alt-trans>
                <context-group purpose="location">
                  <context context-type="sourcefile">event/bell/description</context>
                </context-group>
                <context-group purpose="location">
                  <context context-type="sourcefile">my story.xml</context>
                  <context context-type="linenumber">14</context>
                </context-group>
                <note from="developer">Hash: 12345e678901</note>
              </trans-unit>
              <trans-unit id="lockbox/year/answers" xml:space="preserve" approved="no">
                <source>1772
        seventeen seventy-two</source>
                <target/>
                <context-group purpose="location">
                  <context context-type="sourcefile">lockbox/year/answers</context>
                </context-group>
                <note from="developer">One item in each line</note>
                <note from="developer">Hash: 0a0b0c0d0e0f</note>
              </trans-unit>
            </body>
          </file>
        </xliff>

        """

    private static let xliff2 = """
        <?xml version="1.0" encoding="UTF-8"?>
        <xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de-AT">
          <file id="story" original="wayreel:tour" xml:space="preserve">
            <unit id="event:bell:name" name="event/bell/name">
              <notes>
                <note category="developer">Name of an event</note>
                <note category="developer">Picture: images/bell.jpg</note>
                <note category="developer">At most 40 characters</note>
                <note category="developer">Hash: 3fa9c1d20b7e</note>
                <note category="translator">Ask the sexton; it's "Pummerin"</note>
                <note category="location">story.xml:12</note>
              </notes>
              <segment state="translated">
                <source>The "great" bell</source>
                <target>Die große Glocke</target>
              </segment>
            </unit>
            <unit id="event:bell:description" name="event/bell/description">
              <notes>
                <note category="developer">Hash: 12345e678901</note>
                <note category="location">my story.xml:14</note>
                <note category="previous-source">Ring **twice**.

        Wait</note>
              </notes>
              <segment state="initial">
                <source>Ring **once**.

        - then [look up](https://example.org/a;b)
        - wait</source>
                <target>Läute **einmal**.

        - dann [schau hinauf](https://example.org/a;b)
        - warte</target>
              </segment>
            </unit>
            <unit id="lockbox:year:answers" name="lockbox/year/answers">
              <notes>
                <note category="developer">One item in each line</note>
                <note category="developer">Hash: 0a0b0c0d0e0f</note>
              </notes>
              <segment>
                <source>1772
        seventeen seventy-two</source>
              </segment>
            </unit>
          </file>
        </xliff>

        """

    /// Rows end in CR LF, cells have line feeds.
    private static let csv = [
        "\u{FEFF}key (tour),where,source (en),translation (de-AT),state,hash,reference,previous source,comment",
        "event/bell/name,\"Name of an event\nPicture: images/bell.jpg\nAt most 40 characters\","
            + "\"The \"\"great\"\" bell\",Die große Glocke,translated,3fa9c1d20b7e,story.xml:12,,"
            + "\"Ask the sexton; it's \"\"Pummerin\"\"\"",
        "event/bell/description,,\"Ring **once**.\n\n- then [look up](https://example.org/a;b)\n- wait\","
            + "\"Läute **einmal**.\n\n- dann [schau hinauf](https://example.org/a;b)\n- warte\",needs review,"
            + "'12345e678901,my story.xml:14,\"Ring **twice**.\n\nWait\",",
        "lockbox/year/answers,One item in each line,\"'1772\nseventeen seventy-two\",,untranslated,0a0b0c0d0e0f,,,",
    ].map { $0 + "\r\n" }.joined()

    @Test(
        "A file has the bytes that the specification of its format gives it",
        arguments: [
            (TranslationFormat.po, po), (.xliff, xliff), (.xliff2, xliff2), (.csv, csv),
        ])
    func expectedBytes(format: TranslationFormat, expected: String) throws {
        let bytes = Self.sample.bytes(as: format)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
        let file = try read(bytes, "de.\(format == .csv ? "csv" : format == .po ? "po" : "xlf")", language: nil)
        #expect(file == Self.sample)
        #expect(file.bytes(as: format) == bytes)
    }

    private static let awkward = [
        "\"", "\\", "\\n", "a\\\"b", "tab\there", "two\nlines", "a\n\n\nb", "\ta", " a ", "a\n", "\na", "'", "''=1",
        "'=1+1", "=1+1",
        "+49 1", "-5", "- item\n- item", "@import", "=HYPERLINK(\"https://example.org\";\"x\")", "a;b,c\td", "007",
        "1/2",
        "1e5", "'90s", "'68 revolt", "12:30", "(5)", "$5", "\u{FF1D}1", "<a href=\"x\">&amp;</a>", "]]>", "<!--",
        "مرحبا \"بالعالم\"", "שלום; עולם", "\u{202B}rtl\u{202C}", "👩‍👩‍👧‍👦🏳️‍🌈", "e\u{301}é", "\u{2028}a\u{2029}b\u{85}c",
        "a\u{A0}b", "\u{FEFF}a",
        "msgid \"x\"", "# comment", "Hash: abc", "%s %d {name}", "漢字かな交じり文", "\"\u{301}", ",\u{301}", "sep=;",
        String(repeating: "Long texts are broken into lines of eighty columns. ", count: 40),
        String(repeating: "長い文は八十桁で折り返される。", count: 20), String(repeating: "x", count: 300),
        String(repeating: "\\\"", count: 100), String(repeating: "a-b/c…d—e ", count: 40),
    ]

    @Test("Texts that are hard to write come back as they were", arguments: TranslationFormat.allCases)
    func awkwardTexts(format: TranslationFormat) throws {
        let units = Self.awkward.enumerated().map { index, text in
            TranslationFile.Unit(
                key: "event/e\(index)/name", source: text, translation: text, isFuzzy: index % 2 == 0,
                previousSource: index % 3 == 0 ? text : nil)
        }
        let file = Self.file(units)
        let bytes = file.bytes(as: format)
        let back = try read(bytes, "de.\(format == .xliff || format == .xliff2 ? "xlf" : format.rawValue)")
        for (unit, other) in zip(units, back.units) {
            #expect(Array(other.source.utf8) == Array(unit.source.utf8), "\(unit.source.debugDescription)")
            #expect(
                Array(other.translation?.utf8 ?? "".utf8) == Array(unit.source.utf8), "\(unit.source.debugDescription)")
        }
        #expect(back == file)
        #expect(back.bytes(as: format) == bytes)
    }
}
