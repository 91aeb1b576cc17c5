import Foundation
import TestSupport
import Testing
import WayreelCore
import WayreelStory

/// Rich texts in documents. The expected trees were written by a person.
@Suite struct RichTextDocumentTests {
    private typealias Block = RichText.Block

    private static func xml(_ text: String) -> String {
        "<story id=\"s\" language=\"en\"><name>S</name><description>\(text)</description>\n"
            + "<chapter id=\"c\"><name>C</name></chapter></story>"
    }

    private static func yaml(_ text: String) -> String {
        "story:\n  id: s\n  language: en\n  name: S\n  description: \(text)\n  chapters: [{id: c, name: C}]\n"
    }

    private static func line(_ words: String) -> Block { .paragraph([.text(words)]) }

    private static let read: [(String, [Block])] = [
        ("\n  A line\n  and another.\n\n  A paragraph.\n", [line("A line and another."), line("A paragraph.")]),
        (
            "Ring <strong>once</strong> &amp; <em> wait </em>!",
            [
                .paragraph([
                    .text("Ring "), .strong([.text("once")]), .text(" & "), .emphasis([.text("wait")]), .text(" !"),
                ])
            ]
        ),
        (
            "<em>A</em>\n\n<em>b\n\nc</em>",
            [.paragraph([.emphasis([.text("A")])]), .paragraph([.emphasis([.text("b c")])])]
        ),
        ("<p>a\n\nb</p>c<p/>", [line("a b"), line("c")]),
        (
            "Go to <a href=\" https://example.org/?a=1&amp;b=2 \">the <em>tower</em></a>.",
            [
                .paragraph([
                    .text("Go to "),
                    .link(address: "https://example.org/?a=1&b=2", [.text("the "), .emphasis([.text("tower")])]),
                    .text("."),
                ])
            ]
        ),
        ("<a href=\"tel:+43\"/>", [.paragraph([.link(address: "tel:+43", [.text("tel:+43")])])]),
        (
            "First:\n<ul>\n<li>a</li>\n<li><p>b</p><p>c</p></li><li/>\n</ul>then",
            [line("First:"), .list(start: nil, items: [[line("a")], [line("b"), line("c")]]), line("then")]
        ),
        (
            "<ol><li>a</li><li/></ol><ol start=\"8\"><li>x\n\ny<ul><li>z</li></ul></li></ol>",
            [
                .list(start: 1, items: [[line("a")], []]),
                .list(start: 8, items: [[line("x"), line("y"), .list(start: nil, items: [[line("z")]])]]),
            ]
        ),
        (
            "<blockquote>a\n\n<strong>b</strong></blockquote>",
            [.quote([line("a"), .paragraph([.strong([.text("b")])])])]
        ),
        ("**a** &lt;b&gt; - c", [line("**a** <b> - c")]),
        ("<![CDATA[a <em>b</em>]]><!-- c --> d", [line("a <em>b</em> d")]),
    ]

    @Test(arguments: read) private func textsOfXMLAreRead(text: String, blocks: [Block]) throws {
        let document = try StorySamples.read(Self.xml(text))
        #expect(document.issues.filter { $0.severity == .error } == [])
        #expect(document.story?.description?.blocks == blocks)
    }

    private static let markup = "which takes <p>, <em>, <strong>, <a>, <ul>, <ol> or <blockquote>"

    /// The places are those of the elements.
    @Test(arguments: [
        ("A\n <b>b</b>", "2:2: <b> is in the text of <description>, \(markup); write <strong>"),
        ("A\n <i>b</i>", "2:2: <i> is in the text of <description>, \(markup); write <em>"),
        ("A<br/>", "1:57: <br> is in the text of <description>, \(markup); write <p> around each paragraph"),
        ("A\n\n<h1>b</h1>", "3:1: <h1> is in the text of <description>, \(markup); write <p> with <strong>"),
        ("A <span>b</span>", "1:58: <span> is in the text of <description>, \(markup)"),
        ("A <name>b</name>", "1:58: <name> is in the text of <description>, \(markup)"),
        ("<li>a</li>", "1:56: <li> is in the text of <description>, \(markup)"),
        ("<p><p>a</p></p>", "1:59: <p> is in the text of <p>, which takes <em>, <strong> or <a>"),
        ("<em><ul><li>a</li></ul></em>", "1:60: <ul> is in the text of <em>, which takes <em>, <strong> or <a>"),
        ("<ul><p>a</p><li>b</li></ul>", "1:60: <p> is in the text of <ul>, which takes <li>"),
        ("<ul>a<li>b</li></ul>", "1:56: <ul> takes <li>, not the text 'a'"),
        ("<ol/>A", "1:56: <ol> is empty; it takes <li>"),
        ("<a>b</a>", "1:56: <a> has no 'href', which it needs"),
        ("<p class=\"x\">b</p>", "1:56: <p> has no attribute 'class'; it has none"),
        ("<a href=\"tel:1\" target=\"x\">b</a>", "1:56: <a> has no attribute 'target'; it takes href"),
        ("<ol start=\"-1\"><li>a</li></ol>", "1:56: 'start' of <ol> takes a whole number from 0 to 1000000, not '-1'"),
        (
            "<a href=\"tel:1\"><em><a href=\"tel:2\">b</a></em></a>",
            "1:76: <a> is in another <a>, but a link leads to one address"
        ),
        (
            "<a href=\"javascript:alert(1)\">b</a>",
            "1:56: <a> leads to 'javascript:alert(1)': a link takes a whole address that begins with https:, http:, mailto:, "
                + "tel: or geo:"
        ),
        ("", "1:43: <description> has no words"), ("<p> </p>", "1:43: <description> has no words"),
        (
            String(repeating: "<em>", count: 33) + "a" + String(repeating: "</em>", count: 33),
            "1:184: <description> has lists, quotes or emphasis in each other, more than 32 deep"
        ),
        (String(repeating: "é", count: 100_001), "1:43: <description> has more than 100000 characters"),
    ])
    func mistakesOfXML(text: String, message: String) throws {
        let document = try StorySamples.read(Self.xml(text))
        #expect(document.story == nil)
        #expect(document.issues.map { "\($0.line):\($0.column): \($0.message)" } == [message])
    }

