import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelStory

@Suite struct StoryCheckTests {
    private func issues(_ xml: String, in folder: String) throws -> [String] {
        try StorySamples.read(xml).checked(in: folder).issues.map {
            "\($0.line): \($0.severity.rawValue): \($0.message)"
        }
    }

    /// The folder's name is the beginning of its neighbour's.
    @Test func nothingOutsideOfTheFolderIsNamed() throws {
        try Fixture.withFolder { root in
            for folder in ["story", "story2"] { mkdir("\(root)/\(folder)", 0o755) }
            for file in ["story/in.jpg", "story2/out.jpg"] { try OutputFile.write([1], to: "\(root)/\(file)") }
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

    @Test func treatmentsAndMetersExist() throws {
        try Fixture.withFolder { folder in
            let cameras = [
                "<camera><clue>C</clue><filter>sepia-tne</filter></camera>",
                "<camera recipe=\"old-postcrd\"><clue>C</clue></camera>",
                "<camera recipe=\"old-postcard\"><clue>C</clue><filter>noir</filter></camera>",
                "<camera><clue>C</clue><overlay>../x.png@north</overlay></camera>",
                "<camera><clue>C</clue><text style=\"sze=5%\">T</text></camera>",
            ]
            let events = cameras.enumerated().map {
                StorySamples.event("e\($0.offset)", at: (Double($0.offset), 0), content: $0.element)
            }
            let found = try issues(StorySamples.chapter(events.joined(separator: "\n")), in: folder)
                .filter { $0.contains("error") }
            #expect(found.count == 4 && found.map { $0.prefix(2) } == ["2:", "3:", "5:", "6:"], "\(found)")
            #expect(found[0].contains("sepia-tone") && found[3].contains("size"))
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
                "2: warning: nobody can reach it: in a sequence it comes before 'b', which it waits for"
            ])
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
}
