import TestSupport
import Testing
import WayreelCore
import WayreelStory
import WayreelStoryMedia

/// What is said about mistakes in collections, news, faces and arrivals.
@Suite struct CollectionCheckTests {
    private let folder = TemporaryFolder()

    /// A story with parts before its chapter, each in a line of its own, the first in line 2, and events after them.
    private func issues(_ parts: [String], _ events: [String] = []) throws -> [String] {
        let story = """
            <story id="s" language="en"><name>S</name>
            \(parts.joined(separator: "\n"))
            <chapter id="c"><name>C</name>
            \(events.joined(separator: "\n"))
            </chapter></story>
            """
        let date = try #require(CalendarDate("2026-01-10"))
        return try StorySamples.read(story).checked(in: folder.path, on: date).issues.map {
            "\($0.line): \($0.severity.rawValue): \($0.message)"
        }
    }

    private func section(_ id: String, _ items: String = "") -> String {
        "<section id=\"\(id)\"><name>S</name>\(items)</section>"
    }

    private func item(_ id: String, hidden: String? = nil, _ more: String = "") -> String {
        let attribute = hidden.map { " hidden=\"\($0)\"" } ?? ""
        return "<item id=\"\(id)\"\(attribute)><name>I</name>\(more)</item>"
    }

    private func exhibit(_ id: String, of item: String, at latitude: Double, _ more: String = "") -> String {
        StorySamples.event(id, at: (latitude, 5), more, content: "<exhibit item=\"\(item)\"/>")
    }