    /// Marks of CommonMark, which authors of XML may try.
    @Test(arguments: [
        ("a **b c** d", "<description> has '**b c**', which players see as it is; write <strong>b c</strong>"),
        ("a *b* d", "<description> has '*b*', which players see as it is; write <em>b</em>"),
        (
            "<p>a [b](https://example.org)</p>",
            "<description> has '[b](https://example.org)', which players see as it is; write <a href=\"https://example.org\">words</a>"
        ),
        ("# A", "<description> has '# A', which players see as it is; texts have no headings"),
        ("a &lt;b&gt;", "<description> has '<b>', which players see as it is; write <strong>"),
    ])
    func marksInXML(text: String, message: String) throws {
        let issues = try StorySamples.read(Self.xml(text)).issues
        #expect(issues.map(\.message) == [message] && issues.map(\.severity) == [.warning])
    }

    /// A remark stands at its line in a literal text, and at the key of another one.
    @Test(arguments: [
        ("|\n    A\n\n    [b](javascript:c)\n", 8), (">\n    A\n\n    [b](javascript:c)\n", 5),
        ("A [b](javascript:c)", 5),
        ("\"A\\n[b](javascript:c)\"", 5),
    ])
    func remarksOfYAMLHavePlaces(text: String, line: Int) throws {
        let issues = try StoryDocument.read(Array(Self.yaml(text).utf8), as: .yaml).issues
        #expect(issues.map(\.line) == [line] && issues.map(\.severity) == [.error])
        #expect(issues.allSatisfy { $0.message.hasPrefix("'description' has a link to 'javascript:c': ") })
    }

    @Test func textsAreWrittenInXML() throws {
        var story = try #require(try StorySamples.read(Self.xml("A")).story)
        story.description = RichText(blocks: [
            .paragraph([.text("A "), .strong([.text("<b>")])]),
            .list(start: 2, items: [[Self.line("c")], [Self.line("d"), .quote([Self.line("e")])]]),
            .paragraph([.link(address: "https://x.org/?a&b", [.text("f")])]),
        ])
        #expect(
            try StoryDocument.text(of: story, as: .xml).contains(
                """
                  <description>
                    <p>A <strong>&lt;b&gt;</strong></p>
                    <ol start="2">
                      <li>c</li>
                      <li>
                        <p>d</p>
                        <blockquote>e</blockquote>
                      </li>
                    </ol>
                    <p><a href="https://x.org/?a&amp;b">f</a></p>
                  </description>

                """))
        story.description = RichText(blocks: [.paragraph([.text("A "), .emphasis([.text("b")])]), Self.line("C")])
        #expect(
            try StoryDocument.text(of: story, as: .xml).contains("<description>A <em>b</em>\n\nC</description>"))
    }

    /// Texts of chance in documents, which xmllint finds valid, and in JSON.
    @Test(arguments: 0..<4) func textsOfChanceAreKept(part: Int) throws {
        var story = try #require(try StorySamples.read(Self.xml("A")).story)
        let texts = (0..<250).map { CommonMarkWritingTests.text(seed: UInt64(20_000 + 250 * part + $0)).normalized }
        let event = try #require(
            try StorySamples.read(StorySamples.chapter(StorySamples.event("e"))).story?.chapters[0].events[0])
        story.chapters[0].events = texts.enumerated().compactMap { index, text in
            var event = event
            event.id = "e\(index)"
            event.position.latitude = Double(index) / 10
            event.description = text
            return text.blocks.isEmpty ? nil : event
        }
        for format in StoryDocument.Format.allCases {
            let text = try StoryDocument.text(of: story, as: format)
            let document = try StoryDocument.read(Array(text.utf8), as: format)
            #expect(document.issues.filter { $0.severity == .error } == [])
            for (event, read) in zip(story.chapters[0].events, document.story?.chapters[0].events ?? []) {
                #expect(read.description == event.description, "\(format): \(event.id)")
            }
        }
        #expect(try JSONDecoder().decode(Story.self, from: JSONEncoder().encode(story)) == story)
        try Fixture.withFolder { folder in
            try OutputFile.write(Array(StoryDocument.schema.utf8), to: "\(folder)/story.xsd")
            try OutputFile.write(Array(StoryDocument.text(of: story, as: .xml).utf8), to: "\(folder)/s.xml")
            let outcome = try Command(
                "/usr/bin/xmllint", ["--nonet", "--noout", "--schema", "\(folder)/story.xsd", "\(folder)/s.xml"]
            ).run()
            #expect(outcome.ending == .exited(0), "\(outcome.errors.prefix(2000))")
        }
    }
}
