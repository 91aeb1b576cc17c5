internal import CPango
internal import CPangoLibrary
package import WayreelCore

/// Owns a cairo surface that a canvas draws on.
package class DrawingSurface {
    let handle: OpaquePointer

    /// Adopts `handle`; throws if cairo could not create the surface.
    fileprivate init(adopting handle: OpaquePointer, size: PixelSize) throws(MediaError) {
        self.handle = handle
        try checkDrawing(cairo_surface_status(handle), of: "a drawing of \(size)")
    }

    deinit { cairo_surface_destroy(handle) }
}

/// Pixels in memory: premultiplied 32-bit (alpha in the top byte, then red, green, blue), the same without alpha, or
/// only 8-bit coverage.
///
/// Initially transparent, or black without alpha. At most 32 767 pixels per side, which is cairo's limit.
package final class PixelSurface: DrawingSurface {
    package enum Format: Sendable {
        case argb32, rgb24, coverage8

        fileprivate var inCairo: cairo_format_t {
            switch self {
            case .argb32: CAIRO_FORMAT_ARGB32
            case .rgb24: CAIRO_FORMAT_RGB24
            case .coverage8: CAIRO_FORMAT_A8
            }
        }
    }

    package let size: PixelSize
    package let format: Format
    /// Bytes from one row to the next.
    package let stride: Int

    package init(size: PixelSize, format: Format = .argb32) throws(MediaError) {
        try Self.check(size)
        try SharedLibrary.pango.require(step: .draw)
        let handle = cairo_image_surface_create(format.inCairo, Int32(size.width), Int32(size.height))
        self.size = size
        self.format = format
        stride = Int(cairo_image_surface_get_stride(handle))
        try super.init(adopting: handle!, size: size)
    }

    /// Decodes a PNG. Throws a `decoding` error if it is none.
    init(png: [UInt8]) throws(MediaError) {
        try SharedLibrary.pango.require(step: .draw)
        let reading = PNGBytes(png)
        let handle = withExtendedLifetime(reading) {
            cairo_image_surface_create_from_png_stream(PNGBytes.read, Unmanaged.passUnretained(reading).toOpaque())
        }
        size = PixelSize(
            width: Int(cairo_image_surface_get_width(handle)), height: Int(cairo_image_surface_get_height(handle)))
        format = .argb32
        stride = Int(cairo_image_surface_get_stride(handle))
        try super.init(adopting: handle!, size: size)
    }

    /// Throws a `limit` error for an unsupported size.
    package static func check(_ size: PixelSize) throws(MediaError) {
        guard size.width > 0, size.height > 0, size.longerSide <= 32_767 else {
            throw MediaError(.limit, step: .draw, reason: "a drawing needs 1 to 32767 pixels per side, not \(size)")
        }
    }

    package var byteCount: Int { stride * size.height }

    /// Passes the bytes of all rows from the top, `stride` apart; 32-bit pixels are in native byte order.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        cairo_surface_flush(handle)
        defer { cairo_surface_mark_dirty(handle) }
        return try body(
            UnsafeMutableRawBufferPointer(start: cairo_image_surface_get_data(handle), count: byteCount))
    }

    /// Writes the surface as PNG, with alpha if its pixels have it.
    ///
    /// Throws the errors of `sink`, and a `limit` error if memory is exhausted.
    package func writePNG(to sink: some ByteSink) throws(MediaError) {
        let output = SurfaceOutput(sink)
        let status = withExtendedLifetime(output) {
            cairo_surface_write_to_png_stream(handle, SurfaceOutput.write, Unmanaged.passUnretained(output).toOpaque())
        }
        if let failure = output.failure { throw failure }
        try checkDrawing(status, of: "a PNG of \(size)")
    }
}

/// A surface with a size but no pixels, for paths that are rendered elsewhere.
final class PathSurface: DrawingSurface {
    init(size: PixelSize) throws(MediaError) {
        try SharedLibrary.pango.require(step: .draw)
        var extents = cairo_rectangle_t(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        try super.init(adopting: cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, &extents)!, size: size)
    }
}

/// A page of a PDF, which is written to a sink. Equal drawings give equal bytes.
final class PageSurface: DrawingSurface {
    private let output: SurfaceOutput
    private let size: PixelSize

