import HTTPTypes
import Testing
import WayreelService

/// The parts of requests, with the examples and rules of RFC 9110 and others.
struct HeaderFieldTests {
    // MARK: Ranges

    /// RFC 9110, section 14.1.2: of a representation of 10,000 bytes.
    @Test(
        arguments: [
            ("bytes=0-499", .part(0..<500)), ("bytes=500-999", .part(500..<1000)), ("bytes=-500", .part(9500..<10_000)),
            ("bytes=9500-", .part(9500..<10_000)), ("bytes=0-0", .part(0..<1)), ("bytes=-1", .part(9999..<10_000)),
            // A last position beyond the end is the end; a longer suffix is the whole.
            ("bytes=9999-20000", .part(9999..<10_000)), ("bytes=-20000", .part(0..<10_000)),
            ("bytes=0-99999999999999999999999", .part(0..<10_000)),
            // Section 15.5.17.
            ("bytes=10000-", .unsatisfiable), ("bytes=10000-10001", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=99999999999999999999999-", .unsatisfiable),
            // A last position before the first one, and another syntax or unit, are ignored.
            ("bytes=500-499", .whole), ("bytes=-", .whole), ("bytes=", .whole), ("bytes=a-b", .whole),
            ("bytes=1", .whole),
            ("bytes=+1-2", .whole), ("items=0-1", .whole), ("0-1", .whole), ("", .whole),
            // A server may ignore several ranges (section 14.2).
            ("bytes=0-0,-1", .whole), ("bytes=500-600,601-999", .whole),
        ] as [(String, RequestedRange)])
    func rangesAreThoseOfTheRule(header: String, range: RequestedRange) {
        #expect(RequestedRange(header: header, count: 10_000) == range)
    }

    @Test func thereIsNoFirstByteOfNothing() {
        #expect(RequestedRange(header: "bytes=0-", count: 0) == .unsatisfiable)
        #expect(RequestedRange(header: nil, count: 0) == .whole)
    }

    // MARK: Accept

    /// RFC 9110, section 12.5.1: the table of the long example.
    @Test func theMostSpecificRangeCounts() {
        let header = AcceptHeader(
            "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5")
        #expect(header.best(of: ["text/html", "image/jpeg", "text/plain"]) == "text/plain")
        #expect(header.best(of: ["text/html", "image/jpeg"]) == "image/jpeg")
        #expect(header.best(of: ["text/html"]) == "text/html")
    }

    @Test(
        arguments: [
            // "I prefer audio/basic, but send me any audio type if it is the best available after an 80% markdown."
            ("audio/*; q=0.2, audio/basic", ["audio/ogg", "audio/basic"], "audio/basic"),
            ("audio/*; q=0.2, audio/basic", ["audio/ogg"], "audio/ogg"),
            // "text/html and text/x-c are the equally preferred media types; then text/x-dvi; then text/plain."
            ("text/plain; q=0.5, text/html,\ttext/x-dvi; q=0.8, text/x-c", ["text/plain", "text/x-dvi"], "text/x-dvi"),
            (
                "text/plain; q=0.5, text/html, text/x-dvi; q=0.8, text/x-c", ["text/plain", "text/x-dvi", "text/x-c"],
                "text/x-c"
            ),
            // Not acceptable (section 12.4.2).
            ("image/webp;q=0, image/*", ["image/webp", "image/png"], "image/png"),
            ("image/webp;q=0.000", ["image/webp"], nil), ("text/html", ["image/png"], nil),
            // Types are case-insensitive (section 8.3.1).
            ("IMAGE/PNG;Q=0.1", ["image/png"], "image/png"), ("*/*", ["image/png"], "image/png"),
            // What is accepted with a parameter alone is accepted.
            ("application/json;charset=utf-8", ["application/json"], "application/json"),
            // A comma within quotes is none.
            (#"text/plain;x="a,image/png", text/csv"#, ["image/png", "text/csv"], "text/csv"),
        ] as [(String, [String], String?)])
    func theBestTypeIsChosen(header: String, types: [String], best: String?) {
        #expect(AcceptHeader(header).best(of: types) == best)
    }

    /// RFC 9110, section 12.5.3.
    @Test func codingsHaveQualities() {
        #expect(AcceptHeader("compress, gzip").quality("gzip", "*") == 1)
        #expect(AcceptHeader("compress;q=0.5, gzip;q=1.0").quality("compress") == 0.5)
        let header = AcceptHeader("gzip;q=1.0, identity; q=0.5, *;q=0")
        #expect([header.quality("gzip", "*"), header.quality("br", "*"), header.quality("identity")] == [1, 0, 0.5])
        #expect(AcceptHeader(nil).quality("gzip", "*") == 0)
    }

    // MARK: Preconditions

    /// RFC 9110, section 8.8.3.2: the table of comparisons. `If-Match` compares strongly, `If-None-Match` weakly.
    @Test(arguments: [
        (#"W/"1""#, #"W/"1""#, false), (#"W/"1""#, #"W/"2""#, false), (#"W/"1""#, #""1""#, false),
        (#""1""#, #""1""#, true),
    ]) func tagsMatchStrongly(first: String, second: String, isStrong: Bool) {
        #expect(EntityTag.matches(first, ifMatch: second) == isStrong)
        #expect(EntityTag.matches(second, ifMatch: first) == isStrong)
    }

    @Test(arguments: [
        (#""1""#, true), (#"W/"1""#, true), (#""2""#, false), ("*", true), (#""2", W/"1""#, true), (#""2" ,"1""#, true),
        (#""2",,"1","#, true), ("1", false), (#"w/"1""#, false), ("", false),
        // One tag that has commas (section 8.8.3: etagc).
        (#""2,*,3""#, false), (#""2,"1",3""#, false),
    ]) func tagsMatchWeakly(header: String, doesMatch: Bool) {
        #expect(EntityTag("1").matches(ifNoneMatch: header) == doesMatch)
    }

    /// Section 13.1.1.
    @Test func aConditionMayNameAnyContent() {
        #expect(EntityTag.matches(nil, ifMatch: "*"))
        #expect(!EntityTag.matches(nil, ifMatch: #""1""#))
        #expect(EntityTag.matches(#""xyzzy""#, ifMatch: #""xyzzy", "r2d2xxxx", "c3piozzzz""#))
        #expect(!EntityTag.matches(#""x""#, ifMatch: #""y,*""#))
        #expect(!EntityTag("1").matches(ifNoneMatch: nil))
    }

    // MARK: Dates, preferences, names of files

    /// RFC 9110, section 5.6.7. The two obsolete forms are not read.
    @Test func datesAreThoseOfTheRule() {
        #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        for text in [
            "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 +0100", "",
        ] {
            #expect(HTTPDate.seconds(text) == nil)
        }
    }

    /// RFC 7240, section 2: names are case-insensitive, parameters do not matter, and an empty value is none.
    @Test(arguments: [
        ("respond-async", true), ("Respond-Async, wait=100", true),
        ("handling=lenient, respond-async; foo=\"a,b\"", true),
        ("respond-async=\"\"", true), ("respond-async=1", false), ("wait=100", false),
        ("x=\"a, respond-async\"", false),
    ]) func preferencesAreFound(header: String, isStated: Bool) throws {
        let headers: HTTPFields = [try #require(HTTPField.Name("Prefer")): header]
        #expect(Preference.isStated(Preference.respondAsync, in: headers) == isStated)
    }

    /// RFC 8187, section 3.2.3: the pound sign and the euro.
    @Test func namesBeyondASCIIAreEncoded() {
        #expect(
            ContentDisposition.attachment("£ and € rates").hasSuffix(
                "filename*=UTF-8''%C2%A3%20and%20%E2%82%AC%20rates"))
        #expect(ContentDisposition.attachment("a\"b\\c.jpg").hasPrefix("attachment; filename=\"abc.jpg\";"))
    }

    // MARK: Queries

    /// The form's encoding (url.spec.whatwg.org, section 5.1).
    @Test(
        arguments: [
            ("a=1&b=two", ["a", "1", "b", "two"]), ("", []), ("a", ["a", ""]), ("a=", ["a", ""]), ("=b", ["", "b"]),
            ("a=b=c", ["a", "b=c"]), ("&&a=1&", ["a", "1"]), ("a=1&a=2", ["a", "1", "a", "2"]),
            ("a+b=c+d%2B", ["a b", "c d+"]), ("%61%3D=%26", ["a=", "&"]), ("n=%E2%82%AC", ["n", "€"]),
        ] as [(String, [String])])
    func fieldsAreDecoded(query: String, fields: [String]) throws {
        let parsed = try #require(QueryFields(query))
        #expect(parsed.flatMap { [$0.name, $0.value] } == fields)
    }

    @Test(arguments: ["%", "a=%z1", "a=%1", "%ff=1", "a=%C3%28"])
    func malformedQueriesAreRefused(query: String) { #expect(QueryFields(query) == nil) }

    @Test func theFirstValueOfANameIsFound() throws {
        let fields = try #require(QueryFields("a=1&b=2&a=3"))
        #expect([fields.value("a"), fields.value("b"), fields.value("c")] == ["1", "2", nil])
    }
}
