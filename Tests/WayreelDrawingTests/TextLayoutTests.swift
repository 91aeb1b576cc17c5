import Testing
import WayreelCore
import WayreelDrawing

/// The fonts are installed by the project's setup: DejaVu, Noto and Noto Color Emoji.
@Suite struct TextLayoutTests {
    private let font = "DejaVu Sans"
    private let prose = "Long ago the friars hung a bell in the tower of the mission; ring it, and the story begins."

    @Test(arguments: [120.0, 200, 333])
    func breaksLinesAtTheWidth(width: Double) throws {
        let free = try TextLayout(prose, font: font, size: 20)
        #expect(free.lineCount == 1)
        let broken = try TextLayout(prose, font: font, size: 20, width: width)
        #expect(broken.lineCount >= Int((free.logicalBounds.width / width).rounded(.up)))
        #expect(broken.inkBounds.maxX <= width && broken.inkBounds.x >= -1)
    }

    @Test func breaksAWordThatIsLongerThanALine() throws {
        let word = String(repeating: "m", count: 40)
        let layout = try TextLayout(word, font: font, size: 20, width: 100)
        #expect(layout.lineCount > 5)
        #expect(layout.inkBounds.maxX <= 100)
        #expect(layout.glyphs.count == 40, "no hyphens are put in")
    }

    @Test func sizesArePixelsOfTheEm() throws {
        // DejaVu Sans: 2048 units per em, ascent 1901, descent 483, advance of "m" 1995 (from its hhea and hmtx
        // tables).
        let layout = try TextLayout("mm", font: font, size: 100)
        #expect(abs(layout.logicalBounds.height - (1901 + 483) / 20.48) < 0.1)
        #expect(abs(layout.logicalBounds.width - 2 * 1995 / 20.48) < 0.1)
        #expect(abs(layout.firstBaseline - 1901 / 20.48) < 0.1)
    }

    @Test func isTheSameAtEverySize() throws {
        let small = try TextLayout(prose, font: font, size: 7.3)
        let large = try TextLayout(prose, font: font, size: 73)
        #expect(abs(small.logicalBounds.width * 10 / large.logicalBounds.width - 1) < 0.002)
    }

    @Test func aligns() throws {
        let text = "wide wide wide\nn"
        func inkOfSecondLine(_ alignment: TextLayout.Alignment) throws -> (left: Double, width: Double) {
            let layout = try TextLayout(text, font: font, size: 20, width: 300, alignment: alignment)
            let last = try #require(layout.glyphs.last)
            let advance = try TextLayout("n", font: font, size: 20).logicalBounds.width
            return (last.x, advance)
        }
        let start = try inkOfSecondLine(.start)
        let center = try inkOfSecondLine(.center)
        let end = try inkOfSecondLine(.end)
        #expect(abs(start.left) < 0.1)
        #expect(abs(center.left - (300 - center.width) / 2) < 0.1)
        #expect(abs(end.left - (300 - end.width)) < 0.1)
    }

    @Test func justifies() throws {
        let layout = try TextLayout(prose, font: font, size: 20, width: 300, alignment: .justify)
        let ragged = try TextLayout(prose, font: font, size: 20, width: 300)
        #expect(layout.lineCount == ragged.lineCount)
        #expect(abs(layout.logicalBounds.width - 300) < 1)
        #expect(ragged.logicalBounds.width < 299)
    }

    @Test func runsArabicFromRightToLeftAndJoinsIt() throws {
        let text = "جرس البعثة"
        let layout = try TextLayout(text, font: font, size: 40)
        let offsets = layout.glyphs.map(\.textOffset)
        #expect(offsets == offsets.sorted(by: >), "the first character is furthest to the right")
        #expect(layout.missingCharacters.isEmpty)
        // A single letter has its isolated form; between others, it has its medial form.
        let alone = try #require(TextLayout("ع", font: font, size: 40).glyphs.first)
        let joined = try #require(TextLayout("بعث", font: font, size: 40).glyphs.first { $0.textOffset == 2 })
        #expect(alone.index != joined.index)
    }

