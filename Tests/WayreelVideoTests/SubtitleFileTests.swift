internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// Subtitle files as written by programs, and as broken by people.
@Suite struct SubtitleFileTests {
    private static func read(_ bytes: [UInt8]) throws -> SubtitleFile {
        try Fixture.withFolder { folder in
            let path = "\(folder)/a.srt"
            try OutputFile.write(bytes, to: path)
            return try SubtitleFile(path)
        }
    }

    private static let text = "1\n00:00:01,000 --> 00:00:02,500\nDéjà vu\n"

    struct Encoded: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var isNoted = false
    }

    static let encodings: [Encoded] = [
        Encoded(testDescription: "UTF-8", bytes: Array(text.utf8)),
        Encoded(testDescription: "UTF-8 with a mark", bytes: [0xEF, 0xBB, 0xBF] + Array(text.utf8)),
        Encoded(
            testDescription: "UTF-16, little end first",
            bytes: [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
        Encoded(
            testDescription: "UTF-16, big end first",
            bytes: [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }),
        Encoded(
            testDescription: "UTF-16 without a mark",
            bytes: text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
        // Latin-1's code points are Unicode's.
        Encoded(
            testDescription: "Latin-1", bytes: text.unicodeScalars.map { UInt8($0.value) }, isNoted: true),
    ]

    @Test(arguments: encodings) func encodingsAreRecognised(_ encoded: Encoded) throws {
        let file = try Self.read(encoded.bytes)
        #expect(file.cues.map(\.text.plain) == ["Déjà vu"])
        #expect(file.cues.first?.start == 1000 && file.cues.first?.end == 2500)
        #expect(file.warnings.count == (encoded.isNoted ? 1 : 0))
    }

    /// Code page 1252: 0x80 is the euro sign, 0x93 and 0x94 are quotation marks, 0x81 is undefined.
    @Test func undefinedBytesAreDropped() throws {
        let start = Array("1\n00:00:01,000 --> 00:00:02,000\n".utf8)
        let file = try Self.read(start + [0x93, 0x35, 0x81, 0x80, 0x94])
        #expect(file.cues.map(\.text.plain) == ["\u{201C}5\u{20AC}\u{201D}"])
    }

    @Test func lineEndsAndMissingNumbersDoNotMatter() throws {
        let text = "0:00:01.5 --> 0:00:02,25 X1:10\r\nfirst\r\nline\r\n\r\n7\r\n00:01:00,000 --> 01:00:00,000\r\nsecond"
        let file = try Self.read(Array(text.utf8))
        #expect(file.cues.map(\.start) == [1500, 60_000])
        #expect(file.cues.map(\.end) == [2250, 3_600_000])
        #expect(file.cues.map(\.text.plain) == ["first\nline", "second"])
        #expect(file.warnings.isEmpty)
    }

    @Test func malformedCuesAreLeftOutAndTheirLinesNamed() throws {
        let text = """
            1
            00:00:01,000 --> 00:00:02,000
            good

            2
            00:00:0x,000 --> 00:00:02,000
            no time

            3
            00:00:05,000 --> 00:00:04,000
            backwards

            astray
            and without a time

            4
            00:00:06,000 --> 00:00:07,000
            good again
            5
            00:00:08,000 --> 00:00:09,000
            without an empty line before it
            """
        let file = try Self.read(Array(text.utf8))
        #expect(file.cues.map(\.start) == [1000, 6000, 8000])
        #expect(file.cues[1].text.plain == "good again")
        let lines = file.warnings.map { warning in
            warning.split(separator: "line ").last.flatMap { Int($0.prefix { $0.isNumber }) }
        }
        #expect(lines == [6, 10, 13])
    }

    @Test func webVTTIsRead() throws {
        let text = """
            WEBVTT - a title
            X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0

            STYLE
            ::cue { color: red }

            NOTE
            00:00:01.000 is nothing

            name
            00:01.000 --> 00:02.000 align:start
            <v Ann>A <c.loud>B</c> &amp; <i>C

            01:00:00.000 --> 01:00:01.000
            1 &lt; 2
            """
        let file = try Self.read(Array(text.utf8))
        #expect(file.cues.map(\.text.plain) == ["A B & C", "1 < 2"])
        #expect(file.cues.map(\.text.markup) == ["A B &amp; <i>C</i>", "1 &lt; 2"])
        #expect(file.cues.map(\.start) == [1000, 3_600_000])
        #expect(file.warnings.isEmpty)
    }

    @Test(arguments: [
        [], Array("hello".utf8), [0, 1, 2, 3] + Array("1\n00:00:01,000".utf8), [0xFF, 0xFE, 0, 0xD8, 65, 0],
    ])
    func whatIsNoneIsRefused(_ bytes: [UInt8]) throws {
        #expect(throws: MediaError.self) { try Self.read(bytes) }
    }

    @Test func anyBytesEndInCuesOrAnError() throws {
        var random = SeededRandom(seed: 16)
        let alphabet = Array("0123456789:,.->\n\r <>/{}\\&;biWEBVT".utf8)
        for _ in 0..<300 {
            let bytes = (0..<Int.random(in: 1..<400, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            do { for cue in try Self.read(bytes).cues { #expect(cue.end > cue.start) } } catch is MediaError {}
        }
    }

    @Test func overlappingCuesBecomeOneSampleAfterTheOther() {
        let cue = { (start: Int, end: Int, text: String) in
            SubtitleCue(start: start, end: end, text: SubtitleText(tagged: text, hasEntities: false))
        }
        let samples = TimedTextSamples.samples([cue(1000, 3000, "a"), cue(2000, 4000, "b"), cue(4000, 5000, "c")])
        #expect(samples.map(\.start) == [0, 1000, 2000, 3000, 4000])
        #expect(samples.map(\.duration) == [1000, 1000, 1000, 1000, 1000])
        let texts = samples.map { String(decoding: $0.bytes.dropFirst(2), as: UTF8.self) }
        #expect(texts == ["", "a", "a\nb", "b", "c"])
    }

    @Test(arguments: [
        ("eng", "en", "eng", "English"), ("ger", "de", "deu", "German"), ("de-AT", "de-AT", "deu", "German (AT)"),
        ("gsw", "gsw", "gsw", "gsw"), ("af", "af", "afr", "Afrikaans"), ("mao", "mi", "mri", "Māori"),
        ("zu-ZA", "zu-ZA", "zul", "Zulu (ZA)"),
    ])
    func languagesHaveTheirCodes(_ text: String, _ tag: String, _ three: String, _ name: String) throws {
        let code = try #require(LanguageCode(text))
        #expect(code.tag == tag && code.threeLetters == three && code.name == name)
    }

    @Test(arguments: ["", "und", "english", "e", "1a", "en/us", "en\"", "xx", "zz-ZA"])
    func whatIsNoLanguageIsNone(_ text: String) { #expect(LanguageCode(text) == nil) }
}
