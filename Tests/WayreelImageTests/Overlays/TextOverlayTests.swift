internal import TestSupport
import Testing
import WayreelCore
import WayreelImage

private let screen = PixelSize(width: 480, height: 320)

@Suite struct TextOverlayTests {
    /// Returns a black image with one text on it, white and without a shadow unless `overlay` specifies otherwise, and
    /// the warnings.
    private func draw(
        _ overlay: TextOverlay, on size: PixelSize = screen, ground: [Float] = [0, 0, 0]
    ) throws -> (image: Image, warnings: [String]) {
        var image = try Image.filled(size, ground)
        let task = TaskContext()
        try OverlayRenderer([.text(overlay)], load: noImages).draw(on: &image, task: task)
        return (image, task.warnings.map(\.message))
    }

    private func noImages(_ path: String) throws(MediaError) -> Image {
        throw MediaError(.io, step: .read, subject: path, reason: "not in this test")
    }

    private func isInk(_ pixel: SIMD3<Float>) -> Bool { pixel.max() > 0.05 }

    @Test func drawsSmoothWhiteLettersByDefault() throws {
        let (image, warnings) = try draw(TextOverlay("The Mission Bell"), on: PixelSize(width: 960, height: 640))
        #expect(warnings.isEmpty)
        let bounds = try #require(image.bounds(where: isInk))
        // 6 % of 640 pixels: capitals of 729/1000 em. Centred, and 4 % above the lower edge.
        #expect((26...32).contains(bounds.rows.count))
        #expect(bounds.rows.upperBound < 640 - 25 && bounds.rows.upperBound > 590)
        #expect(abs(bounds.columns.lowerBound - (959 - bounds.columns.upperBound)) <= 3)
        #expect(image.count { $0.min() > 0.99 } > 1000)
        // Smoothed in grey, never in colour.
        #expect(image.count { $0.x != $0.y || $0.y != $0.z } == 0)
        #expect(image.count { $0.x > 0.2 && $0.x < 0.8 } > 200)
    }

    @Test(arguments: Gravity.allCases)
    func keepsItsMargins(gravity: Gravity) throws {
        var overlay = plain("Hxg", gravity: gravity)
        overlay.box = TextOverlay.Box(color: .white, padding: .pixels(4))
        let (image, _) = try draw(overlay)
        let bounds = try #require(image.bounds { $0.min() > 0.5 })
        let (left, right) = (bounds.columns.lowerBound, 479 - bounds.columns.upperBound)
        let (top, bottom) = (bounds.rows.lowerBound, 319 - bounds.rows.upperBound)
        switch gravity.x {
        case 0: #expect(abs(left - 10) <= 1)
        case 1: #expect(abs(right - 10) <= 1)
        default: #expect(abs(left - right) <= 2)
        }
        switch gravity.y {
        case 0: #expect(abs(top - 10) <= 1)
        case 1: #expect(abs(bottom - 10) <= 1)
        default: #expect(abs(top - bottom) <= 2)
        }
    }

    @Test func wrapsBetweenItsMargins() throws {
        let text = String(repeating: "The Mission Bell rings. ", count: 6)
        let (image, warnings) = try draw(plain(text, size: 24))
        let bounds = try #require(image.bounds(where: isInk))
        #expect(bounds.columns.lowerBound >= 9 && bounds.columns.upperBound <= 470)
        #expect(bounds.rows.count > 48)
        #expect(warnings.isEmpty)
    }

    @Test func wrapsToItsWidth() throws {
        var overlay = plain("wrap these words to the width of the overlay", size: 20)
        overlay.width = .pixels(150)
        let bounds = try #require(try draw(overlay).image.bounds(where: isInk))
        #expect(bounds.columns.count <= 150)
        #expect(bounds.rows.count > 60)
    }

    @Test func warnsAboutOverflow() throws {
        var overlay = plain("Overflowing", size: 150, gravity: .west)
        overlay.width = .pixels(5000)
        overlay.alignment = .start
        let (image, warnings) = try draw(overlay)
        #expect(warnings.count == 1 && warnings[0].contains("overflows"))
        #expect(image.count { $0.min() > 0.9 } > 5000, "what fits is drawn")
    }