    @Test func startsArabicAtTheRight() throws {
        let arabic = try TextLayout("جرس", font: font, size: 40, width: 500, alignment: .start)
        let latin = try TextLayout("abc", font: font, size: 40, width: 500, alignment: .start)
        #expect(arabic.inkBounds.x > 400)
        #expect(latin.inkBounds.maxX < 100)
    }

    @Test func mixesDirections() throws {
        // Hebrew inside English: the words keep their order, and the letters of the Hebrew word run backwards.
        let layout = try TextLayout("ab אבג cd", font: font, size: 20)
        #expect(layout.glyphs.map(\.textOffset) == [0, 1, 2, 7, 5, 3, 9, 10, 11])
    }

    @Test func findsEmojiInColor() throws {
        let glyphs = try TextLayout("a🎉", font: font, size: 40).glyphs
        #expect(glyphs.map(\.isColor) == [false, true])
        // A sequence joined by zero-width joiners, and a flag of two letters, are one glyph each.
        #expect(try TextLayout("👩‍🚀", font: font, size: 40).glyphs.filter(\.isColor).count == 1)
        #expect(try TextLayout("🇳🇱", font: font, size: 40).glyphs.filter(\.isColor).count == 1)
    }

    @Test func namesMissingCharactersOnce() throws {
        // Private-use and unassigned characters, which no font has by design.
        let layout = try TextLayout("a\u{FFFF0}b\u{10FFF0}\u{FFFF0}", font: font, size: 20)
        #expect(layout.missingCharacters == ["\u{FFFF0}", "\u{10FFF0}"])
        #expect(try TextLayout("abc é ß ☃", font: font, size: 20).missingCharacters.isEmpty)
    }

    @Test(arguments: [
        "DejaVu Sans", "dejavu sans bold", "Sans", "serif Italic", "Monospace", "Bold", "Nope, DejaVu Serif",
    ])
    func findsFamilies(font: String) throws {
        #expect(try TextLayout("a", font: font, size: 20).substitutedFamily == nil)
    }

    @Test func namesTheSubstitutedFamily() throws {
        let layout = try TextLayout("a", font: "Dejavu Snas Bold", size: 20)
        let substituted = try #require(layout.substitutedFamily)
        #expect(substituted.asked == "Dejavu Snas")
        #expect(layout.installedFamilies.contains(substituted.used))
        #expect(nearestName(to: substituted.asked, in: layout.installedFamilies) == "DejaVu Sans")
    }

    @Test func boldIsWider() throws {
        let regular = try TextLayout("The Mission Bell", font: "DejaVu Sans", size: 40)
        let bold = try TextLayout("The Mission Bell", font: "DejaVu Sans Bold", size: 40)
        #expect(bold.logicalBounds.width > regular.logicalBounds.width * 1.05)
    }

    @Test(arguments: [
        ("", "Sans", 20.0), ("a\0b", "Sans", 20), ("a", "Sans 12", 20), ("a", "Sans\0", 20), ("a", "Sans", 0),
        ("a", "Sans", -1), ("a", "Sans", .nan), ("a", "Sans", .infinity), ("a", "Sans", 4097),
        (String(repeating: "word ", count: 20_480), "Sans", 20), (String(repeating: "a", count: 10_000), "Sans", 200),
        ("a", String(repeating: "Sans", count: 100), 20),
    ])
    func rejects(text: String, font: String, size: Double) {
        #expect {
            try TextLayout(text, font: font, size: size)
        } throws: { error in
            (error as? MediaError)?.kind == .parameter
        }
    }

    /// Breaking one long word into a column of single letters takes time in Pango that grows with the square of its
    /// length.
    @Test func refusesManyCharactersInAColumn() {
        #expect(throws: MediaError.self) {
            try TextLayout(String(repeating: "a", count: 10_000), font: font, size: 12, width: 1)
        }
    }

    @Test func takesTenThousandCharacters() throws {
        let layout = try TextLayout(String(repeating: "wort ", count: 2000), font: font, size: 12, width: 300)
        #expect(layout.lineCount > 200)
    }

    /// Rounded up from 0: Pango counts in 1024ths of a pixel.
    @Test(arguments: [0.001, 0.06, 1])
    func takesTinySizes(size: Double) throws {
        let layout = try TextLayout("abc", font: font, size: size, width: 1)
        #expect(layout.inkBounds.width <= 3)
    }
}
