import TestSupport
import Testing
import WayreelCore
import WayreelDrawing

@Suite struct PNGDrawingTests {
    private func png(_ format: PixelSurface.Format, _ draw: (Canvas) -> Void) throws -> [UInt8] {
        let surface = try PixelSurface(size: PixelSize(width: 7, height: 5), format: format)
        let canvas = Canvas(on: surface)
        draw(canvas)
        try canvas.finish()
        let sink = MemorySink()
        try surface.writePNG(to: sink)
        return sink.bytes
    }

    /// Returns the pixels as decoded by FFmpeg: red, green, blue, alpha.
    private func pixels(_ png: [UInt8]) throws -> [UInt8] {
        var command = Command(
            "/usr/bin/env",
            ["ffmpeg", "-v", "error", "-f", "png_pipe", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgba", "-"])
        command.input = png
        return try command.run().output
    }

    private func drawCorner(_ canvas: Canvas) {
        canvas.rectangle(Rectangle(x: 0, y: 0, width: 2, height: 1))
        canvas.fill(RGBColor(red: 1, green: 0.2, blue: 0))
    }

    @Test func keepsAlpha() throws {
        let file = try png(.argb32, drawCorner)
        // The colour type in IHDR: RGBA.
        #expect(file[25] == 6)
        let clear: [UInt8] = [0, 0, 0, 0]
        #expect(try pixels(file) == [255, 51, 0, 255, 255, 51, 0, 255] + (0..<33).flatMap { _ in clear })
    }

    @Test func leavesAlphaOutWhereThereIsNone() throws {
        let file = try png(.rgb24, drawCorner)
        #expect(file[25] == 2)
        let black: [UInt8] = [0, 0, 0, 255]
        #expect(try pixels(file) == [255, 51, 0, 255, 255, 51, 0, 255] + (0..<33).flatMap { _ in black })
    }

    @Test func throwsTheSinksError() throws {
        let surface = try PixelSurface(size: PixelSize(width: 50, height: 50))
        #expect { try surface.writePNG(to: FailingSink(after: 40)) } throws: {
            ($0 as? MediaError) == FailingSink.fault
        }
    }
}
