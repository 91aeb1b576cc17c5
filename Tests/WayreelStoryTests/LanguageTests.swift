import Testing
import WayreelCore
import WayreelStory

/// Tags of languages, and which language suits a reader. Examples are those of RFC 5646, RFC 4647 and RFC 9110.
@Suite struct LanguageTests {
    /// RFC 5646, appendix A.
    @Test(arguments: [
        "de", "fr", "ja", "i-enochian", "zh-Hant", "zh-Hans", "sr-Cyrl", "sr-Latn", "zh-cmn-Hans-CN", "cmn-Hans-CN",
        "zh-yue-HK", "yue-HK", "zh-Hans-CN", "sr-Latn-RS", "sl-rozaj", "sl-rozaj-biske", "sl-nedis", "de-CH-1901",
        "sl-IT-nedis", "hy-Latn-IT-arevela", "de-DE", "en-US", "es-419", "de-CH-x-phonebk", "az-Arab-x-AZE-derbend",
        "x-whatever", "qaa-Qaaa-QM-x-southern", "de-Qaaa", "sr-Latn-QM", "sr-Qaaa-RS", "en-US-u-islamcal",
        "zh-CN-a-myext-x-private", "en-a-myext-b-another", "sgn-BE-FR", "en-GB-oed", "i-klingon",
    ])
    func tagsAreWellFormed(tag: String) {
        for tag in [tag, tag.lowercased(), tag.uppercased()] { #expect(LanguageTag.isWellFormed(tag), "\(tag)") }
        let document = StorySamples.chapter(StorySamples.event("e")).replacing(
            "language=\"en\"", with: "language=\"\(tag)\"")
        #expect(throws: Never.self) { try #require(try StorySamples.read(document).story) }
    }

    /// RFC 5646, appendix A, and what people write.
    @Test(arguments: [
        "de-419-DE", "a-DE", "ar-a-aaa-b-bbb-a-ccc", "en_US", "english language", "e", "en-", "-en", "en--US", "de-x",
        "x", "i-foo", "en-a", "en-u-x-y", "abcdefghi", "12", "de-AT-\u{FC}", "en-US-USA-", "",
    ])
    func othersAreNot(tag: String) throws {
        #expect(!LanguageTag.isWellFormed(tag))
        let document = StorySamples.chapter("").replacing("language=\"en\"", with: "language=\"\(tag)\"")
        #expect(
            try StorySamples.read(document).issues.contains {
                $0.message.hasPrefix("'language' of <story> takes a language tag such as en or de-AT, not")
            })
    }

    /// RFC 5646, section 2.1.1: `mn-Cyrl-MN` is usual, and case has no meaning.
    @Test(arguments: [
        ("MN-cYRL-mn", "mn-Cyrl-MN"), ("EN-ca-X-CA", "en-CA-x-ca"), ("AZ-LATN-x-latn", "az-Latn-x-latn"),
        ("SGN-be-fr", "sgn-BE-FR"), ("en-gb-OED", "en-GB-oed"), ("I-Klingon", "i-klingon"), ("ES-419", "es-419"),
        ("DE-ch-1901", "de-CH-1901"), ("en-US-U-Ca-IslamicC", "en-US-u-ca-islamicc"), ("not a tag", "not a tag"),
    ])
    func tagsHaveTheirUsualLetters(tag: String, usual: String) {
        #expect(LanguageTag.canonical(tag) == usual)
    }

    @Test func theLanguagesOfADocumentHaveTheirUsualLetters() throws {
        let document = StorySamples.chapter(StorySamples.event("e"))
            .replacing("language=\"en\"", with: "language=\"EN-us\"")
            .replacing("</story>", with: "<translation language=\"zh-hANT\"/></story>")
        let story = try #require(try StorySamples.read(document).story)
        #expect(story.language == "en-US" && story.languages == ["en-US", "zh-Hant"])
    }

    @Test func tagsThatBrowsersDoNotKnowAreReported() throws {
        for tag in ["x-elvish", "i-lux", "English"] {
            let document = StorySamples.chapter(StorySamples.event("e"))
                .replacing("</story>", with: "\n<translation language=\"\(tag)\"/></story>")
            let date = try #require(CalendarDate("2026-01-10"))
            let issues = try StorySamples.read(document).checked(on: date) { _, _ in }.issues
            let expected =
                tag == "English"
                ? "'English' is the tag of no language; give one such as en, pt or de-AT"
                : "'\(tag)' is a tag that browsers know nothing about, neither its name nor its dates; give one such as lb or de-AT"
            #expect(issues.filter { $0.line == 4 }.map(\.message) == [expected])
        }
    }