    /// The second line is short, and is on the side of the gravity.
    @Test(arguments: [
        (Gravity.southWest, "wide wide wide\nn"), (.southEast, "wide wide wide\nn"), (.west, "جرس جرس جرس\nجرس"),
    ])
    func linesFollowTheGravity(gravity: Gravity, text: String) throws {
        var image = try draw(plain(text, gravity: gravity)).image
        let all = try #require(image.bounds(where: isInk))
        image.withMutablePlanes { planes in
            for y in 0..<(all.rows.lowerBound + all.rows.upperBound) / 2 {
                for plane in 0..<3 { planes.row(y, plane: plane).update(repeating: 0, count: planes.width) }
            }
        }
        let second = try #require(image.bounds(where: isInk)).columns
        let (left, right) = (
            second.lowerBound - all.columns.lowerBound, all.columns.upperBound - second.upperBound
        )
        #expect(gravity.x == 0 ? left < 8 && right > 40 : right < 8 && left > 40, "\(left) \(right)")
    }

    /// Ink by columns: the word begins at the right.
    @Test func drawsArabicFromTheRight() throws {
        var overlay = plain("جرس", gravity: .center)
        overlay.width = .pixels(400)
        overlay.alignment = .start
        let arabic = try #require(try draw(overlay).image.bounds(where: isInk))
        #expect(arabic.columns.lowerBound > 240)
        overlay.text = "abc"
        let latin = try #require(try draw(overlay).image.bounds(where: isInk))
        #expect(latin.columns.upperBound < 240)
    }

    @Test func drawsEmojiInColorAndWithoutABox() throws {
        var overlay = plain("🎉", size: 100)
        let (image, warnings) = try draw(overlay, ground: [0.5, 0.5, 0.5])
        #expect(warnings.isEmpty)
        #expect(image.count { $0.max() - $0.min() > 0.3 } > 1500, "there is colour")
        // Only letters have an outline; there is no green around the emoji.
        overlay.outline = TextOverlay.Outline(color: RGBColor(red: 0, green: 1, blue: 0), width: .pixels(5))
        let outlined = try draw(overlay, ground: [0.5, 0.5, 0.5]).image
        #expect(outlined.values == image.values)
        // The corners of its bounding box are unchanged.
        let bounds = try #require(image.bounds { $0 != [0.5, 0.5, 0.5] })
        #expect(image.value(bounds.columns.lowerBound, bounds.rows.lowerBound, 0) == 0.5)
        #expect(image.value(bounds.columns.lowerBound, bounds.rows.upperBound, 0) > 0)
    }

    @Test func turnsAndEnlargesEmojiWhole() throws {
        let upright = try draw(plain("⛪", size: 100)).image
        var overlay = plain("⛪", size: 100)
        overlay.rotation = 180
        let turned = try draw(overlay).image
        // The ink of a church rotated by 180° is that of the upright one, mirrored at the centre; because of
        // resampling, the edges differ slightly.
        let ink = (upright.count(where: isInk), turned.count(where: isInk))
        #expect(abs(ink.0 - ink.1) < ink.0 / 20)
        let (bounds, turnedBounds) = (
            try #require(upright.bounds(where: isInk)), try #require(turned.bounds(where: isInk))
        )
        #expect(abs(bounds.columns.count - turnedBounds.columns.count) <= 2)
        #expect(abs(bounds.rows.lowerBound - (319 - turnedBounds.rows.upperBound)) <= 2)
        overlay.rotation = 45
        #expect(abs(try draw(overlay).image.count(where: isInk) - ink.0) < ink.0 / 20)
        // Very large and translucent glyphs use another code path.
        overlay.rotation = 0
        overlay.size = .pixels(800)
        let large = try draw(overlay, on: PixelSize(width: 1200, height: 1000)).image
        #expect(abs(large.count(where: isInk) - 64 * ink.0) < 64 * ink.0 / 20)
        overlay.size = .pixels(100)
        overlay.color.alpha = 0.5
        let faint = try draw(overlay).image
        #expect(abs(faint.count { $0.max() > 0.025 } - ink.0) < ink.0 / 20)
        #expect(try #require(faint.values.max()) < 0.51)
    }

