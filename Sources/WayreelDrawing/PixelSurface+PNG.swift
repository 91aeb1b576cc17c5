internal import CPango
package import WayreelCore

extension PixelSurface {
    /// Writes the picture as PNG: with alpha, or without where the pixels have none.
    ///
    /// Throws what `sink` throws, and a `limit` error where there is no memory for it.
    package func writePNG(to sink: some ByteSink) throws(MediaError) {
        let output = PNGOutput(sink)
        let status = withExtendedLifetime(output) {
            cairo_surface_write_to_png_stream(
                handle,
                { closure, bytes, count in
                    let output = Unmanaged<PNGOutput>.fromOpaque(closure!).takeUnretainedValue()
                    return output.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
                }, Unmanaged.passUnretained(output).toOpaque())
        }
        if let failure = output.failure { throw failure }
        try checkDrawing(status, of: "a PNG of \(size)")
    }
}

/// Carries cairo's bytes to a sink, and the sink's error past cairo.
private final class PNGOutput {
    private let sink: any ByteSink
    private(set) var failure: MediaError?

    init(_ sink: any ByteSink) { self.sink = sink }

    func write(_ bytes: UnsafeRawBufferPointer) -> cairo_status_t {
        do throws(MediaError) { try sink.write(bytes) } catch {
            failure = error
            return CAIRO_STATUS_WRITE_ERROR
        }
        return CAIRO_STATUS_SUCCESS
    }
}
