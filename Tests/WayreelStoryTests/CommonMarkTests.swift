import TestSupport
import Testing
import WayreelStory

/// Texts in CommonMark's syntax. The expected trees were written by a person who knows the specification, version 0.30.
@Suite struct CommonMarkTests {
    private typealias Block = RichText.Block
    private typealias Inline = RichText.Inline

    private static func read(_ text: String) throws -> (text: RichText, remarks: [String]) {
        var remarks: [String] = []
        let read = try RichText.parse(commonMark: text) { remarks.append("\($0.line): \($0.severity): \($0.message)") }
        return (read, remarks)
    }

    private static func line(_ parts: Inline...) -> Block { .paragraph(parts) }
    private static func line(_ words: String) -> Block { .paragraph([.text(words)]) }
    private static func list(_ items: [Block]...) -> Block { .list(start: nil, items: items) }
    private static func list(_ start: Int, _ items: [Block]...) -> Block { .list(start: start, items: items) }
    private static func link(_ address: String, _ words: String) -> Inline { .link(address: address, [.text(words)]) }

    private static let words: [(String, [Block])] = [
        ("A line\nand another.\n\nA paragraph.\n\n\n", [line("A line and another."), line("A paragraph.")]),
        ("  A   line\t with  space  ", [line("A line with space")]),
        ("One\\\ntwo  \nthree", [line("One two three")]),
        ("Ring *once*.", [line(.text("Ring "), .emphasis([.text("once")]), .text("."))]),
        ("_Ring_ **once**", [line(.emphasis([.text("Ring")]), .text(" "), .strong([.text("once")]))]),
        ("***both***", [line(.emphasis([.strong([.text("both")])]))]),
        ("**a _b_ c**", [line(.strong([.text("a "), .emphasis([.text("b")]), .text(" c")]))]),
        ("*a **b***", [line(.emphasis([.text("a "), .strong([.text("b")])]))]),
        ("**Museum**s", [line(.strong([.text("Museum")]), .text("s"))]),
        ("*a\nb*", [line(.emphasis([.text("a b")]))]),
        ("[the tower](https://example.org/t?a=1&b=2)", [line(link("https://example.org/t?a=1&b=2", "the tower"))]),
        (
            "[a *b*](<https://example.org/a(b)>)!",
            [
                line(.link(address: "https://example.org/a(b)", [.text("a "), .emphasis([.text("b")])]), .text("!"))
            ]
        ),
        (
            "<https://example.org> <info@example.org>",
            [
                line(
                    link("https://example.org", "https://example.org"), .text(" "),
                    link("mailto:info@example.org", "info@example.org"))
            ]
        ),
        ("[](tel:+43)", [line(link("tel:+43", "tel:+43"))]),
        ("\\*no\\* 1 \\< 2 \\\\ &amp; &copy;&nbsp;&#233;", [line("*no* 1 < 2 \\ & ©\u{A0}é")]),
    ]

    private static let blocks: [(String, [Block])] = [
        ("- warp\n- weft", [list([line("warp")], [line("weft")])]),
        ("* a\n\n  b\n* c", [list([line("a"), line("b")], [line("c")])]),
        ("- a\n  - b\n  - c\n- d", [list([line("a"), list([line("b")], [line("c")])], [line("d")])]),
        ("3. a\n4. b", [list(3, [line("a")], [line("b")])]),
        ("1. a\n1. b\n1. c", [list(1, [line("a")], [line("b")], [line("c")])]),
        ("0) a\n1) b", [list(0, [line("a")], [line("b")])]),
        ("First:\n1. a\n2. b", [line("First:"), list(1, [line("a")], [line("b")])]),
        ("1. a\n2.\n3. c", [list(1, [line("a")], [], [line("c")])]),
        // Lists beside each other are one where the second continues the first.
        ("- a\n- b\n\n* c\n* d", [list([line("a")], [line("b")], [line("c")], [line("d")])]),
        ("1. a\n2. b\n\n1) c\n2) d", [list(1, [line("a")], [line("b")]), list(1, [line("c")], [line("d")])]),
        (
            "> Who weaves,\n> waits.\n>\n> - a\n> - b",
            [.quote([line("Who weaves, waits."), list([line("a")], [line("b")])])]
        ),
        ("> a\nb", [.quote([line("a b")])]),
        ("> a\n\n> b", [.quote([line("a")]), .quote([line("b")])]),
        ("- > a\n- b", [list([.quote([line("a")])], [line("b")])]),
    ]

    @Test(arguments: words + blocks) private func textsAreRead(text: String, blocks: [Block]) throws {
        let (read, remarks) = try Self.read(text)
        #expect(read.blocks == blocks)
        #expect(remarks == [])
    }

