import Testing
import WayreelImage

@Suite struct ArtistListTests {
    /// Split and joined by exiftool 12.57 with `-use MWG -EXIF:Artist`.
    @Test(arguments: [
        ("Ada", ["Ada"]), ("Ada; Bob", ["Ada", "Bob"]), ("Ada;Bob", ["Ada;Bob"]),
        (#""Ada; Co"; Bob"#, ["Ada; Co", "Bob"]), (#""""Ada"" B; C""#, [#""Ada" B; C"#]), ("", []),
    ])
    func splitsAndJoins(text: String, names: [String]) {
        #expect(ArtistList.names(in: text) == names)
        #expect(ArtistList.text(names) == text)
    }

    @Test(arguments: [("\"Ada; Bob", ["\"Ada", "Bob"]), ("\"", ["\""]), ("; ", [""]), ("\"\"", [""])])
    func brokenListsAreHarmless(text: String, names: [String]) {
        #expect(ArtistList.names(in: text) == names)
    }
}
