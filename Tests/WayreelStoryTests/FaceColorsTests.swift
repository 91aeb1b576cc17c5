import TestSupport
import Testing
import WayreelCore
import WayreelStory
import WayreelStoryMedia

/// The colours of a house, and what is said about them and about its font.
@Suite struct FaceColorsTests {
    private let folder = TemporaryFolder()

    private func color(_ text: String?) throws -> RGBColor { try #require(text.flatMap { RGBColor($0) }) }

    /// The W3C's examples (Understanding WCAG 2.2, 1.4.3 and 1.4.11), and the ends of the scale.
    @Test(arguments: [
        ("#777777", "#ffffff", 4.48), ("#767676", "#ffffff", 4.54), ("#949494", "#ffffff", 3.03),
        ("#000000", "#ffffff", 21), ("#123456", "#123456", 1), ("#ff0000", "#ffffff", 4.00),
        ("#0000ff", "#ffffff", 8.59), ("#ffd21f", "#edf1ee", 1.27),
    ])
    func contrastsAreThoseOfWCAG(one: String, other: String, ratio: Double) throws {
        let found = try color(one).contrast(with: color(other))
        #expect(abs(found - ratio) <= 0.005)
        #expect(try color(other).contrast(with: color(one)) == found)
    }

    /// Computed with ColorAide 8 (Python): the first lightness in OKLCH, in steps of 1/4000, at which the contrast holds.
    @Test(arguments: [
        ("#ffd21f", "#846b00", "#a78700", "#ffd21f", "#ffd21f"),
        ("#0b66c3", "#0b66c3", "#0b66c3", "#3384e3", "#0b66c3"),
        ("#c8500a", "#bc4900", "#c8500a", "#d85e22", "#c8500a"),
        ("#002855", "#002855", "#002855", "#5c85ba", "#41699b"),
        ("#808080", "#6d6d6d", "#808080", "#838383", "#808080"),
        ("#00a651", "#007e3c", "#00a04e", "#00a651", "#00a651"),
        ("#7a1020", "#7a1020", "#7a1020", "#ce6265", "#ad4449"),
        ("#0000ff", "#0000ff", "#0000ff", "#447bff", "#1552ff"),
        ("#ffffff", "#6d6d6d", "#8a8a8a", "#ffffff", "#ffffff"),
        ("#000000", "#000000", "#000000", "#838383", "#676767"),
    ])
    func accentsAreCorrected(
        accent: String, lightLink: String, lightMark: String, darkLink: String, darkMark: String
    ) throws {
        let colors = FaceColors(Face(accent: accent))
        for (found, expected) in [
            (colors.light.accent, lightLink), (colors.light.mark, lightMark), (colors.dark.accent, darkLink),
            (colors.dark.mark, darkMark),
        ] {
            let (found, expected) = (try color(found), try color(expected))
            for (one, other) in [
                (found.red, expected.red), (found.green, expected.green), (found.blue, expected.blue),
            ] {
                // A step of 8 bits, and what ColorAide's matrices differ by.
                #expect(abs(one - other) <= 2.01 / 255, "\(found.hexadecimal), expected \(expected.hexadecimal)")
            }
        }
        #expect(colors.light.color == nil && colors.dark.edge == nil)
    }

    @Test func everyColourCanBeRead() throws {
        var random = SeededRandom(seed: 44)
        for _ in 0..<300 {
            let bytes = (0..<6).map { _ in UInt8.random(in: 0...255, using: &random) }
            let face = Face(
                color: "#" + bytes[..<3].hexadecimal, accent: "#" + bytes[3...].hexadecimal)
            let colors = FaceColors(face)
            for (scheme, grounds) in [(colors.light, FaceColors.Grounds.light), (colors.dark, .dark)] {
                let behind = [try color(grounds.paper), try color(grounds.board)]
                #expect(scheme.color == face.color)
                #expect(try color(scheme.text).contrast(with: color(scheme.color)) >= 4.58)
                #expect(try color(scheme.markText).contrast(with: color(scheme.mark)) >= 4.58)
                for ground in behind {
                    #expect(try color(scheme.accent).contrast(with: ground) >= 4.5, "\(face)")
                    #expect(try color(scheme.mark).contrast(with: ground) >= 3, "\(face)")
                    #expect(try color(scheme.edge).contrast(with: ground) >= 3, "\(face)")
                }
            }
        }
    }

    /// The grounds are those of the page.
    @Test func groundsAreThoseOfThePage() throws {
        let styles = try String(decoding: Fixture.bytes("\(Fixture.root)/Player/styles/tokens.css"), as: UTF8.self)
        let parts = styles.split(separator: "prefers-color-scheme: dark")
        for (part, grounds) in [(parts[0], FaceColors.Grounds.light), (parts[1], .dark)] {
            #expect(part.contains("--paper: \(grounds.paper);") && part.contains("--board: \(grounds.board);"))
        }
    }

    private func issues(_ face: String) throws -> [String] {
        let story = """
            <story id="s" language="en"><name>S</name>
            \(face)
            <chapter id="c"><name>C</name></chapter></story>
            """
        let date = try #require(CalendarDate("2026-01-10"))
        return try StorySamples.read(story).checked(in: folder.path, on: date).issues.map {
            "\($0.line): \($0.severity.rawValue): \($0.message)"
        }
    }

    @Test func anAccentThatCannotBeReadIsNamedWithWhatIsShown() throws {
        #expect(
            try issues("<face accent=\"#ffd21f\"/>") == [
                "2: warning: the accent #ffd21f has a contrast of 1.2:1 with the light page, too little to be read; links "
                    + "are shown in #846b00 (4.5:1), marks in #a78700 (3:1)"
            ])
        #expect(
            try issues("<face accent=\"#c8500a\"/>").first?.hasPrefix(
                "2: warning: the accent #c8500a has a contrast of 3.9:1 with the light page") == true)
        #expect(try issues("<face color=\"#ffffff\" accent=\"#0b66c3\"/>").isEmpty)
    }

    @Test func aFontNeedsItsLicence() throws {
        let expected = [
            "2: error: the font 'a.ttf' has no fontLicense; say under which licence it may be delivered with the story, such "
                + "as OFL-1.1, or \"licensed for www.museum.example\""
        ]
        try OutputFile.write(
            Fixture.bytes("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"), to: "\(folder.path)/a.ttf")
        #expect(try issues("<face font=\"a.ttf\"/>") == expected)
        #expect(try issues("<face font=\"a.ttf\" fontLicense=\"OFL-1.1\"/>").isEmpty)
    }
}