    @Test func outlineIsWiderThanTheLetters() throws {
        var overlay = plain("Bell", size: 80)
        let letters = try #require(try draw(overlay).image.bounds(where: isInk))
        overlay.outline = TextOverlay.Outline(color: RGBColor(red: 1, green: 0, blue: 0), width: .pixels(6))
        let (image, _) = try draw(overlay)
        let outlined = try #require(image.bounds(where: isInk))
        #expect(abs(letters.columns.lowerBound - outlined.columns.lowerBound - 6) <= 1)
        #expect(abs(outlined.columns.upperBound - letters.columns.upperBound - 6) <= 1)
        #expect(abs(outlined.rows.count - letters.rows.count - 12) <= 2)
        // The letters themselves keep their width.
        let inner = try #require(image.bounds { $0.min() > 0.5 })
        #expect(abs(inner.columns.count - letters.columns.count) <= 2)
    }

    @Test func transparentTextShowsTheBackground() throws {
        var overlay = plain("I", size: 200)
        overlay.font = "DejaVu Sans Bold"
        overlay.color = .clear
        overlay.outline = TextOverlay.Outline(color: .white, width: .pixels(4))
        let (image, _) = try draw(overlay)
        let bounds = try #require(image.bounds(where: isInk))
        let middle = (bounds.rows.lowerBound + bounds.rows.upperBound) / 2
        let row = bounds.columns.map { image.value($0, middle, 0) }
        #expect(row[2] > 0.9 && row[row.count / 2] == 0 && row[row.count - 3] > 0.9)
        #expect(abs(Double(row.reduce(0, +)) - 8) < 0.5, "4 pixels on either side")
    }

    @Test func shadowLiesBelow() throws {
        var overlay = plain("Bell", size: 80)
        let white: [Float] = [1, 1, 1]
        overlay.color = RGBColor(red: 1, green: 0, blue: 0)
        let letters = try #require(try draw(overlay, ground: white).image.bounds { $0.y < 0.5 })
        overlay.shadow = TextOverlay.Shadow(color: .black, x: .pixels(20), y: .pixels(12), blur: .pixels(0))
        let (image, _) = try draw(overlay, ground: white)
        let shadow = try #require(image.bounds { $0.max() < 0.1 })
        // The far end of the shadow is that of the letters plus the offset; near the letters it is covered.
        #expect(abs(shadow.columns.upperBound - letters.columns.upperBound - 20) <= 1)
        #expect(abs(shadow.rows.upperBound - letters.rows.upperBound - 12) <= 1)
        let red = image.count { $0.x > 0.99 && $0.y < 0.01 }
        overlay.shadow = nil
        #expect(try draw(overlay, ground: white).image.count { $0.x > 0.99 && $0.y < 0.01 } == red)
        overlay.shadow = TextOverlay.Shadow(color: .black, x: .pixels(20), y: .pixels(12), blur: .pixels(6))
        let soft = try #require(try draw(overlay, ground: white).image.bounds { $0.x < 0.995 })
        #expect(soft.columns.upperBound > shadow.columns.upperBound + 6)
    }

    @Test func drawsTheBoxWithPadding() throws {
        var overlay = plain("Hg", size: 50)
        overlay.color = .black
        overlay.box = TextOverlay.Box(color: .white, padding: .pixels(0))
        let tight = try #require(try draw(overlay).image.bounds { $0.min() > 0.5 })
        // DejaVu Sans Bold: ascent 1901 and descent 483 of 2048 units.
        #expect(abs(tight.rows.count - Int(50.0 * 2384 / 2048)) <= 1)
        overlay.box = TextOverlay.Box(color: .white, padding: .pixels(15), radius: .pixels(12))
        let (image, _) = try draw(overlay)
        let padded = try #require(image.bounds { $0.min() > 0.5 })
        #expect(padded.columns.count - tight.columns.count == 30)
        #expect(padded.rows.count - tight.rows.count == 30)
        #expect(image.value(padded.columns.lowerBound, padded.rows.lowerBound + 1, 0) == 0, "a round corner")
    }

    @Test func turnsAboutItsCenter() throws {
        var overlay = plain("WWWWW", size: 40)
        let level = try #require(try draw(overlay).image.bounds(where: isInk))
        overlay.rotation = 90
        let turned = try #require(try draw(overlay).image.bounds(where: isInk))
        #expect(abs(level.columns.count - turned.rows.count) <= 2)
        #expect(abs(level.rows.count - turned.columns.count) <= 2)
        overlay.rotation = 180 + 3600
        let half = try #require(try draw(overlay).image.bounds(where: isInk))
        #expect(abs(half.columns.lowerBound - (479 - level.columns.upperBound)) <= 2)
        #expect(abs(half.rows.lowerBound - (319 - level.rows.upperBound)) <= 2)
    }

