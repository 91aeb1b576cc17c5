import TestSupport
import Testing
import WayreelCore
import WayreelStory

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
                    + "<event> has no kind, one of <camera>, <radio>, <scrapbook>, <goggles>, <quiz>"
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
        ("See [it](https://example.org/a)", "[it](https://example.org/a)"),
    ])
    func markupInATextIsShownAsItIs(text: String, found: String) throws {
        #expect(
            try issues(yaml(event: "description: \"\(text)\"\nscrapbook: [{text: T}]")) == [
                "s:14:11: warning: 'description' has '\(found)', which players see as it is: texts have no markup"
            ])
    }

    @Test(arguments: ["1 < 2 > 0", "I <3 you", "2 ** 3 ** 4", "[sic] (yes)", "<bell>"])
    func noMarkup(text: String) throws {
        #expect(try issues(yaml(event: "description: \"\(text)\"\nscrapbook: [{text: T}]")) == [])
    }

    @Test func markupInXML() throws {
        let xml = StorySamples.chapter(
            StorySamples.event("e", content: "<scrapbook>\n<text>Hello <b>you</b> there</text></scrapbook>"))
        #expect(
            try issues(xml, as: .xml) == [
                "s:3:13: error: <b> is in the text of <text>; texts have no markup: remove it, or write &lt; for <"
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