    /// Sentences of people who do not know CommonMark stay what they are, without a remark.
    @Test(arguments: [
        "Besucher*innen und Künstler*innen", "2*3*4 = 24", "a* b* c", "snake_case_name", "5 * 3 * 2", "2 ** 3 ** 4",
        "I <3 you, 1 < 2 > 0", "AT&T; Fish & Chips", "#1 of 3, C# and F#", "C:\\Users\\ada\\bells.txt",
        "[sic](yes) [sic] (yes)",
        "[1]: the archive", "1.5 km", "3.Stock", "<bell>", "____ here", "+43 1 234", "-5 degrees", "Is it 5?)", "= 3",
        "a | b",
        "e \u{301}", "«\u{A0}été\u{A0}»", "שלום \u{200F}עולם", "........................................", "*",
        "https://example.org/a_b_c", "~~no~~", "\"'{}^@", "Tom & Jerry's *",
    ])
    func sentencesStay(text: String) throws {
        let (read, remarks) = try Self.read(text)
        #expect(read == RichText(plain: text))
        #expect(remarks == [])
    }

    /// What texts lack is kept as words; where a line of a sentence could be meant as something else, it says so.
    @Test(arguments: [
        ("# Title\n\nText", "Title\nText", "1: warning: has a heading, 'Title'; players see it as a paragraph"),
        ("A\n\nTitle\n---", "A\nTitle", "3: warning: has a heading, 'Title'; players see it as a paragraph"),
        ("A\n\n* * *\n\nB", "A\n* * *\nB", "3: warning: has a line across, '* * *'; players see its characters"),
        ("It`s Ada`s", "It`s Ada`s", "1: warning: has '`s Ada`', which players see as it is: texts have no code"),
        (
            "A\n\n    a poem\n    of two lines", "A\na poem of two lines",
            "3: warning: has code, 'a poem of two lines', as lines are that begin with four spaces; players see it as words"
        ),
        ("a\nb ![A bell](bell.jpg)", "a b A bell", "2: warning: has an image, 'bell.jpg'; players see its words only"),
        (
            "a <b>b</b>", "a <b>b</b>",
            "1: warning: has '<b>', which players see as it is: texts have no HTML; write **words**"
        ),
        (
            "<div>\n*a*\n</div>", "<div> *a* </div>",
            "1: warning: has '<div>', which players see as it is: texts have no HTML; write an empty line between paragraphs"
        ),
        (
            "a <!-- b -->", "a <!-- b -->",
            "1: warning: has '<!-- b -->', which players see as it is: texts have no HTML"
        ),
        (
            "[a](https://example.org 'T')", "a (https://example.org)",
            "1: warning: has a link with a title, 'T', which players do not see"
        ),
        ("3. Stock", "3. Stock", "1: warning: has a list of one item, '3. Stock'; write 3\\. if it is none"),
        ("- Goethe", "• Goethe", "1: warning: has a list of one item, '- Goethe'; write \\- if it is none"),
        (
            "- a - b", "• a - b",
            "1: warning: has a list of one item, '- a - b'; put | before the text if there are more, which keeps its lines"
        ),
        (
            "Closed on\n1. Mai and\n- sadly - later", "Closed on 1. Mai and - sadly - later",
            "2: warning: has a line that begins with '1.', which is no list in the middle of a paragraph; "
                + "put an empty line before it if it is one"
        ),
        (
            "1945. Peace\n\n1989. The wall", "1945. Peace\n1989. The wall",
            "1: warning: has '1945.' and '1989.', which do not count up; players see lines, not a list"
        ),
    ])
    func whatIsLackingStaysWords(text: String, plain: String, remark: String) throws {
        let (read, remarks) = try Self.read(text)
        #expect(read.plain == plain)
        #expect(remarks == [remark])
    }

    // MARK: Links

    @Test(arguments: [
        "https://example.org", "http://example.org:8080/a?b=c&d#e", "HTTPS://EXAMPLE.ORG",
        "https://münchen.example/straße",
        "mailto:info@example.org?subject=Bells", "tel:+4312345", "geo:48.2,16.37", "https://[::1]/",
        "http://[2001:db8::1]:8080/", "http://127.0.0.1:65535/", "https://example.org:", "https://example.org./",
        "https://a_b.example/", "https://faß.example", "https://אתר.example/", "https://日本.example",
        "https://xn--mnchen-3ya.example/", "mailto:a@b.example,c@d.example", "tel:1;ext=2", "geo:0,0?q=1,2",
        "https://example.org/\(String(repeating: "a", count: 1980))",
    ])
    func linksLeadThere(address: String) throws {
        let (read, remarks) = try Self.read("[it](<\(address)>)")
        #expect(read.blocks == [Self.line(Self.link(address, "it"))])
        #expect(remarks == [])
    }

