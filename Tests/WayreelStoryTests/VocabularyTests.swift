import TestSupport
import Testing
import WayreelCore
import WayreelStory

/// Documents are checked against the vocabulary, of which the XML Schema is made: xmllint comes to the same verdicts.
@Suite struct VocabularyTests {
    /// Errors that XML Schema cannot express.
    private static let later = [
        "there is another ", "a condition names ", "the time zone ", "the trigger 'dwell'", "the trigger 'code'",
        "' is that of '", "minScalingDistance is not", "scalingFactor needs", "two choices or more",
        "no choice that is", "conditions of these events",
        "an exhibit names ", "has captions in ", "is empty; it takes a text, or <value>", "and <value>, but not both",
        "the story has no field ", "there are two translations of ", "' takes a text, not a list of texts",
        "a translation is into another language", "is the pseudo-language", "> has no words",
    ]

    /// The elements of rich texts.
    private static let markup = "<p>, <em>, <strong>, <a>, <ul>, <ol> or <blockquote>"

    @Test(arguments: [1, 2, 3] as [UInt64])
    func xmllintComesToTheSameVerdict(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let story = String(decoding: try Fixture.bytes(StorySamples.path("every-kind.xml")), as: UTF8.self)
        try Fixture.withFolder { folder in
            try OutputFile.write(Array(StoryDocument.schema.utf8), to: "\(folder)/story.xsd")
            var documents: [String] = []
            for number in 0..<250 {
                var markup = Markup(story)
                for _ in 0...number % 2 { markup.change(&random) }
                let document = markup.tokens.joined()
                documents.append(document)
                try OutputFile.write(Array(document.utf8), to: "\(folder)/\(number).xml")
            }
            let names = documents.indices.map { "\(folder)/\($0).xml" }
            let outcome = try Command(
                "/usr/bin/xmllint", ["--nonet", "--noout", "--schema", "\(folder)/story.xsd"] + names
            ).run()
            let lines = Set(outcome.errors.split(separator: "\n").map(String.init))
            var verdicts: Set<Bool> = []
            for (name, document) in zip(names, documents) {
                let isValid = lines.contains("\(name) validates")
                #expect(isValid || lines.contains("\(name) fails to validate"), "\(name): \(document)")
                let errors = try StoryDocument.read(Array(document.utf8), as: .xml).issues.filter { issue in
                    issue.severity == .error && !Self.later.contains { issue.message.contains($0) }
                }
                #expect(errors.isEmpty == isValid, "seed \(seed), \(name): \(errors.map(\.message)) \(document)")
                verdicts.insert(isValid)
            }
            #expect(verdicts == [true, false])
        }
    }

    /// What an element may not hold, and the beginning of a document.
    @Test(arguments: [
        ("<location latitude=\"1\" longitude=\"2\">T</location>", "<location> holds attributes only, not the text 'T'"),
        ("<location latitude=\"1\" longitude=\"2\"> </location>", "<location> holds attributes only, not white space"),
        ("<location latitude=\"1\" longitude=\"2\"><a/></location>", "<location> holds attributes only, not <a>"),
        (
            "<lockbox id=\"l\"><question>Q</question><answer>A<b/></answer></lockbox>",
            "<b> is in the text of <answer>, which has no markup: remove it, or write &lt; for <"
        ),
        (
            "<lockbox id=\"l\"><question>Q<b/></question><answer>A</answer></lockbox>",
            "<b> is in the text of <question>, which takes \(Self.markup); write <strong>"
        ),
        ("<lockbox id=\"l\">Q</lockbox>", "<lockbox> holds elements only, not the text 'Q'"),
        (
            StorySamples.event("e", "<condition><found event=\"e\"/><found event=\"e\"/></condition>"),
            "<found> is not expected here"
        ),
        (
            StorySamples.event("e", "<condition><foo/></condition>"),
            "<foo> is not expected here, but <all>, <any>, <not>, <found>, <opened> or <during>"
        ),
        (
            StorySamples.event("e", content: "<scrapbook><text><value>V</value></text></scrapbook>"),
            "<value> is in the text of <text>, which takes \(Self.markup)"
        ),
    ])
    func whatAnElementHolds(part: String, words: String) throws {
        let messages = try StorySamples.read(StorySamples.chapter(part)).issues.map(\.message)
        #expect(messages.contains(words), "\(messages)")
    }