    @Test func turnedTextKeepsItsMargin() throws {
        var overlay = plain("UPRIGHT", size: 30, gravity: .west)
        overlay.box = TextOverlay.Box(color: .white, padding: .pixels(0))
        overlay.rotation = -90
        let bounds = try #require(try draw(overlay).image.bounds { $0.min() > 0.5 })
        #expect(abs(bounds.columns.lowerBound - 10) <= 1)
        #expect(bounds.rows.count > bounds.columns.count * 2)
    }

    @Test func opacityAppliesToTheWhole() throws {
        var overlay = plain("Bell", size: 80)
        overlay.outline = TextOverlay.Outline(color: .white, width: .pixels(4))
        overlay.opacity = 0.25
        #expect(abs(try #require(try draw(overlay).image.values.max()) - 0.25) < 0.002)
    }

    @Test func blends() throws {
        var overlay = plain("Bell", size: 80)
        overlay.blend = .multiply
        overlay.color = RGBColor(red: 0.5, green: 1, blue: 1)
        let (image, _) = try draw(overlay, ground: [0.8, 0.8, 0.8])
        #expect(image.count { abs($0.x - 0.4) < 0.002 && abs($0.y - 0.8) < 0.002 } > 500)
    }

    @Test func namesMissingCharactersAndDrawsNoBoxes() throws {
        let (image, warnings) = try draw(plain("\u{FFFF0}\u{10FFF0}", size: 100))
        #expect(image.bounds(where: isInk) == nil)
        #expect(warnings.count == 1)
        #expect(warnings[0].contains("U+FFFF0, U+10FFF0"))
    }

    @Test(arguments: [" ", "\n\n\n", "\u{200D}"])
    func warnsIfNothingIsVisible(text: String) throws {
        let (image, warnings) = try draw(plain(text))
        #expect(image.bounds(where: isInk) == nil)
        #expect(warnings.count == 1)
    }

    @Test(arguments: [("中", "fonts-noto-cjk"), ("\u{1FAFF}", "fonts-noto-color-emoji")])
    func namesAPackage(character: String, package: String) throws {
        let warnings = try draw(plain(character)).warnings
        // If the package is installed, there is no warning.
        #expect(warnings.allSatisfy { $0.contains(package) })
    }

    @Test func namesAFontThatIsNotInstalled() throws {
        var overlay = plain("Bell")
        overlay.font = "Dejavu Snas"
        let (image, warnings) = try draw(overlay)
        #expect(warnings.count == 1)
        #expect(warnings[0].contains("'Dejavu Snas'") && warnings[0].contains("did you mean 'DejaVu Sans'?"))
        #expect(image.bounds(where: isInk) != nil)
    }

    @Test(arguments: [
        plain(""), plain("a\0b"), plain(String(repeating: "x", count: 100_000)),
        plain("a", size: -1), plain("a", size: .nan), changed { $0.opacity = 2 }, changed { $0.rotation = .infinity },
        changed { $0.font = "DejaVu Sans 12" }, changed { $0.width = .pixels(-5) },
        changed { $0.marginX = .percent(.nan) }, changed { $0.color.red = .nan }, changed { $0.color.alpha = 2 },
        changed { $0.outline = TextOverlay.Outline(color: .white, width: .pixels(-1)) },
        changed { $0.shadow = TextOverlay.Shadow(color: .black, x: .pixels(0), y: .pixels(0), blur: .pixels(-1)) },
        changed { $0.box = TextOverlay.Box(color: .black, padding: .pixels(-1)) },
    ])
    func refusesBeforeItStarts(overlay: TextOverlay) {
        let error = #expect(throws: MediaError.self) { try OverlayRenderer([.text(overlay)], load: noImages) }
        #expect(error?.kind == .parameter)
    }

    @Test(arguments: [
        plain("a", size: 0), plain("a", size: 1e9),
        changed { $0.outline = TextOverlay.Outline(color: .white, width: .percent(1e6)) },
        changed { $0.shadow = TextOverlay.Shadow(color: .black, x: .pixels(0), y: .pixels(0), blur: .pixels(501)) },
    ])
    func rejectsOnAImage(overlay: TextOverlay) {
        let error = #expect(throws: MediaError.self) { try draw(overlay) }
        #expect(error?.kind == .parameter)
    }

