import TestSupport
import Testing
import WayreelCore
import WayreelStory

/// Translators' files in the tools of translators: GNU gettext and Translate Toolkit.
@Suite struct TranslationToolTests {
    private let folder = TemporaryFolder()

    private static let file = TranslationFile(
        story: "tour", sourceLanguage: "en", language: "de-AT",
        units: [
            TranslationFile.Unit(
                key: "event/bell/name", hash: "3fa9c1d20b7e", source: "The \"great\" bell",
                translation: "Die große Glocke",
                notes: ["Name of an event", "Picture: images/bell.jpg"], reference: "story.xml:12", maxLength: 40,
                translatorComments: ["Ask the sexton; it's \"Pummerin\""]),
            TranslationFile.Unit(
                key: "event/bell/description", hash: "12345e678901",
                source: "Ring **once**, and wait until nobody comes out of the tower (it takes a while). Then:\n\n"
                    + "- [look up](https://example.org/a/rather/long/address/of/a/page?with=all&its=parts)\n- wait",
                translation: "Läute **einmal**, und warte – bis niemand mehr aus dem Turm kommt (es dauert). Dann:\n\n"
                    + "- [schau hinauf](https://example.org/a/rather/long/address/of/a/page?with=all&its=parts)\n- warte",
                isFuzzy: true, reference: "story.xml:14", previousSource: "Ring **twice**.\n\nWait."),
            TranslationFile.Unit(
                key: "lockbox/year/answers", hash: "0a0b0c0d0e0f", source: "1772\nseventeen seventy-two", isList: true),
            TranslationFile.Unit(
                key: "item/bell/name", source: "Back\\slash \u{2028} مرحبا", reference: "story.xml:20"),
            TranslationFile.Unit(
                key: "item/again/name", source: "1772\nseventeen seventy-two",
                translation: "一七七二\n長い文は八十桁で折り返される。長い文は八十桁で折り返される。長い文は八十桁で折り返される。"),
        ])

