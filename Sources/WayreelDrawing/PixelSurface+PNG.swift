internal import CPango
package import WayreelCore

extension PixelSurface {
    /// Writes the surface as PNG, with alpha if its pixels have it.
    ///
    /// Throws the errors of `sink`, and a `limit` error if memory is exhausted.
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

/// Passes cairo's bytes to a sink and keeps its error.
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