    /// A translated text is a text, or a list of texts.
    @Test(arguments: [
        ("T<value>V</value>", "<text> holds the text 'T' and <value>, but not both"),
        (" ", "<text> is empty; it takes a text, or <value> for each text of a list"),
        ("<value/>", "<value> takes a text, not nothing"),
        (
            "<value>V</value><b/>",
            "<b> is in the text of <text>, which takes \(Self.markup); write <strong>"
        ),
        ("<text/>", "<text> is in the text of <text>, which takes \(Self.markup)"),
    ])
    func whatATranslatedTextHolds(content: String, words: String) throws {
        let translation = "<translation language=\"de\"><text key=\"story/name\">\(content)</text></translation>"
        let story = StorySamples.chapter("").replacing("</story>", with: "\(translation)</story>")
        #expect(try StorySamples.read(story).issues.map(\.message).contains(words))
    }

    @Test(arguments: [
        ("<stry/>", "there is no <stry> here; did you mean <story>?"),
        ("<html/>", "<html> is not expected here, but <story>"),
    ])
    func theRootIsAStory(xml: String, words: String) throws {
        #expect(try StorySamples.read(xml).issues.first?.message == words)
    }
}

/// A document as tags and texts, which changes by chance and stays well-formed.
private struct Markup {
    var tokens: [String]

    private static let values = [
        "", " ", "0", "-1", "1", "2", "01", "+1", "1.0", ".5", "5.", ".", "-", "1e3", "90", "90.1", "-180.5", "1000.5",
        "100001", "x", "the tower", "_a", "A.b_c-d", "\u{E9}", "true", "TRUE", "2026-02-29", "2024-02-29", "2026-6-1",
        "0000-01-01", "2026-06-01Z", "24:00", "24:01", "7:05", " 10:00 ", "fri sat", "fri  sat", "fri,sat", "Fri",
        "UTC",
        "New York", "a//b", "en", "de-AT-1996", "e1", "1e", "en_US", "languages", "sequence", "exit", "list", "bars",
        "38\u{B0}43'20\u{2033}N", "\u{A0}", String(repeating: "x", count: 100), String(repeating: "y", count: 101),
        String(repeating: "\u{E9}", count: 4000), String(repeating: "z", count: 4001),
    ]

    private static let texts = ["", " ", "\n", "\u{A0}", "text", "<foo/>", "<text>T</text>", "&lt;"]

    init(_ document: String) { tokens = document.matches(of: /<[^>]*>|[^<]+/).map { String($0.output) } }

    /// The tokens of each element but the root.
    private var elements: [Range<Int>] {
        var (open, elements): ([Int], [Range<Int>]) = ([], [])
        for (index, token) in tokens.enumerated() where token.hasPrefix("<") && !token.hasPrefix("<?") {
            if !token.hasPrefix("</") { open.append(index) }
            if token.hasPrefix("</") || token.hasSuffix("/>"), let start = open.popLast(), !open.isEmpty {
                elements.append(start..<index + 1)
            }
        }
        return elements
    }

    private func name(of element: Range<Int>) -> String {
        String(tokens[element.lowerBound].dropFirst().prefix { !" />".contains($0) })
    }

    /// Changes one element, or one of its attributes.
    mutating func change(_ random: inout SeededRandom) {
        guard let element = elements.randomElement(using: &random), let other = elements.randomElement(using: &random)
        else { return }
        let start = element.lowerBound
        let text = Markup(Self.texts.randomElement(using: &random) ?? "").tokens
        switch Int.random(in: 0..<9, using: &random) {
        case 0: tokens.removeSubrange(element)
        case 1: tokens.insert(contentsOf: Array(tokens[element]), at: other.lowerBound)
        case 2: tokens.replaceSubrange(element, with: Array(tokens[other]))
        case 3:
            let known = name(of: element)
            let name = Bool.random(using: &random) ? name(of: other) : known.dropLast() + "x"
            for index in Set([start, element.upperBound - 1]) {
                tokens[index] = tokens[index].replacing(known, with: name, maxReplacements: 1)
            }
        case 4: tokens.insert(contentsOf: text, at: element.upperBound)
        case 5 where element.count == 3: tokens.replaceSubrange(start + 1..<start + 2, with: text)
        default: changeAttribute(&random)
        }
    }

    private mutating func changeAttribute(_ random: inout SeededRandom) {
        let attribute = /\ ([a-zA-Z]+)="([^"]*)"/
        let tags = tokens.indices.filter { tokens[$0].contains(attribute) && !tokens[$0].hasPrefix("<?") }
        guard let tag = tags.randomElement(using: &random),
            let found = tokens[tag].matches(of: attribute).randomElement(using: &random), found.output.1 != "xmlns"
        else { return }
        let value = Self.values.randomElement(using: &random) ?? ""
        let changed = [
            "", " \(found.output.1)x=\"\(found.output.2)\"", " \(found.output.1)=\"\(value)\"",
            " \(found.output.1)=\"\(value)\"",
        ]
        tokens[tag].replaceSubrange(found.range, with: changed.randomElement(using: &random) ?? "")
    }
}