    private static let expectation =
        "a link takes a whole address that begins with https:, http:, mailto:, tel: or geo:"

    @Test(arguments: [
        ("javascript:alert(1)", expectation), ("JavaScript:alert%281%29", expectation),
        ("data:text/html,x", expectation),
        ("vbscript:x", expectation), ("file:///etc/passwd", expectation), ("ftp://example.org", expectation),
        ("page.html", expectation), ("/page", expectation), ("//example.org", expectation), ("#part", expectation),
        ("https:", expectation),
        ("java&#10;script:x", "it has a space, or another character that no address has; write a space as %20"),
        ("https://a b.example", "it has a space, or another character that no address has; write a space as %20"),
        (
            "https://example.org/\u{202E}gpj",
            "it has a space, or another character that no address has; write a space as %20"
        ),
        (
            "https://evil.example\\\\.example.org",
            "it has a space, or another character that no address has; write a space as %20"
        ),
        ("https:example.org", "it has no host, as in https://example.org"),
        ("https:///example.org", "it has no host, as in https://example.org"),
        ("https://example.org@evil.example/", "it has a user's name before the '@', which a link may not have"),
        ("https://ada:secret@example.org", "it has a user's name before the '@', which a link may not have"),
        ("https://example.org/\(String(repeating: "a", count: 2000))", "it has more than 2000 characters"),
        // By the parser of WHATWG URL, Chromium refuses the following, or goes to another host than the one that stands there.
        ("http://[::1", "its '[' has no ']', as in https://[::1]/"),
        ("http://[::1]x/", "'x' is no port from 0 to 65535"),
        ("http://[::g]/", "'[::g]' is no IPv6 address, as in https://[::1]/"),
        ("http://[::1%25lo]/", "'[::1%25lo]' is no IPv6 address, as in https://[::1]/"),
        ("http://[]/", "'[]' is no IPv6 address, as in https://[::1]/"),
        ("http://::1/", "it has no host, as in https://example.org"),
        ("http://a:b:1/", "'b:1' is no port from 0 to 65535"),
        ("https://example.org:65536/", "'65536' is no port from 0 to 65535"),
        ("https://example.org:99999999999999999999/", "'99999999999999999999' is no port from 0 to 65535"),
        ("https://example.org:-1", "'-1' is no port from 0 to 65535"),
        ("https://:80/", "it has no host, as in https://example.org"),
        ("https://1.2.3.256/", "'1.2.3.256' is no name of a host, as in https://example.org"),
        ("https://2130706433/", "'2130706433' is no name of a host, as in https://example.org"),
        ("https://0x7f.1/", "'0x7f.1' is no name of a host, as in https://example.org"),
        ("https://a..b/", "'a..b' is no name of a host, as in https://example.org"),
        ("https://ex%61mple.org/", "'ex%61mple.org' is no name of a host, as in https://example.org"),
        ("https://a|b.example/", "'a|b.example' is no name of a host, as in https://example.org"),
        ("https://example.org／@x.example/", "it has a user's name before the '@', which a link may not have"),
        ("https://example.org／x.example/", "'example.org／x.example' is no name of a host, as in https://example.org"),
        ("https://ｅxample.org/", "'ｅxample.org' is no name of a host, as in https://example.org"),
        ("https://a℀b.example/", "'a℀b.example' is no name of a host, as in https://example.org"),
        ("https://aא.example/", "'aא.example' is no name of a host, as in https://example.org"),
        // The accent is one of the slash.
        ("https://\u{301}a.example/", "it has no host, as in https://example.org"),
        ("https://xn--/", "'xn--' is no name of a host, as in https://example.org"),
        ("mailto:example.org", "it has no address of e-mail, as in mailto:info@example.org"),
        ("mailto:a@b@c.example", "it has no address of e-mail, as in mailto:info@example.org"),
        ("mailto:?subject=x", "it has no address of e-mail, as in mailto:info@example.org"),
        ("tel:*21#", "it has no number, as in tel:+43-1-5250000"),
        ("tel:+", "it has no number, as in tel:+43-1-5250000"),
        ("geo:91,0", "it has no latitude and longitude, as in geo:48.2082,16.3738"),
        ("geo:1", "it has no latitude and longitude, as in geo:48.2082,16.3738"),
    ])
    func linksAreRefused(address: String, reason: String) throws {
        let (_, remarks) = try Self.read("A\nb [it](<\(address)>)")
        #expect(remarks.count == 1 && remarks[0].hasPrefix("2: error: has a link to '"), "\(remarks)")
        #expect(remarks[0].hasSuffix("': \(reason)"), "\(remarks)")
    }

