import Testing
import WayreelCore
import WayreelStory

/// Translators' files as other programs write them, and damaged ones.
@Suite struct TranslationReadingTests {
    private func read(
        _ bytes: [UInt8], _ name: String, language: String? = nil
    ) throws(MediaError) -> TranslationFile {
        try TranslationFile.read(bytes, name: name, story: "tour", sourceLanguage: "en", language: language)
    }

    private func read(_ text: String, _ name: String, language: String? = nil) throws(MediaError) -> TranslationFile {
        try read(Array(text.utf8), name, language: language)
    }

    private func message(_ bytes: [UInt8], _ name: String, language: String? = "de") -> String {
        do throws(MediaError) {
            _ = try read(bytes, name, language: language)
            return "no error"
        } catch { return error.description }
    }

    /// UTF-16 as Excel writes it.
    private static func utf16(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xFE]
        for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        return bytes
    }

    private static let header = #"""
        msgid ""
        msgstr "Language: de\nContent-Type: text/plain; charset=UTF-8\n"


        """#

    // MARK: PO

    /// Comments, flags, strings in parts and escapes, as the manual of GNU gettext describes them, with CR LF.
    @Test func entriesOfPO() throws {
        let text =
            Self.header + #"""
                #  Two spaces
                #
                #.At most 12 characters
                #. Note
                #: src/a.c:1 ⁨my story.xml⁩:7 item/bell/name
                #, c-format, fuzzy
                #| msgctxt "old"
                #| msgid "Be"
                #| "fore"
                msgctxt "item/bell/name"
                msgid "a" 
                  "\tb\n"
                msgstr "\303\244\x2e\"\\"

                # This comment goes with the obsolete entry.
                #~ msgctxt "item/gone/name"
                #~ msgid "x"
                #~ msgstr "y"

                #~| msgid "z"
                msgctxt "item/bell/text"
                msgid "c"
                msgstr ""
                """#
        let file = try read(text.replacing("\n", with: "\r\n"), "a.po")
        #expect(file.language == "de")
        #expect(
            file.units == [
                TranslationFile.Unit(
                    key: "item/bell/name", source: "a\tb\n", translation: "ä.\"\\", isFuzzy: true, notes: ["Note"],
                    reference: "src/a.c:1", maxLength: 12, previousSource: "Before",
                    translatorComments: [" Two spaces", ""], line: 13),
                TranslationFile.Unit(key: "item/bell/text", source: "c", line: 24),
            ])
    }

    @Test(
        "Headers have languages by the names of gettext, and may lack all",
        arguments: [
            (#"Language: pt_BR\n"#, "pt-BR"), (#"language:sr@latin\n"#, "sr-Latn"),
            (#"Language: de_AT.UTF-8\n"#, "de-AT"),
            (#"Language: zh_Hant_TW\n"#, "zh-Hant-TW"), (#"Content-Type: text/plain; charset=CHARSET\n"#, "fr"),
            ("", "fr"),
        ])
    func headers(header: String, language: String) throws {
        let text = "msgid \"\"\nmsgstr \"\(header)\"\n\nmsgctxt \"story/name\"\nmsgid \"a\"\nmsgstr \"b\"\n"
        let file = try read(text, "a.po", language: header.lowercased().hasPrefix("language") ? nil : "fr")
        #expect(file.language == language)
        #expect(try read(text, "-", language: language).units.map(\.translation) == ["b"])
    }

    private static let entry = "msgctxt \"story/name\"\nmsgid \"a\"\nmsgstr \"b\"\n"

    @Test(
        "Damaged PO is an error with its line",
        arguments: [
            (entry + "\n" + entry, "a.po:8: story: there are two translations of story/name, the other one in line 4"),
            (
                "msgctxt \"story/name\"\nmsgid \"a\"\nmsgstr \"b",
                "a.po:6: story: there is no string between two quotation marks"
            ),
            ("msgctxt \"story/name\"\nmsgid a\n", "a.po:5: story: there is no string between two quotation marks"),
            (
                "msgctxt \"story/name\"\nmsgid \"a\"b\"\n",
                "a.po:5: story: there is a quotation mark in a string; write \\\" for it"
            ),
            (
                "msgctxt \"story/name\"\nmsgid \"\\q\"\n",
                "a.po:5: story: there is a backslash that is no escape; write \\\\ for a backslash"
            ),
            ("msgctxt \"story/name\"\nmsgid \"\\777\"\n", "a.po:5: story: there is a backslash that is no escape"),
            (
                "msgctxt \"story/name\"\nmsgid \"\\377\"\nmsgstr \"b\"\n",
                "a.po:4: story: escapes of the text are not UTF-8"
            ),
            ("msgctxt \"story/name\"\nmsgid \"a\"\n", "a.po:4: story: the text has no msgstr"),
            ("msgctxt \"story/name\"\n", "a.po:4: story: the text has no msgid"),
            ("msgstr \"b\"\n", "a.po:4: story: 'msgstr' is out of place"),
            (
                "msgid \"a\"\nmsgid_plural \"as\"\nmsgstr[0] \"b\"\n",
                "a.po:5: story: there are plural forms; texts of stories have none"
            ),
            ("key = value\n", "a.po:4: story: 'key = value' is neither a comment nor a keyword nor a string"),
            (
                "#: src/main.c:12\nmsgid \"a\"\nmsgstr \"b\"\n",
                "a.po:5: story: 'src/main.c:12' is not the key of a text of a story"
            ),
            ("msgid \"a\"\nmsgstr \"b\"\n", "a.po:4: story: the text has no key"),
            (
                "msgctxt \"story/name\"\nmsgid \"a\"\nmsgstr \"b\\033\"\n",
                "a.po:4: story: story/name has the control character U+001B; remove it"
            ),
            (
                "msgctxt \"story/name\"\nmsgid \"a\"\nmsgstr \"\(String(repeating: "é", count: 100_001))\"\n",
                "a.po:4: story: story/name has more than 100000 characters"
            ),
            ("#, fuzzy\0\n", "a.po:4: story: there is a NUL character; save it as UTF-8"),
            ("", "a.po: story: there are no texts in it"),
        ])
    func damagedPO(text: String, expected: String) {
        #expect(message(Array((Self.header + text).utf8), "a.po").hasPrefix(expected))
    }

    @Test(
        "A file of another story or language is refused",
        arguments: [
            (#"X-Wayreel-Story: walk\n"#, "a.po:1: story: is a translation of the story 'walk', not of 'tour'"),
            (#"Language: fr\n"#, "a.po:1: story: is a translation to the language 'fr', not to 'de'"),
            (
                #"X-Source-Language: it\n"#,
                "a.po:1: story: is a translation from the language 'it'; the story's is 'en'"
            ),
            (
                #"Language: deutsch!\n"#,
                "a.po:1: story: 'deutsch!' is not a language tag; write one such as de or de-AT"
            ),
            (
                #"Content-Type: text/plain; charset=ISO-8859-15\n"#,
                "a.po:1: story: is said to be in the character set iso-8859-15"
            ),
            (#"X-Source-Language: en_GB\n"#, "no error"),
        ])
    func others(header: String, expected: String) {
        let text = "msgid \"\"\nmsgstr \"\(header)\"\n\n" + Self.entry
        #expect(message(Array(text.utf8), "a.po").hasPrefix(expected))
    }

    @Test func bytesOfOtherEncodings() throws {
        let text = Self.header + Self.entry.replacing("\"b\"", with: "\"ä\"")
        let latin = text.unicodeScalars.map { UInt8($0.value) }
        #expect(message(latin, "a.po").hasPrefix("a.po:6: story: is not UTF-8; save it as UTF-8"))
        #expect(message(Array("\"b\"".utf8), "a.po") == "a.po:1: story: there is a string without a keyword")
        #expect(try read(Self.utf16(text), "a.po").units.map(\.translation) == ["ä"])
        #expect(try read([0xEF, 0xBB, 0xBF] + Array(text.utf8), "a").units.map(\.translation) == ["ä"])
        for name in ["a.po", "a.csv", "a.xlf", "a"] {
            #expect(message([], name) == "\(name): story: there is nothing in it")
            #expect(message([0xEF, 0xBB, 0xBF, 0x0A], name) == "\(name): story: there is nothing in it")
        }
    }

    @Test func theNumberOfTextsAndBytesIsLimited() {
        var text = ""
        for index in 0...100_000 { text += "msgctxt \"a/\(index)\"\nmsgid \"\"\nmsgstr \"\"\n" }
        #expect(message(Array(text.utf8), "a.po") == "a.po:300001: story: there are more than 100000 texts")
        #expect(
            message([UInt8](repeating: 0x0A, count: 16 << 20 + 1), "a.po")
                == "a.po: story: 16777217 bytes are more than a file of translations may have, 16777216; make several "
                + "files of it: texts that a file does not have stay as they are")
    }

    /// An empty line of two bytes takes sixteen.
    @Test func theNumberOfCommentsIsLimited() {
        let comments = String(repeating: "#\n", count: 9990)
        var text = ""
        for index in 0...101 { text += comments + "msgctxt \"a/\(index)\"\nmsgid \"\"\nmsgstr \"\"\n" }
        #expect(message(Array(text.utf8), "a.po").hasSuffix("story: there are more than 1000000 lines of comments"))

        let many = String(repeating: "\n", count: 10_001)
        let limit = "story: there are more than 10000 comments of a text"
        let table = "key,translation,comment\na/1,b,\"\(many)\"\n"
        #expect(message(Array(table.utf8), "a.csv") == "a.csv:2: \(limit)")
        let notes = String(repeating: "<note>\n</note>", count: 10_001)
        let unit = "<trans-unit id='a/1'><source>a</source>\(notes)</trans-unit>"
        #expect(message(Array(Self.one(unit).utf8), "a.xlf").hasSuffix(limit))
    }

    @Test func theNumberOfSegmentsIsLimited() {
        let segments = String(repeating: "<segment/>", count: 10_001)
        let text = """
            <xliff version='2.0' xmlns='urn:oasis:names:tc:xliff:document:2.0' srcLang='en' trgLang='de'>
            <file id='f'><unit id='1' name='a/1'>\(segments)</unit></file></xliff>
            """
        #expect(
            message(Array(text.utf8), "a.xlf") == "a.xlf:2: story: there are more than 10000 segments of a text")
    }

    // MARK: XLIFF

    private static func one(_ units: String, _ file: String = "target-language='de'") -> String {
        """
        <xliff version='1.2' xmlns='urn:oasis:names:tc:xliff:document:1.2'>
        <file original='x' source-language='en' datatype='plaintext' \(file)><header><note>n</note></header><body>
        \(units)
        </body></file></xliff>
        """
    }

    private static func attributes(_ count: Int) -> String {
        (0..<count).map { "a\($0)='1'" }.joined(separator: " ")
    }

    /// What is no attribute is not counted: in texts, values, comments, sections and instructions.
    @Test func manyEqualsSignsAreNoAttributes() throws {
        let signs = String(repeating: "= '\"", count: 400)
        let value = String(repeating: "=&lt;", count: 400)
        let target = "<target>b<![CDATA[<a \(signs)]]></target>"
        let unit = "<trans-unit id='story/name' a='\(value)'><source>a</source>\(target)</trans-unit>"
        let text = Self.one("<!-- <a \(signs) -->\n<?x <a \(signs)?>\(unit)\n")
        #expect(try read(text, "a.xlf").units.map(\.translation) == ["b<a \(signs)"])
        let many = Self.one("<trans-unit \(Self.attributes(255)) id='story/name'><source>a</source></trans-unit>")
        #expect(try read(many, "a.xlf").units.count == 1)
    }

    private static func two(_ units: String) -> String {
        """
        <xliff version='2.1' srcLang='en' trgLang='de' xmlns='urn:oasis:names:tc:xliff:document:2.0'
            xmlns:mtc='urn:oasis:names:tc:xliff:matches:2.0'>
        <file id='f'><notes><note>n</note></notes><group id='g'>
        \(units)
        </group></file></xliff>
        """
    }

    /// Inline elements that other tools put around markup (XLIFF 1.2, section 2.4; 2.0, section 4.3).
    @Test func inlineElementsAreTheirText() throws {
        let old = try read(
            Self.one(
                """
                <group><trans-unit id='12' resname='story/description'><source>
                  <g id='1'>Ring</g> <bpt id='2'>**</bpt>it<ept id='2'>**</ept></source>
                <seg-source><mrk mtype='seg' mid='0'>no</mrk></seg-source>
                <target><mrk mtype='seg' mid='0'><bpt id='2'>**</bpt>Läute<ept id='2'>**</ept>,</mrk><x id='3'
                  equiv-text=' *'/><ph id='4'>jetzt<sub>!</sub></ph><it id='5' pos='close'>*</it></target>
                <alt-trans><target>no</target></alt-trans></trans-unit></group>
                """), "a.xliff")
        #expect(old.units.map(\.source) == ["Ring **it**"])
        #expect(old.units.map(\.translation) == ["**Läute**, *jetzt!*"])
        #expect(old.units.map(\.translatorComments) == [[]])
        let new = try read(
            Self.two(
                """
                <unit id='u1' name='story/description'>
                <mtc:matches><mtc:match ref='#1'><source>no</source><target>no</target></mtc:match></mtc:matches>
                <originalData><data id='d1'>**</data><data id='d2'>](<cp hex='0068'/>ttps://a.b/)</data></originalData>
                <segment><source xml:space='preserve'>a </source><target><pc id='1' dataRefStart='d1'
                  dataRefEnd='d1'>L<mrk id='m' type='term'>ä</mrk>ute</pc>, <sc id='2' equiv='['/>hier<ec startRef='2'
                  dataRef='d2'/><ph id='3' equiv='!'/></target></segment></unit>
                """), "a.xlf")
        #expect(new.units.map(\.source) == ["a "])
        #expect(new.units.map(\.translation) == ["**Läute**, [hier](https://a.b/)!"])
    }

    /// Segments of XLIFF 2 (section 4.2.2.5): those without a target keep the source, which has to be looked at.
    @Test func segmentsAreOneText() throws {
        func unit(_ content: String) throws -> TranslationFile.Unit {
            try #require(
                try read(Self.two("<unit id='story:name' xml:space='preserve'>\(content)</unit>"), "a").units.first)
        }
        let whole = try unit(
            """
            <segment state='final'><source>One.</source><target>Eins.</target></segment>
            <ignorable><source> </source></ignorable>
            <segment state='translated'><source>Two.</source><target>Zwei.</target></segment>
            """)
        #expect((whole.key, whole.source, whole.translation) == ("story/name", "One. Two.", "Eins. Zwei."))
        #expect(!whole.isFuzzy)
        let part = try unit(
            """
            <segment><source>One.</source><target>Eins.</target></segment><segment><source>Two.</source></segment>
            """)
        #expect((part.translation, part.isFuzzy) == ("Eins.Two.", true))
        let swapped = try unit(
            """
            <segment><source>A</source><target order='2'>a</target></segment>
            <segment><source>B</source><target order='1'>b</target></segment>
            """)
        #expect((swapped.source, swapped.translation, swapped.isFuzzy) == ("AB", "ba", false))
        #expect(try unit("<segment><source>A</source></segment>").translation == nil)
    }

    @Test(
        "States say whether a translation has to be looked at",
        arguments: [
            ("", false), ("state='translated'", false), ("state='final'", false), ("state='signed-off'", false),
            ("state='needs-review-translation'", true), ("state='needs-translation'", true), ("state='new'", true),
            ("state='translated' state-qualifier='fuzzy-match'", true), ("state='x-mine'", false),
        ])
    func states(attributes: String, isFuzzy: Bool) throws {
        let unit = "<trans-unit id='story/name'><source>a</source><target \(attributes)>b</target></trans-unit>"
        #expect(try read(Self.one(unit), "a.xlf").units.map(\.isFuzzy) == [isFuzzy])
        let empty = "<trans-unit id='story/name'><source>a</source><target \(attributes)/></trans-unit>"
        #expect(try read(Self.one(empty), "a.xlf").units.map(\.isFuzzy) == [false])
    }

    private static let unit = "<trans-unit id='story/name'><source>a</source><target>b</target></trans-unit>"

    @Test(
        "Damaged XLIFF is an error with its line",
        arguments: [
            ("<!DOCTYPE x [<!ENTITY a 'b'>]>" + one(unit), "a.xlf:1: story: there is a document type declaration"),
            (
                one(unit + "\n" + unit),
                "a.xlf:4: story: there are two translations of story/name, the other one in line 3"
            ),
            (one(unit).replacing("1.2'", with: "3.0'"), "a.xlf:1: story: has the XLIFF version '3.0'"),
            ("<a/>", "a.xlf:1: story: is not XLIFF: its first element is <a>"),
            ("<xliff xmlns='urn:x' version='1.2'/>", "a.xlf:1: story: is not XLIFF: its first element is <xliff> of"),
            (String(one(unit).dropLast(8)), "a.xlf:4: story: Premature end of data"),
            (one(unit).replacing(">b<", with: ">&nbsp;<"), "a.xlf:3: story: Entity 'nbsp' not defined"),
            (one(unit).replacing("story/name", with: "17"), "a.xlf:3: story: '17' is not the key of a text of a story"),
            (one("<trans-unit/>"), "a.xlf:3: story: the text has no key"),
            (one(""), "a.xlf: story: there are no texts in it"),
            (one(unit, "target-language='1'"), "a.xlf:2: story: '1' is not a language tag"),
            (
                one(unit).replacing("original='x'", with: "original='wayreel:walk'"),
                "a.xlf:2: story: is a translation of the story 'walk', not of 'tour'"
            ),
            (
                String(repeating: "<xliff version='1.2'>", count: 100),
                "a.xlf:1: story: there are too many elements, or nested"
            ),
            (
                one(unit.replacing(">b<", with: ">\(String(repeating: "x", count: 400_001))<")),
                "a.xlf:3: story: a text has more than 100000 characters"
            ),
            ("msgid \"a\"", "a.xlf:1: story: is not XML, which XLIFF is"),
            (
                two("<unit name='story/name'><segment><unit name='story/credits'/><source>a</source></segment></unit>"),
                "a.xlf:4: story: there is a <unit> in another one"
            ),
            (
                one(unit.replacing("</source>", with: "</source>\n<trans-unit id='story/credits'/>")),
                "a.xlf:4: story: there is a <trans-unit> in another one"
            ),
            (
                one("\n<trans-unit id='story/name' \(attributes(200_000))/>"),
                "a.xlf:4: story: a tag has more than 256 attributes"
            ),
            (
                // Elements that stand for 40 GB.
                two(
                    "<unit name='story/name'><originalData><data id='d'>\(String(repeating: "x", count: 200_000))</data>"
                        + "</originalData><segment><source>a</source><target>"
                        + String(repeating: "<ph dataRef='d'/><pc dataRefEnd='d'/>", count: 100_000)
                        + "</target></segment></unit>"), "a.xlf:4: story: a text has more than 100000 characters"
            ),
            (
                two("<segment><unit name='story/name'/><source>a</source></segment>"),
                "a.xlf: story: there are no texts in it"
            ),
        ])
    func damagedXLIFF(text: String, expected: String) {
        #expect(message(Array(text.utf8), "a.xlf").hasPrefix(expected))
    }

    // MARK: Tables

    @Test(
        "Tables are read by the names of their columns, as spreadsheets save them",
        arguments: [
            "key,translation,source\r\nstory/name,\"b;\"\"c\",a\r\n\r\n,,\r\n",
            "\u{FEFF}Source;Price;Translation (de);Key (tour)\na;7;\"b;\"\"c\";story/name\n",
            "\"source\";\"translation\";\"key\"\r\"a\";\"b;\"\"c\";\"story/name\"\r",
            "sep=;\nkey;translation;source;state\nstory/name;\"b;\"\"c\";a;Untranslated\n",
            "key\ttranslation\tsource\tstate\nstory/name\tb;\"c\ta\tneeds review",
        ])
    func tables(text: String) throws {
        for (name, bytes) in [
            ("a.csv", Array(text.utf8)), ("a", Array(text.utf8)),
            ("a.txt", Self.utf16(text)),
        ] {
            let unit = try #require(try read(bytes, name, language: "de").units.first)
            #expect((unit.key, unit.source, unit.translation) == ("story/name", "a", "b;\"c"))
            #expect(unit.isFuzzy == text.hasSuffix("review"))
        }
    }

    /// Cells that LibreOffice 7.4 and Excel would calculate or change, and how they come back from there.
    @Test(
        "No cell is a formula, a number or a date",
        arguments: [
            ("=1+1", "'=1+1"), ("+49 1", "'+49 1"), ("-5", "'-5"), ("@import", "'@import"), ("'=1", "''=1"),
            ("007", "'007"), ("1/2", "'1/2"), ("12345e678901", "'12345e678901"), ("5 May", "'5 May"),
            ("May 2026", "'May 2026"), ("(5)", "'(5)"), ("$5", "'$5"), ("\u{FF1D}1", "'\u{FF1D}1"),
            ("3fa9c1d20b7e", "3fa9c1d20b7e"), ("'90s", "'90s"), ("O'Brien", "O'Brien"), ("1st floor", "1st floor"),
            ("A house of 1772, with a garden", "\"A house of 1772, with a garden\""), (" =1", "\" =1\""),
        ])
    func cells(text: String, cell: String) throws {
        let file = TranslationFile(
            story: "tour", sourceLanguage: "en", language: "de",
            units: [TranslationFile.Unit(key: "story/name", source: "a", translation: text)])
        let written = String(decoding: file.bytes(as: .csv), as: UTF8.self)
        #expect(written.contains("story/name,,a,\(cell),translated,"))
        #expect(try read(written, "a.csv").units.map(\.translation) == [text])
        // The apostrophe is a mark of a spreadsheet that has not kept it.
        #expect(
            try read("key,translation\nstory/name,\"\(text)\"", "a.csv", language: "de").units.map(\.translation)
                == [text.hasPrefix("'=") ? "=1" : text])
    }

    @Test(
        "Damaged tables are errors with their line",
        arguments: [
            ("key,translation\nstory/name,\"b\n\n", "a.csv:2: story: there is a quotation mark without its partner"),
            (
                "key,translation\n\"a\nb\",c\nstory/name,\"b\"c\n",
                "a.csv:2: story: 'a\\nb' is not the key of a text of a story"
            ),
            (
                "key,translation\nstory/name,\"b\"c\n",
                "a.csv:2: story: there is text after the quotation mark that ends a cell"
            ),
            ("location,source,target\na,b,c\n", "a.csv:1: story: the first row does not name the columns 'key' and"),
            ("sep=;\na;b\n", "a.csv:2: story: the first row does not name the columns 'key' and 'translation'"),
            ("key,translation,Translation\na,b,c\n", "a.csv:1: story: there are two columns 'translation'"),
            (
                "key,translation\nstory/name,b,c\n",
                "a.csv:2: story: there are 3 cells in the row, and 2 in the first one"
            ),
            (
                "key,translation\nstory/name,\"a\nb\"\nstory/name,c\n",
                "a.csv:4: story: there are two translations of story/name, the other one in line 2"
            ),
            ("key,translation\n,b\n", "a.csv:2: story: the text has no key"),
            (
                "key,translation,state\nstory/name,b,maybe\n",
                "a.csv:2: story: 'maybe' is not a state; write 'translated', 'untranslated' or 'needs review'"
            ),
            ("key (walk),translation\nstory/name,b\n", "a.csv:1: story: is a translation of the story 'walk'"),
            ("key,translation (fr)\nstory/name,b\n", "a.csv:1: story: is a translation to the language 'fr'"),
            ("key,translation\n", "a.csv: story: there are no texts in it"),
            ("key,translation\nstory/name,a\0b\n", "a.csv:2: story: there is a NUL character"),
        ])
    func damagedTables(text: String, expected: String) {
        #expect(message(Array(text.utf8), "a.csv").hasPrefix(expected))
    }

    @Test func aFileWithoutALanguageNeedsOne() {
        let text = "key,translation\nstory/name,a\n"
        #expect(
            message(Array(text.utf8), "a.csv", language: nil)
                == "a.csv: story: does not say its language; name the language")
        #expect(message(Array(text.utf8), "a.csv", language: "de") == "no error")
    }

    // MARK: Language tags

    /// The examples of RFC 5646, appendix A, and of its section 2.1.1, and others.
    @Test func languageTags() {
        let good = """
            de fr ja i-enochian zh-Hant zh-Hans sr-Cyrl sr-Latn zh-cmn-Hans-CN cmn-Hans-CN zh-yue-HK yue-HK zh-Hans-CN
            sr-Latn-RS sl-rozaj sl-rozaj-biske sl-nedis de-CH-1901 sl-IT-nedis hy-Latn-IT-arevela de-DE en-US es-419
            de-CH-x-phonebk az-Arab-x-AZE-derbend x-whatever qaa-Qaaa-QM-x-southern de-Qaaa sr-Latn-QM sr-Qaaa-RS
            en-US-u-islamcal zh-CN-a-myext-x-private en-a-myext-b-another en-GB-oed sgn-BE-FR art-lojban zh-min-nan qps
            mn-Cyrl-MN MN-cYRL-mn
            """
        for tag in good.split(whereSeparator: \.isWhitespace) {
            #expect(LanguageTag.isWellFormed(String(tag)), "\(tag)")
        }
        let bad = """
            de-419-DE a-DE ar-a-aaa-b-bbb-a-ccc de_AT d de- -de de--AT x en-x 12 de-a-x german!
            en-a de-verylongsubtag é
            """
        for tag in bad.split(whereSeparator: \.isWhitespace) {
            #expect(!LanguageTag.isWellFormed(String(tag)), "\(tag)")
        }
        #expect(!LanguageTag.isWellFormed(""))
    }
}