    private func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try OutputFile.write(Array(bytes), to: "\(folder.path)/\(name)")
    }

    @Test func idsAreUnique() throws {
        let news = "<news id=\"a\" date=\"2026-01-01\"><title>T</title></news>"
        // An id may be that of a section, of an item and of an entry.
        let parts = [news, news, section("a", item("a")), section("b", item("b")), section("b", item("a"))]
        #expect(
            try issues(parts) == [
                "3: error: there is another news 'a' on line 2; ids are unique in a story",
                "6: error: there is another section 'b' on line 5; ids are unique in a story",
                "6: error: there is another item 'a' on line 4; ids are unique in a story",
            ])
    }

    @Test func exhibitsAreItems() throws {
        let journal = StorySamples.event(
            "f", at: (35.01, 5),
            content: "<camera><clue>C</clue></camera><journal><title>T</title><exhibit item=\"x\"/></journal>")
        #expect(
            try issues([section("bells", item("bell"))], [exhibit("e", of: "bel", at: 35), journal]) == [
                "4: error: an exhibit names the item 'bel', which there is not; did you mean 'bell'?",
                "5: error: an exhibit names the item 'x', which there is not",
            ])
    }

    /// Events and entries of the journal show items; an event may wait for something that never comes.
    @Test func hiddenItemsAreShownAtSomeTime() throws {
        let items = [
            item("found", hidden: "true"), item("noted", hidden: "1"), item("lost", hidden: "true"),
            item("late", hidden: "true"), item("open", hidden: "false"),
        ]
        let never = "<condition><all><found event=\"e\"/><not><found event=\"e\"/></not></all></condition>"
        let noted = StorySamples.event(
            "n", at: (35.01, 5),
            content: "<camera><clue>C</clue></camera><journal><title>T</title><exhibit item=\"noted\"/></journal>")
        let found = try issues(
            items.enumerated().map { section("s\($0.offset)", $0.element) },
            [exhibit("e", of: "found", at: 35), noted, exhibit("l", of: "late", at: 35.02, never)])
        #expect(
            found == [
                "4: warning: nobody can ever see item 'lost': it is hidden, and no event shows it",
                "5: warning: nobody can ever see item 'late': it is hidden, and nobody can reach an event that shows it",
                "10: warning: its condition can never hold: it asks for the event 'e' and for its opposite",
            ])
    }

    /// News may be announced before their date.
    @Test func datesOfNewsAreDays() throws {
        #expect(try issues(["<news id=\"a\" date=\"2027-01-01\"><title>T</title></news>"]) == [])
        #expect(
            try issues(["<news id=\"a\" date=\"1.12.2026\"><title>T</title></news>"]) == [
                "2: error: 'date' of <news> takes a date such as 2026-06-01, not '1.12.2026'; did you mean '2026-12-01'?"
            ])
    }

    @Test(arguments: [
        ("0b66c3", "; did you mean '#0b66c3'?"), ("#abc", "; did you mean '#aabbcc'?"), ("blue", ""),
        ("#0b66c34", ""), ("rgb(1, 2, 3)", ""),
        ("“#0b66c3”", "; “ and ” are no quotation marks here: write \"#0b66c3\""),
    ])
    func coloursHaveSixDigits(color: String, advice: String) throws {
        #expect(
            try issues(["<face color=\"\(color)\"/>"]) == [
                "2: error: 'color' of <face> takes a colour: # and six hexadecimal digits, such as \"#0b66c3\", "
                    + "not '\(color)'\(advice)"
            ])
    }

    @Test func aColourWithoutQuotesIsAComment() throws {
        let yaml = """
            story:
              id: s
              language: en
              name: S
              face:
                color: #0b66c3
              chapters: [{id: c, name: C}]
            """
        let messages = try StoryDocument.read(Array(yaml.utf8), as: .yaml).issues.map(\.message)
        #expect(
            messages.contains(
                "'color' of 'face' takes a colour: # and six hexadecimal digits, such as \"#0b66c3\", not nothing; "
                    + "put it in quotes, because # begins a comment"), "\(messages)")
    }

    /// Players may open the page that a file was taken from.
    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "example.org", "https://", "https://a b", "ftp://a.b/c",
        "http://[::1", "https://a.example:65536", "https://a.example@b.example", "https://a..b",
    ])
    func originsAreOnTheWeb(origin: String) throws {
        try write(StorySamples.gif, to: "a.gif")
        #expect(
            try issues(["<cover source=\"a.gif\" alt=\"A\" origin=\"\(origin)\"/>"]) == [
                "2: error: 'origin' of <cover> takes an address on the web, such as https://example.org/bells, not "
                    + "'\(origin)'"
            ])
    }

    @Test func filesAreThereAndOfTheirKinds() throws {
        try write(StorySamples.gif, to: "a.gif")
        try write("fLaC".utf8, to: "a.flac")
        // A directory with one table, `cmap`, of one byte (WOFF 2.0, section 4.1).
        try write("wOF2".utf8 + [0, 1, 0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 35) + [1], to: "a.woff2")
        try write("Hello".utf8, to: "a.txt")
        let image = "looks like a FLAC audio file, not like an image; name audio in a radio event"
        let font = "give a TrueType, OpenType or WOFF font, such as a .ttf, .otf or .woff2 file"
        let sound = "<arrival><sound source=\"a.gif\"/></arrival>"
        let audio = """
            <audio source="a.flac" alt="A"><captions source="a.txt"/><captions source="b.vtt"/></audio>
            """
        #expect(
            try issues(
                [
                    "<face font=\"a.woff2\" fontLicense=\"OFL\"><logo source=\"a.flac\" alt=\"A\"/></face>",
                    "<news id=\"n\" date=\"2026-01-01\"><title>T</title><image source=\"b.gif\" alt=\"A\"/></news>",
                    section("s", item("i", "<image source=\"a.flac\" alt=\"A\"/>\(audio)")), sound,
                ], [StorySamples.event("e", content: "<camera><clue>C</clue></camera>\(sound)")]) == [
                    "2: error: 'a.flac': \(image)",
                    "3: error: 'b.gif': no such file or directory; did you mean 'a.gif'?",
                    "4: error: 'a.flac': \(image)",
                    "4: error: 'a.txt': has no times of captions; give a SubRip or WebVTT file, with lines such as "
                        + "00:00:01,000 --> 00:00:04,000, or a video with subtitles",
                    "4: error: 'b.vtt': no such file or directory",
                    "5: error: 'a.gif': looks like an image, not like audio; name images as images",
                    "5: warning: 'a.gif' has no alt text",
                    "7: error: 'a.gif': looks like an image, not like audio; name images as images",
                    "7: warning: 'a.gif' has no alt text",
                ])
        for (file, reason) in [
            ("a.txt", "looks like plain text, not like a font; \(font)"),
            ("a.gif", "looks like an image, not like a font; \(font)"),
            ("../a.ttf", "leads out of the story's folder; use a path in the story's folder"),
        ] {
            #expect(try issues(["<face font=\"\(file)\" fontLicense=\"OFL\"/>"]) == ["2: error: '\(file)': \(reason)"])
        }
    }
}