    // MARK: Hostile texts

    /// libcmark took a minute for the fourth one.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (String(repeating: ">", count: 10_000), "has lists, quotes or emphasis in each other, more than 32 deep"),
            (
                String(repeating: "> ", count: 33) + "a",
                "has lists, quotes or emphasis in each other, more than 32 deep"
            ),
            (String(repeating: "1. ", count: 30_000), "has lists, quotes or emphasis in each other, more than 32 deep"),
            (
                String(repeating: "- ", count: 50_000) + "x" + String(repeating: "\n", count: 90_000),
                "has lists, quotes or emphasis in each other, more than 32 deep"
            ),
            (
                (0..<200).map { String(repeating: " ", count: 2 * $0) + "- a\n" }.joined(),
                "has lists, quotes or emphasis in each other, more than 32 deep"
            ),
            (String(repeating: "![[]()", count: 30_000), "has more than 1000 images"),
            (String(repeating: "a", count: 100_001), "has more than 100000 characters"),
            (String(repeating: "\\*", count: 100_001), "has more than 100000 characters"),
            ("![](a.jpg)", "has no words"),
        ])
    func absurdTextsAreRefused(text: String, reason: String) throws {
        let (_, remarks) = try Self.read(text)
        #expect(remarks.filter { $0.contains("error") }.count == 1, "\(remarks)")
        #expect(remarks.last?.hasSuffix(": error: \(reason)") == true, "\(remarks)")
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "[", "]", "*", "_a ", "*a ", "a*", "**a *a ", "`", "a`", "<", "<a", "<!--", "a<!--", "&", "&#", "\\",
            "[a](",
            "[a](<b", "[](", "![", "- a\n* b\n", "1. a\n3. b\n", "> a\n\n", "-\n\n", "*a*_b_", "a **b**c ", "]:",
            "[a]: b\n",
            "    a\n", "\u{301}", "* * *\n", "a\n- b\n\n", "<https://a> ", "~~~\n", "\r", "\0", "\u{2CFE}*a",
        ])
    func longTextsAreReadOnce(unit: String) throws {
        let count = 100_000 / max(1, unit.unicodeScalars.count)
        let text = String(repeating: unit, count: unit == "![" ? 1000 : count)
        let (read, remarks) = try Self.read(text)
        if remarks.contains(where: { $0.contains("error") }) { return }
        #expect(try Self.read(read.commonMark).text == read)
    }

    @Test func thirtyTwoLevelsAreRead() throws {
        let (read, remarks) = try Self.read(String(repeating: "> ", count: 32) + "a")
        #expect(read.plain == "a" && remarks == [])
    }
}

/// Texts are written in CommonMark's syntax so that they are read as they were.
@Suite struct CommonMarkWritingTests {
    /// Characters with a meaning, words, and what stands beside them.
    private static let pieces = [
        "a", "b", "Word", "1", "12", " ", "  ", "\n", "\t", "*", "**", "_", "__", "[", "]", "(", ")", "![", "](", "]:",
        "[a]:",
        "<", ">", "<b>", "</b>", "<3", "&", "&amp;", "&#65;", "&nbsp;", ";", "\\", "`", "``", "~~~", "#", "##", "-",
        "- ",
        "---", "+ ", "=", "1.", "1. ", "2) ", "3)", "!", "\"", "'", "|", ":", "https://x.org", "<https://x.org>", "é",
        "e\u{301}", "日本", "—", "„", "“", "«", "\u{A0}", "\u{2003}", "\u{3000}", "\u{200B}", "😀", "👩\u{200D}👧", "€",
        "\u{2CFE}",
        "\u{61D}", "\u{2E4F}", ".", ",", "x*y", "a_b", "{", "^", "@", "א", "ع", "\u{200F}", "\u{85}", "\u{2028}", "_a",
        "*a", "a*",
    ]
    private static let addresses = [
        "https://x.org", "https://x.org/a(b)c", "https://x.org/a_b*c?d=1&amp;e", "http://[::1]:80/", "mailto:a@b.org",
        "tel:+43-1",
        "geo:1,2", "https://ü.org/#x&y", "https://x.org/((", "https://x.org/]:", "https://x.org/a*b*c`d`",
        "HTTPS://X.ORG/)",
    ]