    @Test(arguments: [
        PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 300), PixelSize(width: 300, height: 1),
        PixelSize(width: 17, height: 3), PixelSize(width: 40_001, height: 2),
    ])
    func drawsOnAwkwardSizes(size: PixelSize) throws {
        var overlay = TextOverlay("The Mission Bell 🎉", outline: .init(color: .black, width: .percent(1)))
        overlay.box = TextOverlay.Box(color: .black, padding: .percent(3), radius: .percent(50))
        for rotation in [0.0, 90, 33] {
            overlay.rotation = rotation
            let (image, _) = try draw(overlay, on: size, ground: [0.5, 0.5, 0.5])
            #expect(image.values.allSatisfy { (0...1).contains($0) })
        }
    }

    @Test(arguments: [1e300, -1e300, 1e6])
    func survivesExtremeLengths(value: Double) throws {
        var overlay = plain("Bell", gravity: .northWest)
        overlay.marginX = .pixels(value)
        overlay.width = .pixels(abs(value))
        overlay.shadow = TextOverlay.Shadow(color: .black, x: .pixels(value), y: .pixels(-value), blur: .pixels(3))
        let (image, warnings) = try draw(overlay)
        #expect(image.values.allSatisfy { $0 == 0 })
        #expect(warnings.count == 1)
    }

    @Test func drawsTenThousandCharacters() throws {
        let overlay = plain(String(repeating: "Word ", count: 2000), size: 40, gravity: .northWest)
        let (image, warnings) = try draw(overlay)
        #expect(image.count(where: isInk) > 10_000)
        #expect(warnings.count == 1 && warnings[0].contains("overflows"))
    }

    @Test func isTheSameEveryTimeAndOnEveryThread() throws {
        let overlay = TextOverlay(
            "The Mission Bell جرس 🎉", size: .percent(10), outline: .init(color: .black, width: .percent(1)),
            rotation: 7)
        let expected = try draw(overlay).image.values
        #expect(try draw(overlay).image.values == expected)
        let shared = try OverlayRenderer([.text(overlay)], load: noImages)
        let agreed = Counter()
        onThreads(4) {
            // One overlay that all threads share, and a separate one of the thread, with its own font map.
            guard let own = try? draw(overlay).image.values,
                var image = try? Image.filled(screen, [0, 0, 0]),
                (try? shared.draw(on: &image, task: TaskContext())) != nil
            else { return }
            if own == expected, image.values == expected { agreed.add() }
        }
        #expect(agreed.value == 4)
    }

    /// The layers of many sizes outgrow the cache, and come out the same when they are made again.
    @Test func keepsLayersApartBySize() throws {
        let overlay = TextOverlay(
            "The Mission Bell", size: .percent(20), box: .init(color: .black, padding: .percent(9)))
        let renderer = try OverlayRenderer([.text(overlay)], load: noImages)
        let sizes = (0..<90).map { PixelSize(width: 300 + $0, height: 200 + $0 % 7) }
        for size in sizes + sizes.prefix(3) {
            var image = try Image.filled(size, [0.2, 0.2, 0.2])
            try renderer.draw(on: &image, task: TaskContext())
            #expect(try image.values == draw(overlay, on: size, ground: [0.2, 0.2, 0.2]).image.values)
        }
    }

    @Test func warnsForEveryImage() throws {
        let renderer = try OverlayRenderer([.text(plain("\u{FFFF0}"))], load: noImages)
        for _ in 0..<3 {
            let task = TaskContext()
            var image = try Image.filled(screen, [0, 0, 0])
            try renderer.draw(on: &image, task: task)
            #expect(task.warnings.count == 1)
        }
    }
}

private func plain(_ text: String, size: Double = 40, gravity: Gravity = .center) -> TextOverlay {
    TextOverlay(text, size: .pixels(size), gravity: gravity, marginX: .pixels(10), marginY: .pixels(10), shadow: nil)
}

private func changed(_ change: (inout TextOverlay) -> Void) -> TextOverlay {
    var overlay = plain("Bell")
    change(&overlay)
    return overlay
}
