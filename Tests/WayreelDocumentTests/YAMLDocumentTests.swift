import TestSupport
import Testing
import WayreelCore
import WayreelDocument

@Suite struct YAMLDocumentTests {
    private static let location = DocumentLocation(.recipe, file: "a.yml")

    private func parse(_ text: String) throws -> YAMLNode? {
        try YAMLDocument.parse(Array(text.utf8), at: Self.location)
    }

    private func message(_ text: some Collection<UInt8>) -> String {
        do throws(MediaError) {
            return "no error: \(String(describing: try YAMLDocument.parse(Array(text), at: Self.location)))"
        } catch {
            return error.description
        }
    }

    /// A tree without locations, for comparisons.
    private indirect enum Plain: Equatable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
        ExpressibleByDictionaryLiteral
    {
        case text(String)
        case list([Plain])
        case map([String: Plain])

        init(stringLiteral value: String) { self = .text(value) }
        init(arrayLiteral elements: Plain...) { self = .list(elements) }
        init(dictionaryLiteral elements: (String, Plain)...) {
            self = .map(Dictionary(uniqueKeysWithValues: elements))
        }

        init(_ node: YAMLNode) {
            switch node.content {
            case .scalar(let text, _): self = .text(text)
            case .sequence(let items): self = .list(items.map(Plain.init))
            case .mapping(let fields):
                self = .map(Dictionary(uniqueKeysWithValues: fields.map { ($0.key, Plain($0.value)) }))
            }
        }
    }