    private static func phrase(_ random: inout SeededRandom, _ depth: Int) -> [RichText.Inline] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let address = addresses.randomElement(using: &random) ?? ""
            switch depth > 2 ? 0 : Int.random(in: 0..<8, using: &random) {
            case 4: return .emphasis(phrase(&random, depth + 1))
            case 5: return .strong(phrase(&random, depth + 1))
            case 6: return .link(address: address, phrase(&random, depth + 1))
            case 7: return .link(address: address, [.text(address)])
            default:
                return .text(
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                        .joined())
            }
        }
    }

    private static func blocks(_ random: inout SeededRandom, _ depth: Int) -> [RichText.Block] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            switch depth > 2 ? 0 : Int.random(in: 0..<6, using: &random) {
            case 3: return .quote(blocks(&random, depth + 1))
            case 4, 5:
                return .list(
                    start: [nil, nil, 0, 1, 2, 98, 1_000_000].randomElement(using: &random) ?? nil,
                    items: (0..<Int.random(in: 0...3, using: &random)).map { _ in blocks(&random, depth + 1) })
            default: return .paragraph(phrase(&random, 0))
            }
        }
    }

    /// A text of chance, not in its one form.
    static func text(seed: UInt64) -> RichText {
        var random = SeededRandom(seed: seed)
        return RichText(blocks: blocks(&random, 0))
    }

    @Test(arguments: 0..<8) func textsOfChanceAreReadAsTheyWereWritten(part: Int) throws {
        for seed in UInt64(part * 1000)..<UInt64(part * 1000 + 1000) {
            let value = Self.text(seed: seed).normalized
            #expect(value.normalized == value, "seed \(seed)")
            if value.blocks.isEmpty { continue }
            var errors: [RichText.Remark] = []
            let written = value.commonMark
            let read = try RichText.parse(commonMark: written) { if $0.severity == .error { errors.append($0) } }
            #expect(read == value && errors == [], "seed \(seed): \(written)")
        }
    }

    /// The one form changes no word, and nothing but white space. Links are left out: without words they get some.
    @Test func theOneFormHasTheSameWords() {
        func withoutLinks(_ parts: [RichText.Inline]) -> [RichText.Inline] {
            parts.compactMap { part in
                switch part {
                case .text: part
                case .emphasis(let parts): .emphasis(withoutLinks(parts))
                case .strong(let parts): .strong(withoutLinks(parts))
                case .link: nil
                }
            }
        }
        func letters(_ text: RichText) -> [Unicode.Scalar] {
            text.words.unicodeScalars.filter { ![" ", "\n", "\t"].contains($0) }
        }
        for seed in 10_000..<12_000 as Range<UInt64> {
            let blocks = Self.text(seed: seed).blocks.map { block -> RichText.Block in
                if case .paragraph(let parts) = block { .paragraph(withoutLinks(parts)) } else { .quote([]) }
            }
            let text = RichText(blocks: blocks)
            #expect(letters(text.normalized) == letters(text), "seed \(seed)")
        }
    }

    /// Texts without markup look as they are.
    @Test(arguments: [
        "Welcome! Ring once.", "AT&T, #1, a_b, Besucher*innen, 5*3", "C:\\bells", "I <3 you", "(sic) [sic]",
        "1.5 km - 3 m",
        "A\n\nB",
    ])
    func plainTextsNeedNoMarks(text: String) {
        #expect(RichText(plain: text).commonMark == text)
    }

    @Test(arguments: [
        (
            RichText.Block.list(start: 9, items: [[.paragraph([.text("a")])], [.paragraph([.text("b")])]]),
            "9. a\n10. b"
        ),
        (.paragraph([.text("Wort"), .emphasis([.text("teil")]), .text("e")]), "Wor&#116;_teil_&#101;"),
        (.paragraph([.strong([.text("Museum")]), .text("s")]), "**Museum**s"),
        (.paragraph([.emphasis([.text("a")]), .strong([.text("b")])]), "_a_**b**"),
        (.paragraph([.link(address: "https://x.org", [.text("https://x.org")])]), "<https://x.org>"),
        (.paragraph([.text("3. Stock")]), "3\\. Stock"), (.paragraph([.text("# no")]), "\\# no"),
        (.paragraph([.text("*")]), "\\*"), (.paragraph([.text("<b>")]), "\\<b>"),
        (.paragraph([.text("&nbsp;")]), "\\&nbsp;"),
        (
            .quote([.paragraph([.text("a")]), .list(start: nil, items: [[.paragraph([.text("b")])]])]),
            "> a\n>\n> - b"
        ),
    ])
    func marksAreWritten(block: RichText.Block, text: String) {
        #expect(RichText(blocks: [block]).commonMark == text)
    }
}
