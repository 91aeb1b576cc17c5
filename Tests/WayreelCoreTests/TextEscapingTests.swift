import Foundation
import FoundationXML
import Testing
import WayreelCore

/// Escaped text is parsed back by Foundation's parsers.
@Suite struct TextEscapingTests {
    private static let text = "a<b & \"c\" 'd' > e\\f/g\n\tü\u{1F514}"

    @Test func jsonStringsAreReadBack() throws {
        let controls = String(String.UnicodeScalarView((0..<0x20).map { Unicode.Scalar($0) }))
        for text in [Self.text, controls, "", "\u{7F}\u{2028}"] {
            let decoded = try JSONDecoder().decode(String.self, from: Data(text.jsonQuoted.utf8))
            #expect(decoded == text)
        }
        // RFC 8259, section 7.
        #expect("\"\\\u{1}\u{1F}\n".jsonQuoted == #""\"\\\u0001\u001f\n""#)
    }

    /// Embeddings, overrides and isolates (UAX 9, section 2) would turn the rest of a message; marks of a direction, which
    /// Arabic and Hebrew need, do not.
    @Test func messagesAreOneLineInOneDirection() {
        let error = MediaError(
            .parameter, step: .read, subject: "a\u{202E}gpj.exe", reason: "'\u{1B}[31m\u{2028}\n\u{2067}'",
            advice: "see \u{200F}עברית\u{61C}")
        #expect(
            error.description
                == "a\\u{202E}gpj.exe: read: '\\u{1B}[31m\\u{2028}\\n\\u{2067}'; see \u{200F}עברית\u{61C}")
        #expect("\u{2068}a\u{2069}\n".onOneDrawnLine == "\u{2068}a\u{2069}\\n")
        #expect("a\u{202A}\nb\t\n".onItsLines == "a\\u{202A}\nb\\t\n")
    }

    /// XML 1.0, sections 2.4 and 3.3.3: a parser normalises line breaks and tabs in attributes, but not their
    /// references.
    @Test func xmlEscapesAreThoseOfTheStandard() {
        #expect("a<b>&\"'\n\t\r".xmlText == "a&lt;b&gt;&amp;\"'\n\t&#13;")
        #expect("a<b>&\"'\n\t\r".xmlAttribute == "a&lt;b&gt;&amp;&quot;'&#10;&#9;&#13;")
        #expect("\u{FFFE}x\u{FFFF}\0\u{8}\u{1F}".xmlText == "\u{FFFD}x\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
    }

    /// Every code point of the first two planes is accepted by another parser, in elements and in attributes.
    @Test func xmlWithAnyCodePointIsWellFormed() throws {
        for start in stride(from: 0, to: 0x20000, by: 0x400) {
            let scalars = (UInt32(start)..<UInt32(start + 0x400)).compactMap(Unicode.Scalar.init)
            let text = String(String.UnicodeScalarView(scalars))
            let parser = XMLParser(data: Data("<a b=\"\(text.xmlAttribute)\">\(text.xmlText)</a>".utf8))
            #expect(parser.parse(), "U+\(String(start, radix: 16)): \(String(describing: parser.parserError))")
        }
    }
}
