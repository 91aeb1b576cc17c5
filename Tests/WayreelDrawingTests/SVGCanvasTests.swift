import TestSupport
import Testing
import WayreelCore
import WayreelDrawing

@Suite struct SVGCanvasTests {
    private func file(
        _ size: PixelSize = PixelSize(width: 60, height: 40), _ draw: (SVGCanvas) throws -> Void
    ) throws -> SVGFile {
        let sink = MemorySink()
        let canvas = try SVGCanvas(size: size, sink: sink)
        try draw(canvas)
        try canvas.finish()
        return try #require(SVGFile(sink.bytes), "\(String(decoding: sink.bytes, as: UTF8.self))")
    }

    @Test func hasTheSizeOfTheDrawing() throws {
        let file = try file { _ in }
        #expect(file.root["width"] == "60" && file.root["height"] == "40" && file.root["viewBox"] == "0 0 60 40")
        #expect(file.root["xmlns"] == "http://www.w3.org/2000/svg")
        #expect(file.paths.isEmpty)
    }

    @Test func fills() throws {
        let file = try file { canvas in
            canvas.rectangle(Rectangle(x: 1.25, y: 2, width: 30, height: 7.5))
            canvas.fill(RGBColor(red: 1, green: 0.5, blue: 0, alpha: 0.25))
        }
        #expect(file.paths.count == 1)
        let path = file.paths[0]
        #expect(path.attributes == ["fill": "#ff8000", "fill-opacity": ".25", "d": "m1.25 2h30v7.5h-30z"])
        #expect((path.minX, path.minY, path.maxX, path.maxY) == (1.25, 2, 31.25, 9.5))
    }

    @Test func strokesAndKeepsPaths() throws {
        let file = try file { canvas in
            canvas.move(toX: 0, y: 0)
            canvas.line(toX: -3, y: 4.5)
            canvas.stroke(.black, width: 1.5, keepingPath: true)
            canvas.fill(.white)
            canvas.fill(.white)
        }
        #expect(file.paths.map { $0.attributes["d"] } == ["m0 0l-3 4.5", "m0 0l-3 4.5"])
        #expect(file.paths[0].attributes["stroke"] == "#000000" && file.paths[0].attributes["stroke-width"] == "1.5")
        #expect(file.paths[0].attributes["fill"] == "none")
    }

    @Test func doesNotDrift() throws {
        let file = try file { canvas in
            canvas.move(toX: 0, y: 0)
            for step in 1...3000 { canvas.line(toX: Double(step) / 64, y: Double(step % 2)) }
            canvas.stroke(.black, width: 1)
        }
        // The position is rounded to hundredths once, not 3000 times.
        #expect(abs(file.paths[0].maxX - 46.875) <= 0.006)
    }

    @Test func turnsAndScales() throws {
        let file = try file { canvas in
            canvas.translate(x: 10, y: 20)
            canvas.scale(x: 2, y: 4)
            canvas.rectangle(Rectangle(x: 1, y: 1, width: 2, height: 3))
            canvas.fill(.black)
        }
        #expect(file.paths[0].attributes["transform"] == "matrix(2.0,0.0,0.0,4.0,10.0,20.0)")
        #expect(file.paths[0].attributes["d"] == "m1 1h2v3h-2z")
    }

    /// Letters have the same extent as when they are laid out.
    @Test func writesTextAsOutlines() throws {
        let layout = try TextLayout("−12.5", font: "DejaVu Sans", size: 20)
        let file = try file(PixelSize(width: 200, height: 50)) { canvas in
            canvas.addOutlines(of: layout, x: 30, y: 10)
            canvas.fill(.black)
        }
        let ink = layout.inkBounds
        #expect(abs(file.paths[0].minX - 30 - ink.x) < 1 && abs(file.paths[0].maxX - 30 - ink.maxX) < 1)
        #expect(abs(file.paths[0].minY - 10 - ink.y) < 1 && abs(file.paths[0].maxY - 10 - ink.maxY) < 1)
    }

    @Test(arguments: [
        PixelSize(width: 0, height: 1), PixelSize(width: 1, height: -1), PixelSize(width: 40_000, height: 1),
    ])
    func rejectsSizes(size: PixelSize) {
        #expect(throws: MediaError.self) { try SVGCanvas(size: size, sink: MemorySink()) }
    }

    @Test func throwsTheSinksError() throws {
        let canvas = try SVGCanvas(size: PixelSize(width: 9, height: 9), sink: FailingSink(after: 60))
        canvas.rectangle(Rectangle(x: 0, y: 0, width: 9, height: 9))
        canvas.fill(.black)
        #expect { try canvas.finish() } throws: { ($0 as? MediaError) == FailingSink.fault }
    }
}
