import Testing
import WayreelImage

@Suite struct ArtistListTests {
    /// As exiftool 12.57 splits them with `-use MWG -EXIF:Artist`, and joins them again.
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
