import TestSupport
import Testing
import WayreelCore
import WayreelStory
import WayreelStoryMedia

/// Mistakes of people who write stories, and what they read about them.
@Suite struct AuthorMessageTests {
    /// A story in YAML; `event` is the text of an event's further keys, `chapter` of the chapter's.
    private func yaml(event: String = "scrapbook: [{text: T}]", chapter: String = "") -> String {
        """
        story:
          id: s
          language: pt
          name: S
          chapters:
            - id: c
              name: C
              \(chapter.replacing("\n", with: "\n      "))
              events:
                - id: e
                  name: E
                  position: {latitude: 38.7, longitude: -9.1}
                  activation: {radius: 25}
                  \(event.replacing("\n", with: "\n          "))
        """
    }

    private func issues(_ text: String, as format: StoryDocument.Format = .yaml) throws -> [String] {
        let date = try #require(CalendarDate("2026-01-10"))
        let document = try StoryDocument.read(Array(text.utf8), as: format, name: "s")
        return try document.checked(in: ".", on: date).issues.map(\.description)
    }

    @Test func aColonInAText() throws {
        #expect(
            try issues(yaml(event: "description: Treze: em barro\nscrapbook: [{text: T}]")) == [
                "s:14:1: error: the text has a ': ' in it; put it in quotes: description: \"Treze: em barro\""
            ])
    }

    @Test func aTab() throws {
        #expect(
            try issues(yaml(event: "\tdescription: D")) == [
                "s:14:1: error: the line is indented with a tab; indent with spaces"
            ])
    }

    @Test func twoKindsInOneEvent() throws {
        #expect(
            try issues(yaml(event: "scrapbook: [{text: T}]\ncamera: {clue: C}")) == [
                "s:14:11: error: 'event' has 'camera' and 'scrapbook', but takes one of them; make an event of each"
            ])
        let xml = StorySamples.chapter(
            StorySamples.event("e", content: "<camera><clue>C</clue></camera>\n<scrapbook><text>T</text></scrapbook>"))
        #expect(
            try issues(xml, as: .xml) == [
                "s:3:1: error: <event> has <camera> and <scrapbook>, but takes one of them; make an event of each"
            ])
        let journal = "journal: {title: T, scrapbook: [{text: T}], quiz: {questions: []}}"
        #expect(
            try issues(yaml(event: "scrapbook: [{text: T}]\n\(journal)")).contains {
                $0.contains("'journal' has 'quiz' and 'scrapbook', but takes one of them; leave one out")
            })
    }

    @Test func aLockboxWithoutAnswers() throws {
        let box = "lockboxes:\n  - {id: year, question: When?, hints: [H]}"
        #expect(try issues(yaml(chapter: box)) == ["s:9:11: error: 'lockbox' has no 'answers', which it needs"])
        let xml = StorySamples.chapter("<lockbox id=\"l\"><question>Q</question></lockbox>")
        #expect(try issues(xml, as: .xml) == ["s:2:1: error: <lockbox> has no <answer>, which it needs"])
        let more = StorySamples.chapter("<event id=\"e\"><name>N</name></event>")
        #expect(
            try issues(more, as: .xml) == [
                "s:2:1: error: <event> has no <position> and no <activation>, which it needs; "
                    + "<event> has no kind, one of <camera>, <radio>, <scrapbook>, <goggles>, <quiz>, <exhibit>"
            ])
    }

    /// Lisbon and its zoo are 4 km apart, on both sides of the swap of one of them 5,000 km.
    @Test func latitudeAndLongitudeSwapped() throws {
        let events = [
            StorySamples.event("lisbon", at: (38.71, -9.14)), StorySamples.event("zoo", at: (-9.17, 38.74)),
        ]
        let found = try issues(StorySamples.chapter(events.joined(separator: "\n")), as: .xml)
        #expect(
            found.count == 2 && found[1].hasPrefix("s:3:1: warning: nobody can reach it on foot: it is "), "\(found)")
        #expect(
            found.allSatisfy { $0.hasSuffix(" km from the nearest event; are its latitude and longitude swapped?") })
        // A chapter's beginning.
        let start = "<location latitude=\"-9.17\" longitude=\"38.74\"/>"
        let near = [
            StorySamples.event("lisbon", at: (38.71, -9.14)), StorySamples.event("zoo", at: (38.74, -9.17)),
        ]
        #expect(
            try issues(StorySamples.chapter((["\(start)"] + near).joined(separator: "\n")), as: .xml).contains {
                $0.contains("chapter 'c' begins") && $0.hasSuffix("are its latitude and longitude swapped?")
            })
        // A latitude that is none.
        let bad = StorySamples.chapter(StorySamples.event("e", at: (-120.66, 35.28)))
        #expect(
            try issues(bad, as: .xml) == [
                "s:2:29: error: 'latitude' of <position> takes degrees from -90 to 90, not '-120.66'; "
                    + "are latitude and longitude swapped?"
            ])
    }

    @Test func theRestOfANameIsAComment() throws {
        let text = yaml().replacing("name: E", with: "name: Santa Cruz #1")
        #expect(
            try issues(text) == [
                "s:11:28: warning: '#1' is a comment; put the text in quotes if it is a part of it"
            ])
        #expect(try issues(yaml().replacing("name: E", with: "name: Santa Cruz # the bridge")) == [])
        #expect(try issues(yaml().replacing("name: E", with: "name: \"Santa Cruz #1\"")) == [])
    }

    @Test(arguments: [
        ("Where is <b>he</b>?", "<b>"), ("A <br/> B", "<br/>"), ("It is **here**.", "**here**"),
        ("See [it](https://example.org/a)", "[it](https://example.org/a)"), ("![A](a.jpg)", "[A](a.jpg)"),
        ("Look *here*.", "*here*"), ("A _slow walk_, then", "_slow walk_"), ("__Stop__", "__Stop__"),
        ("## The tower", "## The tower"),
        ("Fish &amp; Chips", "&amp;"), ("A&nbsp;B", "&nbsp;"), ("caf&#233;", "&#233;"),
        ("<script>x", "<script>"),
    ])
    func markupInATextIsShownAsItIs(text: String, found: String) throws {
        #expect(
            try issues(yaml().replacing("name: E", with: "name: \"\(text)\"")) == [
                "s:11:11: warning: 'name' has '\(found)', which players see as it is: it takes no markup"
            ])
    }

    /// Marks without partners: each must not be looked for in all that follows.
    @Test(arguments: ["](", "<b", "[](", "</b ", "](a.b", "_a ", "&a"])
    func manyMarksTakeNoTime(mark: String) throws {
        let marks = String(repeating: mark, count: 100_000 / mark.count)
        let text = yaml().replacing("name: E", with: "name: \"\(marks)\"")
        let start = ContinuousClock.now
        #expect(try issues(text) == [])
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test(arguments: [
        "1 < 2 > 0", "I <3 you", "2 ** 3 ** 4", "[sic] (yes)", "[sic](yes)", "<bell>", "5*3*2", "snake_case_name",
        "* a footnote * another", "Fill in ____ here", "Fish & Chips; Co.", "#1 of 3", "C# and F#", "a _ b _ c",
    ])
    func noMarkup(text: String) throws {
        #expect(try issues(yaml().replacing("name: E", with: "name: \"\(text)\"")) == [])
        // In a rich text, the star and its space begin a list.
        let isItem = text.hasPrefix("* ")
        let found = try issues(yaml(event: "description: \"\(text)\"\nscrapbook: [{text: T}]"))
        #expect(
            found.count == (isItem ? 1 : 0) && found.allSatisfy { $0.contains("has a list of one item") }, "\(found)")
    }

    @Test func markupInXML() throws {
        let xml = StorySamples.chapter(
            StorySamples.event("e", content: "<scrapbook>\n<text>Hello <b>you</b> there</text></scrapbook>"))
        #expect(
            try issues(xml, as: .xml) == [
                "s:3:13: error: <b> is in the text of <text>, which takes <p>, <em>, <strong>, <a>, <ul>, <ol> or "
                    + "<blockquote>; write <strong>"
            ])
    }

    /// The check is made on 2026-01-10.
    @Test(arguments: [
        ("<window zone=\"UTC\" last=\"2026-01-07\"/>", true), ("<window zone=\"UTC\" last=\"2026-01-08\"/>", false),
        ("<condition><all><during zone=\"UTC\" last=\"2025-01-01\"/></all></condition>", true),
        ("<condition><not><during zone=\"UTC\" last=\"2025-01-01\"/></not></condition>", false),
        (
            "<condition><any><during zone=\"UTC\" last=\"2025-01-01\"/><during zone=\"UTC\"/></any></condition>", false
        ),
    ])
    func windowsInThePast(part: String, isPast: Bool) throws {
        let found = try issues(StorySamples.chapter(StorySamples.event("e", part)), as: .xml)
        #expect(found.count == (isPast ? 1 : 0), "\(found)")
        #expect(found.allSatisfy { $0.contains("nobody can find it any more: its window's last date, 202") })
    }

    @Test(arguments: [("?!", true), ("…", true), ("🔔", true), ("1", false), ("字", false), ("a?", false), ("½", false)])
    func answersOfPunctuationOnly(answer: String, isWarned: Bool) throws {
        let box = "lockboxes:\n  - {id: year, question: When?, answers: [\"\(answer)\"], hints: [H]}"
        let found = try issues(yaml(chapter: box))
        #expect(found.count == (isWarned ? 1 : 0), "\(found)")
        #expect(
            found.allSatisfy {
                $0.hasPrefix("s:9:11: warning: the answer '\(answer)' of lockbox 'year' has neither letters nor digits")
            })
    }

    /// Numbers, degrees, times and dates as people write them, and the value that is meant.
    @Test(arguments: [
        ("latitude: 38.7", "latitude: \"38,7223\"", "not '38,7223'; did you mean '38.7223'?"),
        (
            "latitude: 38.7", "latitude: 38,7223",
            "'position' has no '7223'; numbers have a decimal point, as in 38.7223"
        ),
        ("longitude: -9.1", "longitude: \u{2212}9.1393", "not '\u{2212}9.1393'; did you mean '-9.1393'?"),
        ("longitude: -9.1", "longitude: 9.1393W", "not '9.1393W'; did you mean '-9.1393'?"),
        ("longitude: -9.1", "longitude: 9\u{B0}8'21\"W", "not '9\u{B0}8'21\"W'; did you mean '-9.13917'?"),
        ("longitude: -9.1", "longitude: \"9\u{B0} 8.35' W\"", "not '9\u{B0} 8.35' W'; did you mean '-9.13917'?"),
        ("radius: 25", "radius: 10m", "not '10m'; did you mean '10'?"),
        ("radius: 25", "radius: 25,5", "'activation' has no '5'; numbers have a decimal point, as in 25.5"),
        ("radius: 25", "radius: [25]", "'radius' of 'activation' takes metres above 0, at most 100000, not a list"),
        ("radius: 25", "radius: ", "'radius' of 'activation' takes metres above 0, at most 100000, not nothing"),
        ("radius: 25", "radius:25", "'activation' has no 'radius:25'; put a space after the colon: radius: 25"),
        ("id: e", "id: the tower", "not 'the tower'; did you mean 'the-tower'?"),
        ("language: pt", "language: pt_BR", "not 'pt_BR'; did you mean 'pt-BR'?"),
    ])
    func valuesOfPeople(from: String, to: String, words: String) throws {
        let found = try issues(yaml().replacing(from, with: to))
        #expect(found.contains { $0.hasSuffix(words) }, "\(found)")
        // What could not be read is not missing.
        let isRead = to.contains(",") || to.contains("radius:25")
        #expect(found.allSatisfy { isRead || !$0.contains("has no 'radius'") }, "\(found)")
    }

    @Test(arguments: [
        ("from: \"7:5\"", "not '7:5'; did you mean '07:05'?"), ("from: 8", "not '8'; did you mean '08:00'?"),
        ("from: 10 pm", "not '10 pm'; did you mean '22:00'?"), ("from: 12 AM", "not '12 AM'; did you mean '00:00'?"),
        ("from: 22h00", "not '22h00'; did you mean '22:00'?"), ("from: 22.30", "not '22.30'; did you mean '22:30'?"),
        ("from: \"10:30:00\"", "not '10:30:00'; did you mean '10:30'?"), ("from: 13 pm", "not '13 pm'"),
        ("from: “08:00”", "not '“08:00”'; “ and ” are no quotation marks here: write \"08:00\""),
        ("last: 30/2/2026", "not '30/2/2026'; there is no such day"), ("last: 2026-02-30", "there is no such day"),
        ("last: 30/6/2026", "did you mean '2026-06-30'?"), ("last: 1.6.2026", "did you mean '2026-06-01'?"),
        ("last: 2026-6-1", "did you mean '2026-06-01'?"), ("last: 6/1/2026", "not '6/1/2026'"),
        ("days: Friday", "not 'Friday'; did you mean 'fri'?"), ("days: \"fri, sat\"", "did you mean 'fri sat'?"),
        ("days: fri-sun", "not 'fri-sun'"), ("zone: “UTC”", "are no quotation marks here: write \"UTC\""),
        ("zone: +01:00", "takes a time zone such as America/Los_Angeles, not '+01:00'"),
        ("zone: Z", "the time zone 'Z' is unknown; did you mean 'UTC'?"),
    ])
    func windowsOfPeople(part: String, words: String) throws {
        let zone = part.hasPrefix("zone") ? "" : "zone: UTC, "
        let found = try issues(yaml(event: "window: {\(zone)\(part)}\nscrapbook: [{text: T}]"))
        #expect(found.count == 1 && found[0].hasSuffix(words), "\(found)")
    }

    /// Each mistake is one message.
    @Test func oneMessageForOneMistake() throws {
        func found(_ from: String, _ to: String) throws -> [String] { try issues(yaml().replacing(from, with: to)) }
        let map = "'position' takes a mapping with latitude, longitude, altitude, not"
        #expect(
            try found("{latitude: 38.7, longitude: -9.1}", "[38.7, -9.1]") == ["s:12:21: error: \(map) a list"])
        #expect(try found("name: E", "name: [The, tower]") == ["s:11:17: error: 'name' takes a text, not a list"])
        #expect(
            try issues(yaml(event: "condition: {found: door}\nscrapbook: [{text: T}]")) == [
                "s:14:30: error: 'found' takes a mapping with event, not 'door'; write found: {event: door}"
            ])
        #expect(
            try found("radius: 25", "radius: 25, trigger: dwell, seconds: 10s") == [
                "s:13:11: error: 'seconds' of 'activation' takes seconds above 0, at most 86400, not '10s'; did you mean '10'?"
            ])
        #expect(
            try found("name: E", "name: &The tower") == [
                "s:11:17: warning: '&The' is a mark that nothing refers to; put the text in quotes if it is a part of it"
            ])
        #expect(
            try found("language: pt", "language: English") == [
                "s:1:1: warning: 'English' is the tag of no language; give one such as en, pt or de-AT"
            ])
    }

    @Test func aSignIsMissing() throws {
        let events = [
            StorySamples.event("a", at: (38.71, -9.14)), StorySamples.event("b", at: (38.72, -9.14)),
            StorySamples.event("c", at: (38.72, 9.15)),
        ]
        let found = try issues(StorySamples.chapter(events.joined(separator: "\n")), as: .xml)
        #expect(
            found.count == 1 && found[0].hasSuffix("; is the sign of its longitude wrong? West is negative"), "\(found)"
        )
    }

    /// YAML 1.1 reads 22:00 as 1320, a number to the base 60.
    @Test(arguments: [
        ("1320", "not '1320'; did you mean \"22:00\"? Without quotes some programs read that as 1320"),
        ("9:30", "not '9:30'; did you mean '09:30'?"), ("25:00", "not '25:00'"),
    ])
    func times(text: String, words: String) throws {
        let found = try issues(yaml(event: "window: {zone: UTC, from: \(text)}\nscrapbook: [{text: T}]"))
        #expect(found.count == 1 && found[0].hasSuffix(words), "\(found)")
        let quoted = try issues(yaml(event: "window: {zone: UTC, from: 22:00}\nscrapbook: [{text: T}]"))
        #expect(quoted == [])
    }
}

