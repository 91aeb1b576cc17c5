import TestSupport
import Testing
import WayreelCore
import WayreelStory

/// Translators' files: fixtures that are written by hand from the specifications, and texts that are hard to write.
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

    @Test(
        "A file has the bytes that the specification of its format gives it",
        arguments: [
            (TranslationFormat.po, "de.po"), (.xliff, "de-1.2.xlf"), (.xliff2, "de-2.0.xlf"), (.csv, "de.csv"),
        ])
    func expectedBytes(format: TranslationFormat, name: String) throws {
        let expected = try Fixture.bytes(StorySamples.path(name))
        let bytes = Self.sample.bytes(as: format)
        #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
        #expect(bytes == expected)
        let file = try read(bytes, name, language: nil)
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
