import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelStory
import WayreelStoryMedia

@Suite struct StoryCheckTests {
    private func issues(_ xml: String, in folder: String) throws -> [String] {
        let date = try #require(CalendarDate("2024-01-01"))
        return try StorySamples.read(xml).checked(in: folder, on: date).issues.map {
            "\($0.line): \($0.severity.rawValue): \($0.message)"
        }
    }

    /// A story of an event for each content, in a line of its own, the first in line 2.
    private static func chapter(ofEventsWith contents: [String]) -> String {
        let events = contents.enumerated().map {
            StorySamples.event("e\($0.offset)", at: (Double($0.offset), 0), content: $0.element)
        }
        return StorySamples.chapter(events.joined(separator: "\n"))
    }

    /// The folder's name is a prefix of its neighbour's.
    @Test func nothingOutsideOfTheFolderIsNamed() throws {
        try Fixture.withFolder { root in
            for folder in ["story", "story2"] { mkdir("\(root)/\(folder)", 0o755) }
            for file in ["story/in.jpg", "story2/out.jpg"] {
                try OutputFile.write(StorySamples.gif, to: "\(root)/\(file)")
            }
            #expect(symlink("../story2/out.jpg", "\(root)/story/link.jpg") == 0)
            #expect(symlink("in.jpg", "\(root)/story/inside.jpg") == 0)
            let names = [
                "in.jpg", "inside.jpg", "../story2/out.jpg", "link.jpg", "/etc/passwd", "http://a.b/c.jpg",
                "missing.jpg", ".",
            ]
            let items = names.map { "<image source=\"\($0)\" alt=\"A\"/>" }.joined()
            let xml = StorySamples.chapter(StorySamples.event("e", content: "<scrapbook>\(items)</scrapbook>"))
            #expect(
                try issues(xml, in: "\(root)/story") == [
                    "2: error: '../story2/out.jpg': leads out of the story's folder; use a path in the story's folder",
                    "2: error: 'link.jpg': is a link out of the story's folder",
                    "2: error: '/etc/passwd': is an absolute path; use a path in the story's folder",
                    "2: error: 'http://a.b/c.jpg': is a URL; use a path in the story's folder",
                    "2: error: 'missing.jpg': no such file or directory",
                    "2: error: '.': is not a file",
                ])
        }
    }

    /// Recipes outside of the folder are refused, also those that recipes use, whether or not they exist.
    @Test func recipesUseNothingOutsideOfTheFolder() throws {
        try Fixture.withFolder { root in
            for folder in ["story", "story/recipes"] { mkdir("\(root)/\(folder)", 0o755) }
            let recipe = Array("filters: [sepia-tone]".utf8)
            for file in ["out.yml", "story/in.yml"] { try OutputFile.write(recipe, to: "\(root)/\(file)") }
            #expect(symlink("../../out.yml", "\(root)/story/recipes/link.yml") == 0)
            let outside = "leads out of the story's folder; use a path in the story's folder"
            let uses: [(String, String?)] = [
                ("../in.yml", nil), ("sunday-1974", nil), ("../../out.yml", outside), ("../../missing.yml", outside),
                ("\(root)/out.yml", outside), ("/etc/passwd.yml", outside),
                ("link.yml", "is a link out of the story's folder"),
                // A chain: the content of a recipe that another one uses is not quoted.
                ("3.yml", "invalid recipe content"),
            ]
            for (index, use) in uses.enumerated() {
                let text = Array("description: A look\nuse: \(use.0)\n".utf8)
                try OutputFile.write(text, to: "\(root)/story/recipes/\(index + 1).yml")
            }
            let cameras = uses.indices.map {
                "<camera recipe=\"recipes/\($0 + 1).yml\"><clue>C</clue></camera>"
            }
            let found = try issues(Self.chapter(ofEventsWith: cameras), in: "\(root)/story")
                .filter { $0.contains("error") }
            let expected = uses.enumerated().filter { $0.element.1 != nil }
            #expect(found.count == expected.count, "\(found)")
            for (message, use) in zip(found, expected) {
                #expect(message.hasPrefix("\(use.offset + 2): error: "), "\(message)")
                #expect(message.hasSuffix(use.element.1 ?? ""), "\(message)")
                #expect(message.contains(".yml:2'"), "\(message)")
            }
        }
    }

    @Test func treatmentsAndMetersExist() throws {
        try Fixture.withFolder { folder in
            let cameras = [
                "<camera><clue>C</clue><filter>sepia-tne</filter></camera>",
                "<camera recipe=\"old-postcrd\"><clue>C</clue></camera>",
                "<camera recipe=\"old-postcard\"><clue>C</clue><filter>noir</filter></camera>",
                "<camera><clue>C</clue><overlay>../x.png@north</overlay></camera>",
                "<camera><clue>C</clue><text style=\"sze=5%\">T</text></camera>",
            ]
            let found = try issues(Self.chapter(ofEventsWith: cameras), in: folder)
                .filter { $0.contains("error") }
            #expect(found.count == 4 && found.map { $0.prefix(2) } == ["2:", "3:", "5:", "6:"], "\(found)")
            #expect(found[0].contains("sepia-tone") && found[3].contains("size"))
            #expect(
                found[1].contains("there is no such recipe; did you mean 'old-postcard'? the recipes are blueprint, "),
                "\(found[1])")
            let radio = "<radio><audio source=\"a.mp3\" alt=\"A\"/><visualizer meter=\"vuu\"/></radio>"
            try OutputFile.write([1], to: "\(folder)/a.mp3")
            #expect(
                try issues(StorySamples.chapter(StorySamples.event("r", content: radio)), in: folder)
                    == ["2: error: there is no meter 'vuu'; did you mean 'vu'?"])
        }
    }

    @Test func authorsAreWarned() throws {
        // 0.001° of latitude are 111.19 m on a sphere with a radius of 6371.0088 km.
        let near = [
            StorySamples.event("a", at: (35, 5), radius: 60), StorySamples.event("b", at: (35.001, 5), radius: 60),
        ]
        let far = StorySamples.event("far", at: (40, 5))
        let never = "<window zone=\"UTC\" first=\"2026-02-01\" last=\"2026-01-01\"/>"
        let both = "<condition><all><found event=\"a\"/><not><found event=\"a\"/></not></all></condition>"
        let lockbox = "<lockbox id=\"l\"><question>Q</question><answer>A</answer></lockbox>"
        let xml = StorySamples.chapter(
            ([lockbox] + near + [
                far, StorySamples.event("n", at: (35.01, 5), never), StorySamples.event("o", at: (35.02, 5), both),
            ])
            .joined(separator: "\n"))
        #expect(
            try issues(xml, in: ".") == [
                "2: warning: lockbox 'l' has no hint for a wrong answer",
                "3: warning: its circle overlaps that of 'b': they are 111 m apart, with radii of 60 and 60 m",
                "5: warning: nobody can reach it on foot: it is 553 km from the nearest event",
                "6: warning: nobody can reach it: its window's last date, 2026-01-01, is before its first, 2026-02-01",
                "7: warning: its condition can never hold: it asks for the event 'a' and for its opposite",
            ])
    }

    @Test func sequencesThatWaitForThemselvesAreNoticed() throws {
        let waits = "<condition><found event=\"b\"/></condition>"
        let xml = StorySamples.chapter(
            "\(StorySamples.event("a", waits))\n\(StorySamples.event("b", at: (35.01, -120)))",
            attributes: " order=\"sequence\"")
        #expect(
            try issues(xml, in: ".") == [
                "2: warning: nobody can reach it: it precedes 'b' in a sequence, but depends on it",
                "3: warning: nobody can reach it: it follows 'a', which nobody can reach, in a sequence",
            ])
    }

    @Test func staysLongerThanTheWindow() throws {
        let window = "<window zone=\"UTC\" from=\"23:30\" until=\"00:30\"/>"
        for (seconds, warning) in [
            (3600, []),
            (3601, ["2: warning: nobody can reach it: its window closes before the stay of 3601 s ends"]),
        ] {
            let stay = "<activation radius=\"5\" trigger=\"dwell\" seconds=\"\(seconds)\"/>"
            let xml = StorySamples.chapter(StorySamples.event("e", window))
                .replacing("<activation radius=\"5.0\"/>", with: stay)
            #expect(try issues(xml, in: ".") == warning)
        }
    }

    /// A text that is only spaces is missing, as in YAML.
    @Test(arguments: ["<name> </name>", "<name>&#32;\n</name>"])
    func blankTexts(name: String) throws {
        let xml = StorySamples.chapter(StorySamples.event("e")).replacing("<name>E</name>", with: name)
        let found = try issues(xml, in: ".")
        #expect(found.count == 1 && found[0].contains("error: <name> takes a text, not"), "\(found)")
    }

    @Test func blankAttributes() throws {
        let xml = StorySamples.chapter(
            StorySamples.event("e", content: "<scrapbook><image source=\"it's.jpg\" alt=\" \"/></scrapbook>"))
        #expect(try issues(xml, in: ".").contains("2: error: 'alt' of <image> takes a line of text, not nothing"))
    }

    @Test func anotherNamespaceIsReportedOnce() throws {
        let xml = StorySamples.chapter(StorySamples.event("e")).replacing("<story ", with: "<story xmlns=\"urn:x\" ")
        #expect(try issues(xml, in: ".").count { $0.contains("is in the namespace 'urn:x'") } == 1)
    }

    /// Editors write where they find the schema; any document may have that.
    @Test func schemaLocations() throws {
        let xml = StorySamples.chapter(StorySamples.event("e")).replacing(
            "<story ",
            with: """
                <story xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
                xsi:schemaLocation="urn:wayreel:story:1 story.xsd" xsi:noNamespaceSchemaLocation="story.xsd"\u{20}
                """)
        #expect(try issues(xml, in: ".") == [])
        let wrong = xml.replacing("xsi:schemaLocation", with: "xsi:where")
        #expect(try issues(wrong, in: ".").contains { $0.contains("<story> has no attribute 'where'") })
    }

    /// No player can ever fulfil any of these conditions; 2026-01-05 is a Monday.
    @Test(arguments: [
        ("<all><all><found event=\"x\"/></all><not><found event=\"x\"/></not></all>", "for its opposite"),
        ("<not><not><all><found event=\"x\"/><not><found event=\"x\"/></not></all></not></not>", "for its opposite"),
        (
            "<all><during zone=\"UTC\" days=\"mon\"/><during zone=\"UTC\" days=\"tue wed\"/></all>",
            "never open together"
        ),
        (
            "<all><during zone=\"UTC\" from=\"09:00\" until=\"12:00\"/><during zone=\"UTC\" from=\"12:00\"/></all>",
            "never open together"
        ),
        (
            "<all><during zone=\"UTC\" last=\"2026-01-05\"/><during zone=\"UTC\" first=\"2026-01-06\"/></all>",
            "never open together"
        ),
        (
            "<during zone=\"UTC\" first=\"2026-01-05\" last=\"2026-01-07\" days=\"sun thu\"/>",
            "no sun or thu is between its window's dates, 2026-01-05 and 2026-01-07"
        ),
        ("<any><found event=\"y\"/><found event=\"z\"/></any>", "it waits for 'y', which nobody can reach"),
        ("<not><any><found event=\"x\"/><not><found event=\"x\"/></not></any></not>", "its parts exclude each other"),
        (
            "<all><during zone=\"UTC\" from=\"10:00\" until=\"12:00\"/><not><during zone=\"UTC\" from=\"09:00\" until=\"13:00\"/></not></all>",
            "its parts exclude each other"
        ),
    ]) func conditionsThatNeverHold(_ condition: String, _ words: String) throws {
        let needs = { (id: String) in "<condition><found event=\"\(id)\"/></condition>" }
        let xml = StorySamples.chapter(
            [
                StorySamples.event("e", "<condition>\(condition)</condition>"),
                StorySamples.event("x", at: (35.01, -120)),
                StorySamples.event("y", at: (35.02, -120), needs("e")),
                StorySamples.event("z", at: (35.03, -120), needs("e")),
            ].joined(separator: "\n"))
        let found = try issues(xml, in: ".")
        #expect(found.count == 3 && found[0].hasPrefix("2: warning: ") && found[0].contains(words), "\(found)")
        // An event that waits for it is not found either.
        #expect(
            found.dropFirst() == [
                "4: warning: nobody can reach it: it waits for 'e', which nobody can reach",
                "5: warning: nobody can reach it: it waits for 'e', which nobody can reach",
            ])
    }

    /// A chapter's lockboxes are asked once one of its events waits for nothing else.
    @Test func lockboxesThatAreNeverAsked() throws {
        let box = "<lockbox id=\"k\"><question>Q</question><answer>A</answer><hint>H</hint></lockbox>"
        let opened = "<condition><opened lockbox=\"k\"/></condition>"
        #expect(try issues(StorySamples.chapter("\(box)\n\(StorySamples.event("e", opened))"), in: ".") == [])
        let deadlock = StorySamples.chapter(StorySamples.event("a", opened)).replacing(
            "</story>",
            with: """
                <chapter id="d"><name>D</name>\(box)
                \(StorySamples.event("b", "<condition><found event=\"a\"/></condition>"))</chapter></story>
                """)
        let found = try issues(deadlock, in: ".")
        #expect(found.contains { $0.contains("it waits for the lockbox 'k', which is never asked") }, "\(found)")
        #expect(found.contains { $0.contains("it waits for 'a', which nobody can reach") }, "\(found)")
    }

    @Test(arguments: [
        "<any><found event=\"x\"/><found event=\"y\"/></any>",
        "<all><during zone=\"UTC\" days=\"mon\"/><during zone=\"Asia/Tokyo\" days=\"tue\"/></all>",
        "<all><during zone=\"UTC\" from=\"22:00\" until=\"02:00\" days=\"mon\"/><during zone=\"UTC\" days=\"tue\"/></all>",
        "<during zone=\"UTC\" first=\"2026-01-05\" last=\"2026-01-07\" days=\"wed\"/>",
        "<during zone=\"UTC\" first=\"2024-02-29\" last=\"2024-02-29\" days=\"thu\"/>",
        "<not><all><found event=\"x\"/><not><found event=\"x\"/></not></all></not>",
        "<not><all><found event=\"x\"/><during zone=\"UTC\" from=\"10:00\" until=\"12:00\"/></all></not>",
        "<all><during zone=\"UTC\" from=\"08:00\" until=\"12:00\"/><not><during zone=\"UTC\" from=\"09:00\" until=\"13:00\"/></not></all>",
        "<all><during zone=\"UTC\" from=\"10:00\" until=\"12:00\"/><not><during zone=\"UTC\" from=\"09:00\" until=\"13:00\" days=\"mon\"/></not></all>",
        "<any><found event=\"x\"/><not><found event=\"x\"/></not></any>",
    ]) func conditionsThatMayHold(_ condition: String) throws {
        let xml = StorySamples.chapter(
            StorySamples.event("e", "<condition>\(condition)</condition>")
                + StorySamples.event("x", at: (35.01, -120))
                + StorySamples.event("y", at: (35.02, -120), "<condition><found event=\"e\"/></condition>"))
        #expect(try issues(xml, in: ".") == [])
    }

    /// Three windows of all kinds are never open together if two of them have no hour, day or date in common.
    @Test func windowsAreComparedInPairs() throws {
        let hours = [0..<2, 1..<3, 2..<4, 0..<4, 3..<4]
        let days = ["mon", "tue", "wed", "thu"]
        let attributes: [(Range<Int>) -> String] = [
            { "from=\"0\($0.lowerBound):00\" until=\"0\($0.upperBound):00\"" },
            { "days=\"\(days[$0].joined(separator: " "))\"" },
            { "first=\"2026-01-0\($0.lowerBound + 1)\" last=\"2026-01-0\($0.upperBound)\"" },
        ]
        var events: [String] = []
        var expected: [String] = []
        for attribute in attributes {
            for a in hours {
                for b in hours {
                    for c in hours {
                        let windows = [a, b, c].map { "<during zone=\"UTC\" \(attribute($0))/>" }.joined()
                        events.append(
                            StorySamples.event(
                                "e\(events.count)", at: (Double(events.count) / 100, 0),
                                "<condition><all>\(windows)</all></condition>"))
                        if !a.overlaps(b) || !b.overlaps(c) || !a.overlaps(c) {
                            expected.append(
                                "\(events.count + 1): warning: its condition can never hold: "
                                    + "its windows are never open together")
                        }
                    }
                }
            }
        }
        #expect(try issues(StorySamples.chapter(events.joined(separator: "\n")), in: ".") == expected)
    }

    /// So many windows that comparing each with each would take longer than the limit.
    @Test(.timeLimit(.minutes(1)), arguments: [(17, 0), (11, 1)])
    func manyWindowsAreCompared(_ closing: Int, _ count: Int) throws {
        // All are open from 11:59 to 12:00, except for a last one that closes at 11:00 or 17:00.
        // An element has at most 1000 children, so they are in groups.
        let windows = (0..<990).map { index in
            let (hour, minute) = (index / 60 % 12, index % 60)
            let from = "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
            return "<during zone=\"UTC\" from=\"\(from)\" until=\"12:00\"/>"
        }
        let groups = String(repeating: "<all>\(windows.joined())</all>", count: 51)
        let last = "<during zone=\"UTC\" from=\"01:00\" until=\"\(closing):00\"/>"
        let xml = StorySamples.chapter(
            StorySamples.event("e", "<condition><all>\(groups)\(last)</all></condition>"))
        #expect(try issues(xml, in: ".").count == count)
    }

    /// A chain of conditions through the whole story, against its order.
    @Test(.timeLimit(.minutes(1))) func longChainsAreFollowed() throws {
        let events = (0..<3000).map { index in
            let condition = index < 2999 ? "<condition><found event=\"e\(index + 1)\"/></condition>" : ""
            return StorySamples.event("e\(index)", at: (Double(index) / 1000, 0), condition)
        }
        #expect(try issues(StorySamples.chapter(events.joined(separator: "\n")), in: ".") == [])
    }

    @Test func lockboxesOfLaterChaptersAreNoticed() throws {
        let waits = StorySamples.event("e", "<condition><opened lockbox=\"l\"/></condition>")
        let xml = StorySamples.chapter(waits).replacing(
            "</story>",
            with: """
                <chapter id="d"><name>D</name><lockbox id="l"><question>Q</question><answer>A</answer><hint>H</hint></lockbox>\
                </chapter></story>
                """)
        #expect(try issues(xml, in: ".") == ["2: warning: it waits for the lockbox 'l' of a later chapter"])
    }

    /// Every error has its own location, even in one event and with the same text twice.
    @Test func whatIsNamedHasItsPlace() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write(StorySamples.gif, to: "\(folder)/there.jpg")
            try OutputFile.write([1], to: "\(folder)/there.mp3")
            let xml = """
                <story id="s" language="en"><name>S</name>
                  <cover source="cover.jpg" alt="A"/>
                  <chapter id="c"><name>C</name>
                    <image source="there.jpg"/>
                    <event id="e"><name>E</name><position latitude="1" longitude="1"/><activation radius="5"/>
                      <camera recipe="nowhere.yml"><clue>C</clue>
                        <sample source="there.jpg" alt="A"/>
                        <filter>sepia-tne</filter>
                        <filter>sepia-tne</filter>
                        <overlay>none.png@north</overlay>
                        <text style="sze=5%">T</text>
                      </camera>
                      <journal><title>T</title>
                        <radio>
                          <audio source="there.mp3"/>
                          <visualizer meter="vuu"/>
                        </radio>
                      </journal>
                    </event>
                  </chapter>
                </story>
                """
            let places = try issues(xml, in: folder).map { $0.prefix { $0 != " " } }
            #expect(places == ["2:", "4:", "6:", "8:", "9:", "10:", "11:", "15:", "16:"], "\(places)")
        }
    }

    /// A quarter of a meridian is 10007.557 km on a sphere of the Earth's mean radius.
    @Test func distancesAreGreatCircles() {
        let equator = GeoPoint(latitude: 0, longitude: 10)
        #expect(abs(equator.distance(to: GeoPoint(latitude: 90, longitude: 77)) - 10_007_557) < 1)
        #expect(
            abs(
                GeoPoint(latitude: 0, longitude: 179.5).distance(to: GeoPoint(latitude: 0, longitude: -179.5)) - 111_195
            ) < 1)
    }

    /// Four corners of a square, in an order that crosses it: the shortest walk from a corner is three sides.
    @Test func walksThroughFreeEventsAreShort() throws {
        let corners = [(0.0, 0.0), (0.01, 0.01), (0.0, 0.01), (0.01, 0.0)]
        let events = corners.enumerated().map { StorySamples.event("e\($0.offset)", at: $0.element) }.joined()
        let free = try #require(try StorySamples.read(StorySamples.chapter(events)).story)
        let side = 1111.95
        #expect(abs(try #require(ChapterWalk(through: free.chapters[0])).metres - 3 * side) < 1)
        let sequence = try #require(
            try StorySamples.read(StorySamples.chapter(events, attributes: " order=\"sequence\"")).story)
        #expect(abs(try #require(ChapterWalk(through: sequence.chapters[0])).metres - (2 * 1.41421 + 1) * side) < 1)
    }
    /// Schema errors hide no other issues: all are reported at once, by line, each once.
    @Test func errorsOfTheSchemaHideNoMissingFiles() throws {
        try Fixture.withFolder { folder in
            let contents = [
                "<scrapbook><image source=\"missing.jpg\" alt=\"A\"/></scrapbook>",
                "<scrapbook><image alt=\"A\"/><image source=\"../out.jpg\" alt=\"A\"/></scrapbook>",
                "<scrapbok><image source=\"hidden.jpg\" alt=\"A\"/></scrapbok>",
                "<camera colour=\"red\"><clue>C</clue><filter>sepia-tne</filter></camera>",
            ]
            let found = try issues(Self.chapter(ofEventsWith: contents), in: folder)
            #expect(found.map { $0.prefix(2) } == ["2:", "3:", "3:", "4:", "4:", "5:", "5:"], "\(found)")
            #expect(Set(found).count == found.count)
            for words in [
                "'missing.jpg': no such file", "'../out.jpg': leads out", "<image> has no 'source'", "<scrapbook>",
                "'hidden.jpg': no such file", "no attribute 'colour'", "sepia-tone",
            ] {
                #expect(found.count { $0.contains(words) } == 1, "\(words) in \(found)")
            }
        }
    }

    /// Overlays and the images of recipes are opened, as in `prepare`.
    @Test func imagesOfTreatmentsAreOpened() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write(Array("no image".utf8), to: "\(folder)/text.png")
            try OutputFile.write(Fixture.bytes(Fixture.media("overlays/badge.png")), to: "\(folder)/badge.png")
            try OutputFile.write(Array("overlays:\n  - image: text.png\n".utf8), to: "\(folder)/bad.yml")
            try OutputFile.write(Array("overlays:\n  - image: badge.png\n".utf8), to: "\(folder)/good.yml")
            let cameras = [
                "<camera><clue>C</clue><overlay>text.png@north</overlay></camera>",
                "<camera recipe=\"bad.yml\"><clue>C</clue></camera>",
                "<camera recipe=\"good.yml\"><clue>C</clue><overlay>badge.png@north</overlay></camera>",
            ]
            let found = try issues(Self.chapter(ofEventsWith: cameras), in: folder)
                .filter { $0.contains("error") }
            #expect(found.map { $0.prefix(2) } == ["2:", "3:"], "\(found)")
            #expect(found.allSatisfy { $0.contains("'text.png': ") }, "\(found)")
        }
    }

    @Test func captionsAreFilesOfOneLanguage() throws {
        try Fixture.withFolder { folder in
            for file in ["a.mp4", "a.mkv"] { try OutputFile.write([1], to: "\(folder)/\(file)") }
            let captions = ["a.vtt", "a.mkv", "../b.srt"].map { "<captions source=\"\($0)\"/>" }.joined()
            let other = "<captions source=\"a.mkv\" language=\"de\"/>"
            let xml = StorySamples.chapter(
                StorySamples.event(
                    "e",
                    content: """
                        <scrapbook><video source="a.mp4" alt="A">\(captions)</video>
                        <video source="a.mp4" alt="A">\(other)</video></scrapbook>
                        """))
            #expect(
                try issues(xml, in: folder) == [
                    "2: error: 'a.vtt': no such file or directory",
                    "2: error: '../b.srt': leads out of the story's folder; use a path in the story's folder",
                    "3: error: 'a.mkv' has captions in 'en' and in 'de'; each language has a file",
                ])
        }
    }
}