/// The names of time zones.
@Suite struct TimeZoneTests {
    /// The machine's database lists its zones and links in tzdata.zi.
    @Test func allZonesOfTheDatabaseAreKnown() throws {
        let text = String(decoding: try Fixture.bytes("/usr/share/zoneinfo/tzdata.zi"), as: UTF8.self)
        let names = text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            return words[0] == "Z" ? words[1] : words[0] == "L" ? words[2] : nil
        }
        #expect(names.count > 500)
        for name in names where name != "Factory" { #expect(TimeZones.isKnown(String(name)), "\(name)") }
    }

    /// Intl of browsers knows none of these either.
    @Test(
        arguments: [
            ("Lisbon", "Europe/Lisbon"), ("europe/lisbon", "Europe/Lisbon"), ("New York", "America/New_York"),
            ("Europe/Lisbonne", "Europe/Lisbon"), ("los_angeles", "America/Los_Angeles"), ("Tokio", "Asia/Tokyo"),
            ("posix/Europe/Paris", "Europe/Paris"), ("Indianapolis", "America/Indiana/Indianapolis"),
            ("Mars/Olympus", nil),
            ("Europe", nil), ("", nil), ("../../etc/passwd", nil), ("localtime", nil),
        ] as [(String, String?)])
    func theNearestZoneIsNamed(name: String, zone: String?) {
        #expect(!TimeZones.isKnown(name) && TimeZones.nearest(to: name) == zone)
    }

    @Test func anUnknownZoneIsAnErrorAtItsPlace() throws {
        let during = "<condition>\n<all><during zone=\"Lisbon\"/><during zone=\"Europe/Paris\"/></all></condition>"
        let xml = StorySamples.chapter(
            StorySamples.event("e", "<window zone=\"Mars/Olympus\"/>\(during)")
                + StorySamples.event("f", at: (35.01, -120), "<window zone=\"New York\"/>"))
        #expect(
            try StorySamples.read(xml).issues.map { "\($0.line): \($0.severity.rawValue): \($0.message)" } == [
                "2: error: the time zone 'Mars/Olympus' is unknown; use a name such as Europe/Lisbon or "
                    + "America/Los_Angeles",
                "3: error: the time zone 'Lisbon' is unknown; did you mean 'Europe/Lisbon'?",
                "3: error: 'zone' of <window> takes a time zone such as America/Los_Angeles, not 'New York'; "
                    + "did you mean 'America/New_York'?",
            ])
    }
}
