import Testing
import WayreelService

struct RemoteURLTests {
    /// The examples of RFC 3986, section 5.4, whose results are http URLs. A URL here names its port; a fragment is not
    /// sent to a server.
    @Test(arguments: [
        ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
        ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"),
        ("g;x", "/b/c/g;x"), ("g;x?y#s", "/b/c/g;x?y"), ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"),
        ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"), ("../../", "/"), ("../../g", "/g"),
        ("../../../g", "/g"), ("../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."),
        (".g", "/b/c/.g"), ("g..", "/b/c/g.."), ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"),
        ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"), ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"),
        ("g?y/./x", "/b/c/g?y/./x"), ("g?y/../x", "/b/c/g?y/../x"), ("g#s/./x", "/b/c/g"), ("g#s/../x", "/b/c/g"),
    ])
    func resolvesTheExamplesOfItsStandard(reference: String, target: String) throws {
        let base = try #require(RemoteURL("http://a/b/c/d;p?q"))
        #expect(base.resolving(reference)?.text == "http://a:80\(target)")
    }

    @Test func resolvesOtherServers() throws {
        let base = try #require(RemoteURL("http://a/b/c/d;p?q"))
        #expect(base.resolving("//g")?.text == "http://g:80/")
        #expect(base.resolving("https://g/x/../y?z:#s")?.text == "https://g:443/y?z:")
        #expect(base.resolving("?z:y")?.text == "http://a:80/b/c/d;p?z:y")
        // `g:h` has another scheme; strict parsers read `http:g` as a URL without a host.
        for reference in ["g:h", "http:g", "//u@g/", "ftp://g/x"] { #expect(base.resolving(reference) == nil) }
    }
}