    private func write(_ format: TranslationFormat, _ name: String, _ file: TranslationFile = file) throws -> String {
        let path = "\(folder.path)/\(name)"
        try OutputFile.write(file.bytes(as: format), to: path)
        return path
    }

    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let outcome = try Command(program, arguments).run()
        #expect(outcome.ending == .exited(0), "\(program): \(outcome.errors)")
        return outcome.text
    }

    /// Runs a converter of Translate Toolkit, and returns the path of its output.
    private func convert(_ tool: String, _ input: String, to name: String, _ options: [String] = []) throws -> String {
        let output = "\(folder.path)/\(name)"
        _ = try run(
            "\(References.folder)/\(tool)", ["--progress=none", "--errorlevel=traceback"] + options + [input, output])
        return output
    }

    /// Reads a file without the lines of its units.
    private func read(_ path: String, language: String? = nil) throws -> TranslationFile {
        var file = try TranslationFile.read(path: path, story: "tour", sourceLanguage: "en", language: language)
        for index in file.units.indices { file.units[index].line = nil }
        return file
    }

    /// The file without what a tool does not keep.
    private func without(_ change: (inout TranslationFile.Unit) -> Void) -> TranslationFile {
        var file = Self.file
        for index in file.units.indices { change(&file.units[index]) }
        return file
    }

    // MARK: GNU gettext

    /// The file with a reference that has spaces, which Translate Toolkit does not read.
    private static let spaced = {
        var file = TranslationToolTests.file
        file.units[1].reference = "my own story.xml:14"
        return file
    }()

    @Test func gettextHasNothingToSay() throws {
        let path = try write(.po, "a.po", Self.spaced)
        let outcome = try Command("/usr/bin/msgfmt", ["--check", "--verbose", "-o", "/dev/null", path]).run()
        #expect(outcome.errors == "2 translated messages, 1 fuzzy translation, 2 untranslated messages.\n")
        for arguments in [["msgcat"], ["msgattrib", "--no-obsolete"], ["msguniq"], ["msgconv", "-t", "UTF-8"]] {
            let text = try run("/usr/bin/\(arguments[0])", arguments.dropFirst() + [path])
            #expect(Array(text.utf8) == Self.spaced.bytes(as: .po), "\(arguments)")
        }
    }

    /// A translation by the tools of gettext: a catalogue of known words, a new source, another width.
    @Test func gettextTranslates() throws {
        var known = Self.spaced
        known.units[2].translation = "1772\nsiebzehnhundertzweiundsiebzig"
        let path = try write(.po, "known.po", known)
        let merged = "\(folder.path)/merged.po"
        _ = try run(
            "/usr/bin/msgmerge", ["--quiet", "--width=40", "-o", merged, path, write(.po, "new.po", Self.spaced)])
        var expected = known
        // The source is that of the catalogue.
        expected.units[1].previousSource = nil
        #expect(try read(merged) == expected)
        let latin = "\(folder.path)/latin.po"
        _ = try run("/usr/bin/msgattrib", ["--clear-fuzzy", "--translated", "--no-wrap", "-o", latin, path])
        let cleared = try read(latin)
        #expect(cleared.units.map(\.key) == known.units.filter { $0.translation != nil }.map(\.key))
        #expect(cleared.units.allSatisfy { !$0.isFuzzy })
    }

    /// `msgmerge --previous` of the file that translators have and of one that was written after a source has changed: the
    /// old source is told, and the translation is to be looked at again.
    @Test func gettextTellsFormerSources() throws {
        var new = Self.spaced
        new.units[0].source = "The \"greatest\" bell"
        new.units[0].hash = "aaaaaaaaaaaa"
        new.units[0].translation = nil
        let merged = "\(folder.path)/merged.po"
        _ = try run(
            "/usr/bin/msgmerge",
            ["--quiet", "--previous", "-o", merged, write(.po, "old.po", Self.spaced), write(.po, "new.po", new)])
        let unit = try #require(try read(merged).units.first { $0.key == "event/bell/name" })
        #expect(unit.source == "The \"greatest\" bell" && unit.previousSource == "The \"great\" bell")
        #expect(unit.translation == "Die große Glocke" && unit.isFuzzy && unit.hash == "aaaaaaaaaaaa")
    }

    // MARK: Translate Toolkit

    private static let hasToolkit = References.have("translate")

    @Test(.enabled(if: hasToolkit, "scripts/references installs it"))
    func fromPOToXLIFFAndBack() throws {
        let xliff = try convert("po2xliff", write(.po, "a.po"), to: "a.xlf")
        #expect(try read(xliff) == Self.file)
        // A converter from XLIFF keeps neither contexts nor previous sources.
        let po = try convert("xliff2po", xliff, to: "b.po")
        #expect(try read(po) == without { $0.previousSource = nil })
    }

    @Test(.enabled(if: hasToolkit, "scripts/references installs it"))
    func fromXLIFFToPO() throws {
        let po = try convert("xliff2po", write(.xliff, "a.xlf"), to: "a.po")
        #expect(try read(po, language: "de-AT") == without { $0.previousSource = nil })
    }

    @Test(.enabled(if: hasToolkit, "scripts/references installs it"))
    func fromPOToCSVAndBack() throws {
        let path = try write(.po, "a.po")
        let csv = try convert("po2csv", path, to: "a.csv")
        #expect(try read(convert("csv2po", csv, to: "b.po", ["-t", path])) == Self.file)
        // Its own columns have no keys.
        let error = #expect(throws: MediaError.self) { try read(csv) }
        #expect(error?.reason == "the first row does not name the columns 'key' and 'translation'")
    }

    @Test(
        .enabled(if: hasToolkit, "scripts/references installs it"), arguments: [TranslationFormat.po, .xliff])
    func translationsByPodebug(format: TranslationFormat) throws {
        let path = try write(format, "a.\(format == .po ? "po" : "xlf")")
        let translated = try convert("podebug", path, to: "b.\(format == .po ? "po" : "xlf")", ["--rewrite=xxx"])
        let expected = without { unit in
            // Translations that are there are rewritten, but those to be looked at.
            unit.translation = "xxx\(unit.isFuzzy ? unit.source : unit.translation ?? unit.source)xxx"
        }
        #expect(try read(translated).units.map(\.translation) == expected.units.map(\.translation))
        #expect(try read(translated) == expected)
    }

    @Test(.enabled(if: hasToolkit, "scripts/references installs it"))
    func mergedByPomerge() throws {
        var translated = Self.file
        translated.units[0].translation = "Die \"größte\" Glocke"
        translated.units[2].translation = "1772\nsiebzehnhundertzweiundsiebzig"
        let input = try write(.po, "in.po", translated)
        #expect(try read(convert("pomerge", input, to: "out.po", ["-t", write(.po, "a.po")])) == translated)
    }

    @Test(.enabled(if: hasToolkit, "scripts/references installs it"))
    func checkedByPofilter() throws {
        let path = try write(.po, "a.po")
        // Its checks of markup, numbers and addresses find nothing but the translation that is another text.
        let found = try read(
            convert(
                "pofilter", path, to: "b.po",
                ["--test=urls", "--test=brackets", "--test=newlines", "--test=untranslated", "--test=escapes"]))
        #expect(found.units.map(\.key) == ["lockbox/year/answers", "item/bell/name"])
        #expect(found.units.allSatisfy { $0.translatorComments.contains { $0.hasPrefix("(pofilter) untranslated: ") } })
    }

    /// The mark that a translation has to be looked at again, set and removed by Translate Toolkit.
    @Test(
        .enabled(if: hasToolkit, "scripts/references installs it"),
        arguments: [
            (TranslationFormat.po, "po.pofile"), (.xliff, "xliff.xlifffile"), (.xliff2, "xliff2.Xliff2File"),
        ])
    func markedByToolkit(format: TranslationFormat, type: String) throws {
        let path = try write(format, format == .po ? "a.po" : "a.xlf")
        for isFuzzy in [true, false] {
            let script = """
                import sys
                from translate.storage import po, xliff, xliff2
                file = \(type).parsefile(sys.argv[1])
                for unit in file.units:
                    if unit.target and not unit.isheader():
                        unit.markfuzzy(\(isFuzzy ? "True" : "False"))
                file.savefile(sys.argv[1])
                """
            _ = try run("\(References.folder)/python", ["-c", script, path])
            let units = try read(path).units
            #expect(
                units.map(\.isFuzzy) == Self.file.units.map { $0.translation != nil && isFuzzy }, "\(format) \(isFuzzy)"
            )
            #expect(units.map(\.translation) == Self.file.units.map(\.translation))
        }
    }

    /// Translate Toolkit has no program for XLIFF 2, but reads and writes it.
    @Test(.enabled(if: hasToolkit, "scripts/references installs it"))
    func translatedInXLIFF2() throws {
        let path = try write(.xliff2, "a.xlf")
        let script = """
            import sys
            from translate.storage import xliff2
            file = xliff2.Xliff2File.parsefile(sys.argv[1])
            for unit in file.units:
                print(unit.getid(), unit.isfuzzy(), unit.istranslated())
                if not unit.target:
                    unit.target = 'x' + unit.source
                    unit.addnote('a note', origin='translator')
                    unit.marktranslated()
            file.savefile(sys.argv[1])
            """
        #expect(
            try run("\(References.folder)/python", ["-c", script, path]) == """
                event:bell:name False True
                event:bell:description True False
                lockbox:year:answers False False
                item:bell:name False False
                item:again:name False True

                """)
        let expected = without { unit in
            guard unit.translation == nil else { return }
            unit.translation = "x" + unit.source
            unit.translatorComments = ["a note"]
        }
        #expect(try read(path) == expected)
    }
}
