import TestSupport
import Testing
import WayreelCore
import WayreelDrawing

@Suite struct PDFCanvasTests {
    private func page(
        _ file: DrawingFile, _ draw: (PathCanvas) throws(MediaError) -> Void = { (_) throws(MediaError) in }
    ) throws -> (bytes: [UInt8], text: String) {
        let sink = MemorySink()
        try file.write(to: sink, draw)
        return (sink.bytes, String(decoding: sink.bytes, as: UTF8.self))
    }

    /// A4 across, of 210 mm × 297 mm: 595.28 × 841.89 points.
    @Test func aPageHasItsTrueSize() throws {
        var file = DrawingFile(.pdf, size: PixelSize(width: 2970, height: 2100))
        file.unitsPerMillimetre = 10
        let (bytes, text) = try page(file)
        #expect(bytes.starts(with: Array("%PDF-1.".utf8)) && text.contains("%%EOF"))
        let box = try #require(text.firstMatch(of: /\/MediaBox \[ 0 0 ([0-9.]+) ([0-9.]+) \]/))
        let (width, height) = (try #require(Double(box.1)), try #require(Double(box.2)))
        #expect(abs(width - 297 / 25.4 * 72) < 0.001 && abs(height - 210 / 25.4 * 72) < 0.001)
    }

    /// A pixel is 1/96 inch.
    @Test func aPageOfPixels() throws {
        let (_, text) = try page(DrawingFile(.pdf, size: PixelSize(width: 960, height: 480)))
        #expect(text.contains("/MediaBox [ 0 0 720 360 ]"))
    }

    @Test func saysWhatItIsAndNotWhen() throws {
        var file = DrawingFile(.pdf, size: PixelSize(width: 100, height: 100))
        (file.title, file.summary) = ("walk.ndjson", "1 channel from 0 s to 5 s")
        let draw = { (canvas: PathCanvas) throws(MediaError) in
            canvas.rectangle(Rectangle(x: 10, y: 10, width: 20, height: 20))
            canvas.fill(.black)
            canvas.drawText(try TextLayout("12.5 mV", font: "DejaVu Sans", size: 12), x: 0, y: 50, color: .black)
        }
        let (bytes, text) = try page(file, draw)
        #expect(text.contains("(walk.ndjson)") && text.contains("(1 channel from 0 s to 5 s)"))
        #expect(text.contains("19700101000000Z"))
        // Text is letters of a font, not outlines.
        #expect(text.contains("/FontDescriptor") && text.contains("DejaVuSans"))
        #expect(try page(file, draw).bytes == bytes)
    }

    @Test func throwsTheSinksError() throws {
        let file = DrawingFile(.pdf, size: PixelSize(width: 100, height: 100))
        #expect {
            try file.write(to: FailingSink(after: 100)) { (canvas) throws(MediaError) in
                canvas.rectangle(Rectangle(x: 0, y: 0, width: 9, height: 9))
                canvas.fill(.black)
            }
        } throws: { ($0 as? MediaError) == FailingSink.fault }
    }

    /// A drawing that ends early writes nothing more, and frees its memory.
    @Test func anErrorWhileDrawing() throws {
        let fault = MediaError(.parameter, step: .draw, reason: "no")
        let sink = MemorySink()
        #expect {
            try DrawingFile(.pdf, size: PixelSize(width: 9, height: 9)).write(to: sink) {
                (_) throws(MediaError) in throw fault
            }
        } throws: { ($0 as? MediaError) == fault }
        #expect(!String(decoding: sink.bytes, as: UTF8.self).contains("%%EOF"))
    }

    @Test(arguments: [PixelSize(width: 0, height: 1), PixelSize(width: 40_000, height: 1)])
    func rejectsSizes(size: PixelSize) {
        #expect(throws: MediaError.self) { try DrawingFile(.pdf, size: size).write(to: MemorySink()) { _ in } }
    }

    @Test func anSVGWithATrueSize() throws {
        var file = DrawingFile(.svg, size: PixelSize(width: 2975, height: 2100))
        file.unitsPerMillimetre = 10
        let svg = try #require(SVGFile(try page(file).bytes))
        #expect(svg.root["width"] == "297.5mm" && svg.root["height"] == "210mm")
        #expect(svg.root["viewBox"] == "0 0 2975 2100")
    }
}
