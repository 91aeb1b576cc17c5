import TestSupport
import Testing
import WayreelCore
import WayreelStory

/// Errors state the location, the mistake and the expectation; all are reported at once.
@Suite struct StoryIssueTests {
    private func issues(_ xml: String) throws -> [String] { try StorySamples.read(xml).issues.map(\.description) }

    /// What an author's file has turns nothing on a terminal: neither its colours nor the direction of its letters.
    @Test func charactersThatControlATerminalAreEscaped() throws {
        // U+202E and U+2066 of UAX 9, and U+009B, which begins an escape sequence as U+001B does.
        let found = try issues("<story id=\"a\u{202E}b\u{2066}\u{9B}31m\" language=\"en\"><name>x</name></story>")
        #expect(found.contains { $0.contains("not 'a\\u{202E}b\\u{2066}\\u{009B}31m'") }, "\(found)")
        #expect(!found.joined().unicodeScalars.contains { [0x202E, 0x2066, 0x9B].contains($0.value) })
    }

    @Test func allErrorsAreFoundAtOnce() throws {
        let found = try issues(
            """
            <story id="a" language="en"><name>x</name>
              <chapter id="é b" ordr="free"><name></name>
                <event id="e1"><name>n</name><position latitude="95" longitude="x"/><activation radius="0"/></event>
                <evnt id="e2"/>
              </chapter>
              <chapter><name>n</name></chapter>
            </story>
            """)
        #expect(
            found == [
                "s.xml:2:3: error: 'id' of <chapter> takes up to 100 letters, digits, '.', '_' and '-', beginning with a letter "
                    + "or a digit, not 'é b'",
                "s.xml:2:3: error: <chapter> has no attribute 'ordr'; did you mean 'order'?",
                "s.xml:2:33: error: <name> takes a text, not nothing",
                "s.xml:3:5: error: <event> has no kind, one of <camera>, <radio>, <scrapbook>, <goggles>, <quiz>, <exhibit>",
                "s.xml:3:34: error: 'latitude' of <position> takes degrees from -90 to 90, not '95'",
                "s.xml:3:34: error: 'longitude' of <position> takes degrees from -180 to 180, not 'x'",
                "s.xml:3:73: error: 'radius' of <activation> takes metres above 0, at most 100000, not '0'",
                "s.xml:4:5: error: there is no <evnt> here; did you mean <event>?",
                "s.xml:6:3: error: <chapter> has no 'id', which it needs",
            ])
    }

    @Test(arguments: [
        ("<story>", "1:8: error: Premature end of data in tag story line 1"),
        ("", ": error: there is nothing in it"),
        ("<a>&nbsp;</a>", "1:10: error: Entity 'nbsp' not defined"),
        (
            "<story id='a' language='en'>text<name>x</name></story>",
            "1:1: error: <story> holds elements only, not the text 'text'"
        ),
        ("<!DOCTYPE a><a/>", "1:1: error: there is a document type declaration"),
        ("<a xmlns='urn:other'/>", "1:1: error: <a> is in the namespace 'urn:other'"),
    ]) func documentsAreRefused(_ xml: String, _ issue: String) throws {
        let document = try StorySamples.read(xml)
        #expect(document.story == nil)
        #expect(
            document.issues.contains { $0.description.hasPrefix("s.xml\(issue.hasPrefix(":") ? "" : ":")\(issue)") },
            "\(document.issues)")
    }

    /// Ten levels of ten entities each would expand to 10^10 characters.
    @Test func aBillionLaughsAreRefused() throws {
        let entities = (1...10).map { level in
            "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
        }
        let xml = "<!DOCTYPE s [<!ENTITY l0 \"ha\">\(entities.joined())]><story>&l10;</story>"
        #expect(try issues(xml).count == 1)
        let external = "<!DOCTYPE s [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><story>&x;</story>"
        #expect(
            try issues(external) == [
                "s.xml:1:1: error: there is a document type declaration; a story has none, and its entities are not read"
            ])
    }

    @Test func absurdNestingIsRefused() throws {
        let deep = String(repeating: "<all>", count: 5000) + String(repeating: "</all>", count: 5000)
        let document = try StorySamples.read(
            StorySamples.chapter(StorySamples.event("e", "<condition>\(deep)</condition>")))
        #expect(document.issues.map(\.message) == ["elements are nested more than 64 deep"])
        let yaml = "story: " + String(repeating: "[", count: 5000)
        let issues = try StoryDocument.read(Array(yaml.utf8), as: .yaml).issues
        #expect(issues.count == 1)
    }

    @Test func hugeDocumentsAreRefused() throws {
        let error = #expect(throws: MediaError.self) {
            try StoryDocument.read([UInt8](repeating: 32, count: 200_000_000), as: .xml)
        }
        #expect(error?.kind == .limit)
    }

    @Test func idsAreUnique() throws {
        let xml = StorySamples.chapter(
            "\(StorySamples.event("a"))\n\(StorySamples.event("b"))\n\(StorySamples.event("a", at: (36, 5)))")
        #expect(
            try issues(xml) == ["s.xml:4:1: error: there is another event 'a' on line 2; ids are unique in a story"])
    }

    @Test func conditionsNameWhatThereIs() throws {
        let found = "<condition><any><found event=\"towr\"/><opened lockbox=\"x\"/></any></condition>"
        let xml = StorySamples.chapter("\(StorySamples.event("tower"))\n\(StorySamples.event("b", found))")
        #expect(
            try issues(xml) == [
                "s.xml:3:1: error: a condition names the event 'towr', which there is not; did you mean 'tower'?",
                "s.xml:3:1: error: a condition names the lockbox 'x', which there is not",
            ])
    }

    @Test func circlesOfConditionsAreFound() throws {
        func waits(_ id: String, for other: String) -> String {
            StorySamples.event(id, "<condition><found event=\"\(other)\"/></condition>")
        }
        let circle = [waits("a", for: "b"), waits("b", for: "c"), waits("c", for: "a"), waits("d", for: "a")]
        #expect(
            try issues(StorySamples.chapter(circle.joined(separator: "\n"))) == [
                "s.xml:2:1: error: the conditions of these events wait for each other: a → b → c → a"
            ])
        // One of the two is sufficient.
        let escape = "<condition><any><found event=\"b\"/><found event=\"c\"/></any></condition>"
        let open = [StorySamples.event("a", escape), waits("b", for: "a"), StorySamples.event("c")]
        #expect(try issues(StorySamples.chapter(open.joined(separator: "\n"))).isEmpty)
    }

    /// Locations count characters, regardless of their size in bytes.
    @Test(arguments: ["UTF-8", "UTF-16LE", "UTF-16BE", "ISO-8859-1"])
    func encodingsDoNotMovePlaces(encoding: String) throws {
        let declared = encoding.hasPrefix("UTF-16") ? "UTF-16" : encoding
        let xml = """
            <?xml version="1.0" encoding="\(declared)"?>
            <story id="a" language="de"><name>Käfer über Käfer</name>
              <chapter id="c"><name>Öl</name><location latitude="99" longitude="5"/></chapter>
            </story>
            """
        let units = [UInt16(0xFEFF)] + Array(xml.utf16)
        let bytes: [UInt8] =
            switch encoding {
            case "UTF-16LE": units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            case "UTF-16BE": units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            case "ISO-8859-1": xml.unicodeScalars.map { UInt8($0.value) }
            default: Array(xml.utf8)
            }
        #expect(
            try StoryDocument.read(bytes, as: .xml, name: "s.xml").issues.map(\.description) == [
                "s.xml:3:34: error: 'latitude' of <location> takes degrees from -90 to 90, not '99'; "
                    + "are latitude and longitude swapped?"
            ])
    }

    @Test func yamlErrorsHavePlaces() throws {
        let yaml = """
            story:
              id: a
              language: en
              name: x
              chapters:
                - id: c
                  name: n
                  evnts: []
                  events:
                    - id: e
                      name: [a]
                      position: {latitude: 99, longitude: 5}
                      activation: {radius: 5}
                      scrapbook:
                        - text: hello
                        - foo: x
            """
        #expect(
            try StoryDocument.read(Array(yaml.utf8), as: .yaml, name: "s.yml").issues.map(\.description) == [
                "s.yml:8:7: error: 'chapter' has no 'evnts'; did you mean 'events'?",
                "s.yml:11:17: error: 'name' takes a text, not a list",
                "s.yml:12:11: error: 'latitude' of 'position' takes degrees from -90 to 90, not '99'; "
                    + "are latitude and longitude swapped?",
                "s.yml:16:15: error: 'scrapbook' takes one of text, image, video, not a mapping",
            ])
    }
}