    // MARK: Lookup

    /// RFC 4647, section 3.4.
    @Test func tagsBecomeMoreGeneral() {
        #expect(
            LanguageTag.fallbacks(of: "zh-Hant-CN-x-private1-private2") == [
                "zh-Hant-CN-x-private1-private2", "zh-Hant-CN-x-private1", "zh-Hant-CN", "zh-Hant", "zh",
            ])
        #expect(LanguageTag.fallbacks(of: "de") == ["de"])
        #expect(LanguageTag.fallbacks(of: "x-a") == ["x-a"] && LanguageTag.fallbacks(of: "").count <= 1)
    }

    /// The story's own language stands first.
    private static func story(_ languages: [String]) -> Story {
        Story(id: "s", language: languages[0], languages: languages, name: "S", chapters: [])
    }

    @Test(arguments: [
        // RFC 4647, section 3.4.1: nothing of `fr-FR, zh-Hant` matches, so it is the default.
        (["fr-FR", "zh-Hant"], ["ja-JP", "en"], "ja-JP"),
        (["fr-FR", "zh-Hant"], ["en", "fr", "zh-Hant"], "fr"),
        (["zh-Hant-CN-x-private1-private2"], ["en", "zh", "zh-Hant"], "zh-Hant"),
        (["de-AT"], ["en", "de", "de-AT"], "de-AT"), (["de-CH"], ["en", "de-AT", "de"], "de"),
        (["DE-at"], ["en", "de-AT"], "de-AT"), (["en", "de"], ["de", "en"], "en"), (["*", "de"], ["en", "de"], "de"),
        (["*"], ["en", "de"], "en"), ([], ["en", "de"], "en"), (["d"], ["en", "de"], "en"),
        // What is more special, or another region, is better than another language.
        (["pt", "en"], ["en", "pt-BR"], "pt-BR"), (["de-CH"], ["en", "de-AT"], "de-AT"), (["e"], ["ja", "en"], "ja"),
    ])
    func readersGetTheLanguageThatSuitsThemBest(wanted: [String], languages: [String], found: String) {
        #expect(Self.story(languages).language(for: wanted) == found)
    }

    @Test(arguments: [
        // RFC 9110, section 12.5.4.
        ("da, en-gb;q=0.8, en;q=0.7", ["fr", "en-GB", "en"], "en-GB"),
        ("da, en-gb;q=0.8, en;q=0.7", ["fr", "da", "en"], "da"),
        ("de-AT,de;q=0.9,en-US;q=0.8,en;q=0.7", ["en", "de"], "de"),
        ("en;q=0.2, de ; q=0.5", ["en", "de"], "de"), ("en;q=0.5, de;q=0.5", ["de", "en"], "en"),
        ("de;q=0, *;q=0.5", ["de", "en"], "en"), ("en, *;q=0", ["fr", "en", "de"], "en"),
        ("*;q=0", ["fr", "en"], "fr"),
        ("de;q=1.5, en;q=x, fr;q=0.1234, it;q=-1", ["es", "de", "en", "fr", "it"], "es"),
        ("fr;q=1.000, en;q=0.999", ["en", "fr"], "fr"), ("", ["en", "de"], "en"), (";;,,q=1", ["en", "de"], "en"),
        ("de\u{0}, <script>", ["en", "de"], "en"),
    ])
    func headersAreWeighted(header: String, languages: [String], found: String) {
        #expect(Self.story(languages).language(accepting: header) == found)
    }

    @Test func longHeadersAreCutShort() {
        let header = String(repeating: "fr;q=0.5,", count: 200_000) + "de"
        #expect(Self.story(["en", "de"]).language(accepting: header) == "en")
    }

    /// A range of 10,000 subtags has no 10,000 more general ones, of 160 MB.
    @Test func whatIsLongerThanATagIsNone() {
        let range = "de" + String(repeating: "-aa", count: 10_000)
        #expect(LanguageTag.fallbacks(of: range).isEmpty)
        let story = Self.story(["en", "de", "fr"])
        #expect(story.language(accepting: "\(range), fr;q=0.5") == "fr")
        #expect(story.language(for: [range, "fr"]) == "fr")
        #expect(story.language(for: [range]) == "en")
    }
}