    /// A page of `width` × `height` points (1/72 inch), which a drawing of `size` fills. The `title` and the `summary`
    /// are in the file's properties.
    init(
        width: Double, height: Double, size: PixelSize, title: String, summary: String, sink: some ByteSink
    ) throws(MediaError) {
        try SharedLibrary.pango.require(step: .draw)
        output = SurfaceOutput(sink)
        self.size = size
        let handle = cairo_pdf_surface_create_for_stream(
            SurfaceOutput.write, Unmanaged.passUnretained(output).toOpaque(), width, height)
        try super.init(adopting: handle!, size: size)
        // Otherwise cairo writes the time of the drawing.
        cairo_pdf_surface_set_metadata(handle, CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z")
        if !title.isEmpty { cairo_pdf_surface_set_metadata(handle, CAIRO_PDF_METADATA_TITLE, title) }
        if !summary.isEmpty { cairo_pdf_surface_set_metadata(handle, CAIRO_PDF_METADATA_SUBJECT, summary) }
    }

    deinit {
        // cairo writes the rest of an abandoned file.
        output.isClosed = true
        cairo_surface_finish(handle)
    }

    /// Writes the rest of the file. Throws the sink's error.
    func finish() throws(MediaError) {
        cairo_surface_finish(handle)
        if let failure = output.failure { throw failure }
        try checkDrawing(cairo_surface_status(handle), of: "a PDF of \(size)")
    }
}

func checkDrawing(_ status: cairo_status_t, of subject: String) throws(MediaError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    throw MediaError(
        status == CAIRO_STATUS_NO_MEMORY ? .limit : .unsupported, step: .draw,
        reason: "\(subject) failed: \(String(cString: cairo_status_to_string(status)))")
}

/// Gives the bytes of a PNG to cairo, piece by piece.
private final class PNGBytes {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static let read: cairo_read_func_t = { context, target, count in
        let source = Unmanaged<PNGBytes>.fromOpaque(context!).takeUnretainedValue()
        let end = source.offset + Int(count)
        guard end <= source.bytes.count, let target else { return CAIRO_STATUS_READ_ERROR }
        source.bytes.withUnsafeBufferPointer { target.update(from: $0.baseAddress! + source.offset, count: Int(count)) }
        source.offset = end
        return CAIRO_STATUS_SUCCESS
    }
}

/// Passes cairo's bytes to a sink and keeps its error.
private final class SurfaceOutput {
    private let sink: any ByteSink
    private(set) var failure: MediaError?
    /// Whether further bytes are dropped.
    var isClosed = false

    init(_ sink: any ByteSink) { self.sink = sink }

    /// Takes an unretained `SurfaceOutput`.
    static let write: cairo_write_func_t = { closure, bytes, count in
        let output = Unmanaged<SurfaceOutput>.fromOpaque(closure!).takeUnretainedValue()
        return output.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> cairo_status_t {
        guard !isClosed else { return CAIRO_STATUS_SUCCESS }
        do throws(MediaError) { try sink.write(bytes) } catch {
            failure = error
            return CAIRO_STATUS_WRITE_ERROR
        }
        return CAIRO_STATUS_SUCCESS
    }
}

/// An immutable drawing, readable from any thread.
package struct FinishedDrawing: @unchecked Sendable {
    package let size: PixelSize
    package let byteCount: Int
    /// Keeps the pixels alive; no other owner draws on it.
    private let surface: PixelSurface
    private let pixels: UnsafeRawPointer
    private let stride: Int

    /// Adopts `surface`, which must have 32-bit pixels and no canvas or other owner.
    package init(_ surface: consuming PixelSurface) {
        precondition(surface.format == .argb32, "a finished drawing has colours")
        pixels = surface.withBytes { UnsafeRawPointer($0.baseAddress!) }
        size = surface.size
        byteCount = surface.byteCount
        stride = surface.stride
        self.surface = surface
    }

    /// Passes the first of `size.width` premultiplied pixels of row `y`: alpha in the top byte, then red, green, blue.
    package func withRow<Result>(_ y: Int, _ body: (UnsafePointer<UInt32>) -> Result) -> Result {
        precondition(y >= 0 && y < size.height, "y is within the drawing")
        return withExtendedLifetime(surface) {
            body((pixels + y * stride).assumingMemoryBound(to: UInt32.self))
        }
    }
}

extension SharedLibrary {
    /// Pango and cairo. Without their two dozen libraries, other commands start in half the time.
    package static let pango = SharedLibrary("Pango", packages: "libpangocairo-1.0-0", load: pango_load)
}
