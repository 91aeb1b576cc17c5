import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct ImageOverlayTests {
    private let grey: [Float] = [0.5, 0.5, 0.5]
    private let red: [Float] = [1, 0, 0, 1]

    /// Returns a grey image with one overlay of `source`, and the warnings.
    private func draw(
        _ overlay: ImageOverlay, _ source: Image, on size: PixelSize
    ) throws -> (image: Image, warnings: [MediaWarning]) {
        var image = try Image.filled(size, grey)
        let task = TaskContext()
        try OverlayRenderer([.image(overlay)]) { _ in source }.draw(on: &image, task: task)
        return (image, task.warnings)
    }

    private func isRed(_ pixel: SIMD3<Float>) -> Bool { pixel == [1, 0, 0] }

    /// Rows of (gravity, columns, rows) for a 3×2 overlay on 11×8, 2 and 1 pixels inwards.
    @Test(arguments: [
        (Gravity.northWest, 2...4, 1...2), (.north, 6...8, 1...2), (.northEast, 6...8, 1...2),
        (.west, 2...4, 4...5), (.center, 6...8, 4...5), (.east, 6...8, 4...5),
        (.southWest, 2...4, 5...6), (.south, 6...8, 5...6), (.southEast, 6...8, 5...6),
    ])
    func keepsToItsGravity(gravity: Gravity, columns: ClosedRange<Int>, rows: ClosedRange<Int>) throws {
        let overlay = ImageOverlay(path: "a", gravity: gravity, x: .pixels(2), y: .pixels(1))
        let source = try Image.filled(PixelSize(width: 3, height: 2), red)
        let (image, warnings) = try draw(overlay, source, on: PixelSize(width: 11, height: 8))
        let bounds = try #require(image.bounds(where: isRed))
        #expect(bounds.columns == columns)
        #expect(bounds.rows == rows)
        #expect(image.count(where: isRed) == 6)
        #expect(image.count { $0 == [0.5, 0.5, 0.5] } == 88 - 6)
        #expect(warnings.isEmpty)
    }

    /// A quarter turn of 8×4 with red on its left half is exactly 4×8, with red above or below.
    @Test(arguments: [(90.0, 1...4), (-90, 5...8), (270, 5...8), (450, 1...4)])
    func quarterTurnsAreExact(degrees: Double, rows: ClosedRange<Int>) throws {
        var source = try Image(size: PixelSize(width: 8, height: 4), hasAlpha: true)
        source.set { x, _, plane in x < 4 ? red[plane] : [0, 0, 1, 1][plane] }
        let (image, _) = try draw(
            ImageOverlay(path: "a", rotation: degrees), source, on: PixelSize(width: 10, height: 10))
        let bounds = try #require(image.bounds { $0.x > 0.99 && $0.z < 0.01 })
        #expect(bounds.columns == 3...6)
        #expect(bounds.rows == rows)
    }

    /// A square rotated by 30° keeps its area and its centre, and is (cos 30° + sin 30°) times as wide.
    @Test(arguments: [false, true]) func otherTurnsKeepTheArea(hasAlpha: Bool) throws {
        let size = PixelSize(width: 60, height: 60)
        let source = try Image.filled(size, hasAlpha ? red : [1, 0, 0])
        let (image, _) = try draw(
            ImageOverlay(path: "a", rotation: 30), source, on: PixelSize(width: 120, height: 120))
        var (sum, momentX, momentY) = (0.0, 0.0, 0.0)
        for y in 0..<120 {
            for x in 0..<120 {
                let share = Double(image.value(x, y, 0) - 0.5) * 2
                sum += share
                momentX += share * (Double(x) + 0.5)
                momentY += share * (Double(y) + 0.5)
            }
        }
        #expect(abs(sum - 3600) < 3)
        #expect(abs(momentX / sum - 60) <= 0.5 && abs(momentY / sum - 60) <= 0.5)
        let bounds = try #require(image.bounds { $0.x > 0.75 })
        #expect(abs(Double(bounds.columns.count) - 60 * (0.75.squareRoot() + 0.5)) < 2)
    }

    /// Odd differences round down; columns of a 1-wide and a 2-wide overlay in the middle of 1 to 5 pixels.
    @Test(arguments: [(1, 1, 0), (1, 2, 0), (1, 5, 2), (2, 5, 1), (2, 2, 0), (3, 4, 0)])
    func centersOddSizes(own: Int, all: Int, first: Int) throws {
        let source = try Image.filled(PixelSize(width: own, height: 1), red)
        let (image, _) = try draw(ImageOverlay(path: "a"), source, on: PixelSize(width: all, height: 1))
        #expect(try #require(image.bounds(where: isRed)).columns == first...(first + own - 1))
    }

    @Test func offsetsMayBeRelative() throws {
        let overlay = ImageOverlay(path: "a", gravity: .southEast, x: .percent(10), y: .percent(20))
        let source = try Image.filled(PixelSize(width: 2, height: 2), red)
        let (image, _) = try draw(overlay, source, on: PixelSize(width: 50, height: 20))
        let bounds = try #require(image.bounds(where: isRed))
        #expect(bounds.columns == 46...47 && bounds.rows == 14...15)
    }

    /// All pixels of the overlay differ, so that a shifted or cropped one is detected.
    @Test(arguments: [(-2, -1), (3, 2), (5, -3), (-6, 4), (0, 0)])
    func clipsAtTheEdges(x: Int, y: Int) throws {
        var random = SeededRandom(seed: 5)
        let source = try Image.random(PixelSize(width: 7, height: 5), using: &random)
        let overlay = ImageOverlay(
            path: "a", gravity: .northWest, x: .pixels(Double(x)), y: .pixels(Double(y)))
        let (image, _) = try draw(overlay, source, on: PixelSize(width: 6, height: 4))
        let worst = image.worst { column, row, plane in
            let (sx, sy) = (column - x, row - y)
            return (0..<7).contains(sx) && (0..<5).contains(sy) ? Double(source.value(sx, sy, plane)) : 0.5
        }
        #expect(worst == 0)
    }

    @Test(arguments: [-3.0, 10, 1e300, -1e300, Double(Int32.max)])
    func skipsOverlaysOutsideTheImage(x: Double) throws {
        let source = try Image.filled(PixelSize(width: 3, height: 3), red)
        let overlay = ImageOverlay(path: "a.png", gravity: .northWest, x: .pixels(x))
        let (image, warnings) = try draw(overlay, source, on: PixelSize(width: 10, height: 10))
        #expect(image.bounds(where: isRed) == nil)
        #expect(warnings.count == 1 && warnings[0].message.contains("outside"))
    }

    @Test func warnsIfItIsLargerThanTheImage() throws {
        let source = try Image.filled(PixelSize(width: 9, height: 3), red)
        let (image, warnings) = try draw(ImageOverlay(path: "a.png"), source, on: PixelSize(width: 4, height: 4))
        #expect(image.count(where: isRed) == 12)
        #expect(warnings.count == 1 && warnings[0].message.contains("'a.png' is 9×3"))
    }

    @Test(arguments: [(1, 1), (3, 2), (7, 5), (300, 2), (1, 3000)], [(0, 0), (1, 1), (-5, 2), (1000, -1000)])
    func tiles(tile: (width: Int, height: Int), offset: (x: Int, y: Int)) throws {
        var random = SeededRandom(seed: 9)
        let source = try Image.random(PixelSize(width: tile.width, height: tile.height), using: &random)
        let overlay = ImageOverlay(
            path: "a", gravity: .northWest, x: .pixels(Double(offset.x)), y: .pixels(Double(offset.y)), tile: true)
        let (image, _) = try draw(overlay, source, on: PixelSize(width: 40, height: 11))
        func wrapped(_ value: Int, _ length: Int) -> Int { ((value % length) + length) % length }
        let worst = image.worst { x, y, plane in
            Double(source.value(wrapped(x - offset.x, tile.width), wrapped(y - offset.y, tile.height), plane))
        }
        #expect(worst == 0)
    }

    @Test(arguments: [
        (OverlayScale.factor(0.5), 20, 10), (.factor(2), 80, 40), (.factor(0.001), 1, 1), (.widthShare(0.25), 25, 13),
    ])
    func scales(scale: OverlayScale, width: Int, height: Int) throws {
        let source = try Image.filled(PixelSize(width: 40, height: 20), red)
        let overlay = ImageOverlay(path: "a", gravity: .northWest, scale: scale)
        let (image, _) = try draw(overlay, source, on: PixelSize(width: 100, height: 100))
        let bounds = try #require(image.bounds { $0.x > 0.9 && $0.y < 0.1 })
        #expect(bounds.columns == 0...(width - 1) && bounds.rows == 0...(height - 1))
    }

    /// A white disc on transparency, scaled down: between white and grey there must be nothing darker than grey.
    @Test func leavesNoDarkFringe() throws {
        let size = PixelSize(width: 64, height: 64)
        var disc = try Image(size: size, hasAlpha: true)
        disc.set { x, y, _ in (x - 32) * (x - 32) + (y - 32) * (y - 32) < 900 ? 1 : 0 }
        var image = try Image.filled(PixelSize(width: 40, height: 40), grey)
        try OverlayRenderer([.image(ImageOverlay(path: "a", scale: .factor(0.37)))]) { _ in disc }
            .draw(on: &image, task: TaskContext())
        // Lanczos itself overshoots by a few percent.
        #expect(image.values.min()! > 0.45)
        #expect(image.values.max()! > 0.95)
    }

    @Test func keepsAlpha() throws {
        var image = try Image.filled(PixelSize(width: 2, height: 1), [0, 0, 0, 0])
        let source = try Image.filled(PixelSize(width: 1, height: 1), [0.25, 0.5, 0, 0.5])
        try OverlayRenderer([.image(ImageOverlay(path: "a", gravity: .west, opacity: 0.5))]) { _ in source }
            .draw(on: &image, task: TaskContext())
        #expect(image.values == [0.125, 0, 0.25, 0, 0, 0, 0.25, 0])
    }

    @Test func drawsInOrder() throws {
        let size = PixelSize(width: 1, height: 1)
        let colors: [String: [Float]] = ["red": red, "blue": [0, 0, 1, 1]]
        var image = try Image.filled(size, grey)
        let overlays = ["red", "blue"].map { Overlay.image(ImageOverlay(path: $0)) }
        try OverlayRenderer(overlays) { path throws(MediaError) in
            var image = try Image(size: size, hasAlpha: true)
            image.set { _, _, plane in colors[path]![plane] }
            return image
        }.draw(on: &image, task: TaskContext())
        #expect(image.values == [0, 0, 1])
    }

    @Test func loadsEachImageOnce() throws {
        let loads = Counter()
        let overlays = ["a", "b", "a"].map { Overlay.image(ImageOverlay(path: $0)) }
        _ = try OverlayRenderer(overlays) { _ throws(MediaError) in
            loads.add()
            return try Image(size: PixelSize(width: 1, height: 1))
        }
        #expect(loads.value == 2)
    }

    @Test func namesTheImageThatCannotBeLoaded() {
        let error = #expect(throws: MediaError.self) {
            try OverlayRenderer([.image(ImageOverlay(path: "logo.png"))]) { _ throws(MediaError) in
                throw MediaError(.io, step: .read, reason: "no such file or directory")
            }
        }
        #expect(error?.description == "logo.png: read: no such file or directory")
    }

    @Test(arguments: [
        ImageOverlay(path: "a", opacity: 1.5), ImageOverlay(path: "a", opacity: .nan),
        ImageOverlay(path: "a", scale: .factor(0)), ImageOverlay(path: "a", scale: .factor(.infinity)),
        ImageOverlay(path: "a", scale: .widthShare(1.01)), ImageOverlay(path: "a", scale: .widthShare(-1)),
        ImageOverlay(path: "a", x: .pixels(.nan)), ImageOverlay(path: "a", y: .percent(.infinity)),
    ])
    func rejects(overlay: ImageOverlay) throws {
        let source = try Image(size: PixelSize(width: 1, height: 1))
        let error = #expect(throws: MediaError.self) { try OverlayRenderer([.image(overlay)]) { _ in source } }
        #expect(error?.kind == .parameter && error?.subject == "a")
    }

    @Test(arguments: [1e4, 1e18, Double.greatestFiniteMagnitude])
    func rejectsExtremeEnlargement(factor: Double) throws {
        let source = try Image(size: PixelSize(width: 10, height: 10))
        #expect(throws: MediaError.self) {
            _ = try draw(ImageOverlay(path: "a", scale: .factor(factor)), source, on: PixelSize(width: 10, height: 10))
        }
    }

    @Test func stopsWhenCancelled() throws {
        let cancellation = Cancellation()
        cancellation.cancel()
        var image = try Image.filled(PixelSize(width: 4, height: 4), grey)
        let source = try Image.filled(PixelSize(width: 4, height: 4), red)
        let renderer = try OverlayRenderer([.image(ImageOverlay(path: "a"))]) { _ in source }
        let error = #expect(throws: MediaError.self) {
            try renderer.draw(on: &image, task: TaskContext(cancellation: cancellation))
        }
        #expect(error?.kind == .cancelled)
    }
}
