internal import TestSupport
internal import Testing

/// `wayreel story translate`, and what other commands do with languages.
@Suite struct StoryTranslateTests {
    private let bench = Workbench()

    private static let story = """
        <!-- Mine. -->
        <story id="s" language="en">
          <name>Bells</name>
          <chapter id="c"><name>Town</name>
            <event id="e"><name>E</name><position latitude="1" longitude="2"/><activation radius="5"/>
              <scrapbook><text>See <a href="https://example.org">it</a>.</text></scrapbook></event>
          </chapter>
        </story>

        """

    init() throws { try bench.write(Self.story, to: "story.xml") }

    /// Translates a text in a PO file.
    private func translate(_ source: String, _ text: String, in name: String = "de.po") throws {
        let po = try bench.text(name)
        #expect(po.contains("msgid \"\(source)\"\nmsgstr \"\""), "\(po)")
        try bench.write(
            po.replacing("msgid \"\(source)\"\nmsgstr \"\"", with: "msgid \"\(source)\"\nmsgstr \"\(text)\""), to: name)
    }

    @Test func textsGoToTranslatorsAndComeBack() throws {
        let given = try expectDone(bench.wayreel("story", "translate", "story.xml", "--language", "de", "-o", "de.po"))
        #expect(given.text == "de.po: 4 texts into 'de', 4 without a translation, 0 out of date\n")
        let unchanged = try expectDone(bench.wayreel("story", "translate", "story.xml", "--from", "de.po"))
        #expect(unchanged.text == "story.xml: nothing is new\n")
        #expect(try bench.text("story.xml") == Self.story)
        try translate("Bells", "Glocken")
        try translate("See [it](https://example.org).", "Siehe.")
        expectDone(try bench.shell("chmod 660 story.xml"))
        let taken = try expectDone(bench.wayreel("story", "translate", "story.xml", "--from", "de.po"))
        #expect(try bench.shell("stat -c %a story.xml").text == "660\n")
        #expect(taken.text == "story.xml: 2 new translations, 0 changed; de: 2 of 4 texts are current, 2 missing\n")
        #expect(
            taken.errors.contains(
                ": warning: the translation of 'event/e/scrapbook/1/text' has no link, its source 1\n")
                && taken.errors.hasPrefix("de.po:"), "\(taken.errors)")
        // `printf '%s' Bells | sha256sum`, and of the JSON of the text (RFC 8785).
        let german = """
              <translation language="de">
                <text key="story/name" hash="a4c44b9f9430">Glocken</text>
                <text key="event/e/scrapbook/1/text" hash="1b29c346d895">Siehe.</text>
              </translation>
            """
        #expect(try bench.text("story.xml") == Self.story.replacing("</chapter>\n", with: "</chapter>\n\(german)\n"))
    }

    /// A file that cannot be taken, and a document that cannot be written, leave everything as it was.
    @Test func failuresChangeNothing() throws {
        expectDone(try bench.wayreel("story", "translate", "story.xml", "--language", "de", "-o", "de.po"))
        try translate("Town", "Stadt")
        let po = try bench.text("de.po")
        try bench.write(po.replacing("X-Wayreel-Story: s", with: "X-Wayreel-Story: other"), to: "other.po")
        for (arguments, status, words) in [
            (["--from", "other.po"], Int32(2), "is a translation of the story 'other', not of 's'"),
            (["--from", "none.po"], 1, "none.po"),
            (["--from", "de.po", "--language", "fr"], 2, "is a translation to the language 'de', not to 'fr'"),
            (["--from", "de.po", "-o", "folder/new.xml"], 1, "create the folder first"),
            (["--from", "de.po", "-o", "new.yml"], 2, "wayreel story convert makes others"),
            (["--from", "de.po", "-o", "story.xml"], 2, "is the input"),
            (["--from", "de.po", "--format", "po"], 2, "--from is read as what it is"),
            ([], 2, "name the --language of the translation, as in --language de or pt-BR"),
            (["--language", "Deutsch"], 2, "is the tag of no language; did you mean 'de'?"),
            (["--from", "de.po", "--previous", "de.po"], 2, "--from is read as what it is"),
            (["--language", "de", "-o", "de.doc"], 2, "or name the --format"),
            (["--language", "de_DE"], 2, "did you mean 'de-DE'?"),
            (["--language", "en"], 2, "is the story's own language"),
            (["--language", "de", "-o", "story.xml", "--format", "po"], 2, "is the input"),
        ] {
            let run = try bench.command(["story", "translate", "story.xml"] + arguments).run()
            #expect(run.ending == .exited(status) && run.errors.contains(words), "\(arguments): \(run.errors)")
            #expect(try bench.text("story.xml") == Self.story, "\(arguments)")
        }
        expectDone(try bench.wayreel("story", "translate", "story.xml", "--from", "de.po", "-o", "new.xml"))
        #expect(try bench.text("story.xml") == Self.story && bench.text("new.xml").contains("Stadt"))
    }

    /// What is out of date has its source as it was, from the file that translators had before.
    @Test func formerSourcesAreShown() throws {
        expectDone(try bench.wayreel("story", "translate", "story.xml", "--language", "de", "-o", "de.po"))
        try translate("Bells", "Glocken")
        expectDone(try bench.wayreel("story", "translate", "story.xml", "--from", "de.po"))
        try bench.write(try bench.text("story.xml").replacing("<name>Bells", with: "<name>Old bells"), to: "story.xml")
        let given = try expectDone(
            bench.wayreel("story", "translate", "story.xml", "-l", "de", "-o", "de.po", "--previous", "de.po"))
        #expect(given.text == "de.po: 4 texts into 'de', 3 without a translation, 1 out of date\n")
        let former = "#| msgid \"Bells\"\nmsgctxt \"story/name\"\nmsgid \"Old bells\"\n"
        #expect(try bench.text("de.po").contains(former))
        try bench.write(Self.story, to: "old.xml")
        for previous in ["old.xml", "de.po"] {
            let found = try expectDone(bench.wayreel("story", "check", "story.xml", "--previous", previous))
            #expect(found.text.contains("it is 'Glocken', and the source was 'Bells' and is now 'Old bells'\n"))
        }
        let regional = try expectDone(
            bench.wayreel("story", "translate", "story.xml", "-l", "de-AT", "-o", "at.po"))
        #expect(
            regional.text
                == "at.po: 4 texts into 'de-AT', 4 without a translation, 0 out of date; what stays empty is shown as in 'de'\n"
        )
        #expect(try bench.text("at.po").contains("#. Without a translation, it is as in de: Glocken\n"))
    }

    @Test func collectionsAndCaptionsAreShown() throws {
        let section = """
            <section id="b"><name>Bells of the town</name><item id="i"><name>Great</name></item>\
            <item id="r" hidden="true"><name>Rope</name></item></section><chapter id="c">
            """
        let radio = "<radio><audio source=\"a.mp3\"><captions source=\"a.vtt\"/></audio></radio></event>"
        let event = "<event id=\"f\"><name>F</name><position latitude=\"1\" longitude=\"3\"/><activation radius=\"5\"/>"
        try bench.write(
            Self.story.replacing("<chapter id=\"c\">", with: section)
                .replacing("</event>", with: "</event>\(event)\(radio)")
                .replacing("</story>", with: "<translation language=\"de\"/></story>"), to: "story.xml")
        let show = try expectDone(bench.wayreel("story", "show", "story.xml"))
        #expect(
            show.text.hasPrefix(
                """
                Bells (s, en)
                also in de
                captions of a.mp3 in en, none in de

                  Bells of the town (b): 2 items
                    item       i: Great
                    item       r: Rope, hidden

                  Town (c): 2 events
                """), "\(show.text)")
    }

    /// All formats go to standard output and come back; spreadsheets and other tools have their endings.
    @Test func formatsAreKnownByTheirNames() throws {
        for (format, ending) in [("po", "po"), ("xliff", "xlf"), ("xliff2", "xlf"), ("csv", "csv"), ("tsv", "tsv")] {
            let run = try expectDone(
                bench.shell("wayreel story translate story.xml -l pt-BR --format \(format) > f.\(ending)"))
            #expect(run.text.isEmpty && run.errors.isEmpty)
            let taken = try expectDone(bench.wayreel("story", "translate", "story.xml", "--from", "f.\(ending)"))
            #expect(taken.text.hasPrefix("story.xml: nothing is new\n"), "\(taken.text)")
        }
        let files = try expectDone(
            bench.wayreel("story", "translate", Fixture.media("story") + "/story.xml", "-l", "de", "--files"))
        #expect(files.text.contains("msgctxt \"story/cover/source\""))
    }

    @Test func checksAndShowsLanguages() throws {
        let translation = """
            <translation language="de"><text key="story/name" hash="0123456789ab">Alt</text></translation>\
            <translation language="fr"/>
            """
        try bench.write(Self.story.replacing("</story>", with: "\(translation)</story>"), to: "story.xml")
        let all = try expectDone(bench.wayreel("story", "check", "story.xml"))
        #expect(
            all.text.contains(
                "\nde: 0 of 4 texts are current, 1 out of date, 3 missing\nfr: 0 of 4 texts are current, 4 missing\n"))
        #expect(all.text.contains("is out of date: it is 'Alt', and the source is now 'Bells'\n"))
        let german = try expectDone(bench.wayreel("story", "check", "story.xml", "--language", "DE"))
        #expect(german.text.contains("\nde: ") && !german.text.contains("fr"), "\(german.text)")
        #expect(try bench.wayreel("story", "check", "story.xml", "--strict").ending == .exited(1))
        expectRefused(
            try bench.wayreel("story", "check", "story.xml", "-l", "it"), 1, "has no translation into 'it'",
            "it has de, fr")
        let json = try expectDone(bench.wayreel("story", "check", "story.xml", "--json"))
        #expect(json.text.contains("\"outOfDate\""))
        let show = try expectDone(bench.wayreel("story", "show", "story.xml", "-l", "de-AT"))
        #expect(show.text.hasPrefix("Alt (s, de)\nalso in en, fr\n"), "\(show.text)")
        let pseudo = try expectDone(bench.wayreel("story", "show", "story.xml", "--language", "qps"))
        #expect(pseudo.text.hasPrefix("[Ɓḗŀŀş] (s, qps)\n"), "\(pseudo.text)")
        expectRefused(
            try bench.wayreel("story", "show", "story.xml", "-l", "ja"), 2, "is not in the language 'ja'",
            "it is in en, de, fr")
    }

    /// A conversion keeps all translations, there and back.
    @Test func conversionsKeepTranslations() throws {
        let sample = "\(Fixture.root)/Tests/WayreelStoryTests/Fixtures/every-kind.xml"
        expectDone(try bench.wayreel("story", "convert", sample, "-o", "a.yml"))
        expectDone(try bench.wayreel("story", "convert", "a.yml", "-o", "b.xml"))
        let (first, last) = (
            try bench.wayreel("story", "show", sample, "--json"), try bench.wayreel("story", "show", "b.xml", "--json")
        )
        #expect(first.text == last.text && first.text.contains("\"translations\""))
    }
}