    @Test func readsYAML() throws {
        let node = try #require(
            try parse(
                """
                # a comment
                a: 1
                b: [x, "y\\tz", 'it''s']
                c:
                  - d: |
                      two
                      lines
                  - {e: 5%, f: }
                """))
        #expect(
            Plain(node) == [
                "a": "1", "b": ["x", "y\tz", "it's"], "c": [["d": "two\nlines\n"], ["e": "5%", "f": ""]],
            ])
        let fields = try #require(node.fields)
        #expect(fields.map(\.keyLocation.line) == [2, 3, 4])
        #expect(fields[1].value.items?[2].location.column == 16)
        #expect(fields[2].value.items?[1].fields?[0].keyLocation.line == 8)
    }

    @Test func readsJSON() throws {
        let text = """
            {"a":1,"b":[true,null,-2.5e3],"c":{"d":"\\u00e9\\/\\"\\ud83d\\udd14\\\\ud83d\\udd14"},
            \t"tab":\t"x\\ny" , "empty": {}, "none": []}
            """
        let node = try #require(try parse(text.replacing("\\\\ud83d\\udd14", with: "\\\\ud83d")))
        #expect(
            Plain(node) == [
                "a": "1", "b": ["true", "null", "-2.5e3"], "c": ["d": "é/\"🔔\\ud83d"], "tab": "x\ny", "empty": [:],
                "none": [],
            ])
        #expect(node.fields?[1].value.items?[1].isNull == true)
    }

    @Test func takesAByteOrderMarkAndCarriageReturns() throws {
        let node = try #require(try parse("\u{FEFF}a: 1\r\nb: 2\r\n"))
        #expect(Plain(node) == ["a": "1", "b": "2"])
        #expect(node.fields?[1].keyLocation.line == 2)
    }

    @Test(arguments: ["", "\n\n", "# only this\n", "---\n# nothing\n..."])
    func emptyOverlaysDrawNothing(text: String) throws {
        let node = try parse(text)
        #expect(node == nil || node?.isNull == true)
    }

    @Test func resolvesAliases() throws {
        let node = try #require(try parse("a: &style {size: 5}\nb: *style\n"))
        #expect(Plain(node) == ["a": ["size": "5"], "b": ["size": "5"]])
        #expect(node.fields?[1].value.location.line == 2)
    }

    @Test(arguments: [
        ("a: 1\nb: 2\na: 3", "a.yml:3: recipe: 'a' is given twice, first on line 1"),
        ("a: 1\n---\nb: 2", "a.yml:2: recipe: a second document starts here; use one document per file"),
        ("a: *b", "a.yml:1: recipe: unknown anchor '&b'"),
        ("a: &b\n  - 1\n  - *b", "a.yml:3: recipe: '*b' would contain itself"),
        (
            "a: !!binary aGk=",
            "a.yml:1: recipe: tags ('tag:yaml.org,2002:binary') are not supported; put a text that begins with ! in quotes"
        ),
        ("a: \"x\\0y\"", "a.yml:1: recipe: a text may not hold a NUL character"),
        ("[a]: b", "a.yml:1: recipe: a key must be a plain word, not a list"),
        (
            "a: [1, 2\nb: 3",
            "a.yml:1: recipe: the list that begins here has no ']', or a comma is missing in it; "
                + "put texts with , # [ ] { } or ': ' in quotes"
        ),
        (
            "a:\n\t- 1",
            "a.yml:2: recipe: the line is indented with a tab; indent with spaces"
        ),
        (
            "a: \"\\ud83d\"",
            "a.yml:1: recipe: found invalid Unicode character escape code while parsing a quoted scalar"
        ),
    ])
    func refuses(text: String, expected: String) {
        #expect(message(text.utf8) == expected)
    }

    /// Mistakes of people who write texts, in their words. The second line of each is the wrong one, unless another is
    /// given.
    @Test(arguments: [
        ("d: Treze: em barro", 2, "the text has a ': ' in it; put it in quotes: d: \"Treze: em barro\""),
        ("l:\n- d: Say \"a: b\"", 3, "the text has a ': ' in it; put it in quotes: d: 'Say \"a: b\"'"),
        (
            "x: a\n  y: b", 3,
            "the line is indented deeper than its key allows; indent it like the keys beside it, or put a text of several "
                + "lines in quotes"
        ),
        ("d: ? a", 2, "a text cannot begin with '? '; put it in quotes"),
        (
            "d: \"A text\ne: f\ng: {h: \"i\"}", 2,
            "the quotation mark that begins the text of this line is closed only in line 4"
        ),
        ("d:\u{A0}a\ne: f", 2, "the line has a no-break space, or one of another kind, where YAML needs a space"),
        ("d:\n  - a: 1\n\u{A0}   b: 2\n    c: 3", 4, "the line has a no-break space, or one of another kind"),
        ("d\u{FF1A}a\ne: f", 2, "the line has a full-width colon; type ': ' over it"),
        ("\td: x", 2, "the line is indented with a tab; indent with spaces"),
        ("d: @home", 2, "a text cannot begin with '@'; put it in quotes"),
        ("d: **bold** text", 2, "a text cannot begin with '*'; put it in quotes"),
        ("d: &", 2, "a text cannot begin with '&'; put it in quotes"),
        ("d: \"abc\ne: f", 2, "a quotation mark that begins here is never closed"),
        ("d: \"C:\\photos\"", 2, "there is no '\\p' within \"…\"; write \\\\ for a backslash, or use '…'"),
        ("d: 'It's here'", 2, "there is text after the closing quotation mark"),
        ("d: \"A\" and B\ne: f", 2, "there is text after the closing quotation mark"),
        ("d:\n    a: 1\n   b: 2", 4, "the line is not indented like the other keys of its mapping"),
        ("name Santa Cruz\ne: f", 2, "the line is neither 'key: value' nor a part of the text above"),
        ("d: - a", 2, "a list cannot begin here; put each '- item' on a line of its own, below the key"),
        (
            "d: {a: Santa Cruz #1}\ne: f", 2,
            "put texts with , # [ ] { } or ': ' in quotes; from ' #' on, a line is a comment"
        ),
    ])
    func namesMistakesInPlainWords(text: String, line: Int, words: String) {
        let found = message("first: 1\n\(text)".utf8)
        #expect(found.hasPrefix("a.yml:\(line): recipe: ") && found.contains(words), "\(found)")
    }

    /// Comments are where a `#` follows white space outside of quotes and literal texts.
    @Test func findsComments() throws {
        let text = """
            # é one
            a: b #two
            c: "x #not" # three
            d: |
              text # not
            e: x#not
            f: [é, #four
              g]
            # five
            """
        var found: [String] = []
        _ = try YAMLDocument.parse(Array(text.utf8), at: Self.location) { comment in
            found.append("\(comment.location.line):\(comment.location.column) \(comment.text) \(comment.followsText)")
        }
        #expect(
            found == [
                "1:1 # é one false", "2:6 #two true", "3:13 # three false", "7:8 #four false", "9:1 # five false",
            ])
    }

    @Test func refusesBytesThatAreNoText() {
        #expect(
            message([0x61, 0x3A, 0x20, 0x0A, 0x62, 0x00])
                == "a.yml:2: recipe: the line has a control character U+0000; remove it")
        let latin = message([0x61, 0x3A, 0x0A, 0x0A, 0xC3, 0x28])
        #expect(latin.hasPrefix("a.yml:3: recipe: this is not UTF-8 text") && latin.hasSuffix("; save it as UTF-8"))
        for bytes in [[0xFF, 0xFE, 0x61, 0x00], [0xFE, 0xFF, 0x00, 0x61], [0x00, 0x61, 0x00, 0x3A]] as [[UInt8]] {
            #expect(message(bytes) == "a.yml:1: recipe: this is not UTF-8 text but UTF-16; save it as UTF-8")
        }
    }

    /// `&` begins a mark for `*`; a text that begins with it loses its first word.
    @Test func findsAnchorsWithoutAnAlias() throws {
        var found: [String] = []
        _ = try YAMLDocument.parse(
            Array("a: &Co Ltd\nb: &c 1\nd: *c\ne: &f {g: 1}\n".utf8), at: Self.location,
            onUnusedAnchor: { found.append("\($1.line):\($1.column) \($0)") })
        #expect(found == ["1:4 Co", "4:4 f"])
    }

    @Test func rejectsExcessiveInput() {
        let laughs = (1...9).map { i in
            "l\(i): &l\(i) [\((0..<9).map { _ in i == 1 ? "lol" : "*l\(i - 1)" }.joined(separator: ", "))]"
        }
        #expect(message(laughs.joined(separator: "\n").utf8) == "a.yml:5: recipe: more than 20000 values")
        let deep = String(repeating: "[", count: 100_000)
        #expect(message(deep.utf8) == "a.yml:1: recipe: nested more than 32 deep")
        let dashes = String(repeating: "- ", count: 100_000)
        #expect(message(dashes.utf8) == "a.yml:1: recipe: nested more than 32 deep")
        let links = (1...4).map { "a\($0): &a\($0) [[[[[[[[[[\($0 == 1 ? "x" : "*a\($0 - 1)")]]]]]]]]]]" }
        #expect(message(links.joined(separator: "\n").utf8) == "a.yml:4: recipe: nested more than 32 deep")
        let many = String(repeating: "- a\n", count: 20_001)
        #expect(message(many.utf8) == "a.yml:20000: recipe: more than 20000 values")
        #expect(
            message([UInt8](repeating: 0x20, count: 1 << 20 + 1))
                == "a.yml: recipe: 1048577 bytes are more than a recipe may have, 1048576")
    }

    @Test func randomBytesNeverHarm() {
        var random = SeededRandom(seed: 4)
        let alphabet = Array("ab:-[]{},&*!|>'\"%@`#\\?\n\n  \t\r~<=0u".utf8) + [0, 0x80, 0xC3, 0xA9, 0xEF, 0xBB, 0xBF]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in alphabet.randomElement(using: &random)!
            }
            let text = message(bytes)
            #expect(!text.contains("\n") || text.hasPrefix("no error"))
        }
    }
}
