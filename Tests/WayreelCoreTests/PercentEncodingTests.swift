internal import Testing
internal import WayreelCore

/// RFC 3986, section 2.1, and the examples of its section 2.5.
@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("%41", "A"), ("A", "A"), ("%C3%80", "À"), ("%e3%82%a2", "ア"), ("a+b%2Bc", "a+b+c"), ("", ""), ("%2525", "%25"),
    ])
    func decodes(text: String, meant: String) { #expect(PercentEncoding.decode(text) == meant) }

    @Test func decodesPlusAsSpaceInForms() {
        #expect(PercentEncoding.decode("a+b%2Bc", plusIsSpace: true) == "a b+c")
    }

    @Test(arguments: ["%", "%4", "%4G", "%+5", "%-5", "% 5", "%\u{FF11}1", "%00", "%C3", "%FF"])
    func refusesWhatIsMalformed(text: String) { #expect(PercentEncoding.decode(text) == nil) }

    @Test(arguments: [
        ("À", "%C3%80"), ("ア", "%E3%82%A2"), ("a-b._~", "a-b._~"), ("50 %", "50%20%25"), ("a/b", "a%2Fb"),
    ])
    func encodes(text: String, meant: String) { #expect(PercentEncoding.encode(text) == meant) }

    @Test func keepsWhatIsAskedFor() { #expect(PercentEncoding.encode("a/b:c", keeping: "/") == "a/b%3Ac") }
}
