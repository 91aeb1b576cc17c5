internal import CPNG
internal import WayreelCore

/// Encodes PNG through libpng, 8 or 16 bits, RGB or RGBA, tagged with sRGB, gAMA and cHRM chunks.
enum PNGWriter: ImageEncoder {
    // Measured on a photograph of 960 × 720 (zlib 1.2.13): these settings take 33 ms and 1.27 MB, libpng's default at
    // level 6 takes 222 ms and 1.23 MB. Run lengths and Huffman codes do most of the work; longer matches are rare in
    // photographs.
    private static let level: Int32 = 1
    /// Z_RLE.
    private static let strategy: Int32 = 3
    /// PNG_FILTER_SUB, PNG_FILTER_UP and PNG_FILTER_AVG: libpng chooses per row.
    private static let filters: Int32 = 0x10 | 0x20 | 0x40

    static func encode(
        _ image: Image, as encoding: Encoding, metadata: OutputMetadata, task: TaskContext
    ) throws(MediaError) -> [UInt8] {
        guard encoding.bits == 8 || encoding.bits == 16 else {
            throw MediaError(
                .parameter, step: .encode, reason: "PNG is written with 8 or 16 bits, not \(encoding.bits)")
        }
        let packer = RowPacker(bits: encoding.bits, hasAlpha: image.hasAlpha)
        var layout = CPNGLayout()
        layout.width = UInt32(image.width)
        layout.height = UInt32(image.height)
        layout.bits = Int32(encoding.bits)
        layout.has_alpha = image.hasAlpha ? 1 : 0
        layout.level = level
        layout.strategy = strategy
        layout.filters = filters
        let file = try PNGFile(layout)
        if let exif = metadata.exif { try file.append("eXIf", exif) }
        if let xmp = metadata.xmp {
            // Keyword, compression flag and method (zeros), language, translated keyword, each NUL-terminated.
            try file.append("iTXt", Array(PNGText.xmpKeyword.utf8) + [0, 0, 0, 0, 0] + xmp)
        }
        try packer.forEachRow(of: image, task: task) { (row) throws(MediaError) in try file.append(row: row) }
        return try file.finish()
    }
}

/// A PNG being written.
private final class PNGFile {
    private let png: OpaquePointer

    init(_ layout: CPNGLayout) throws(MediaError) {
        try SharedLibrary.libpng.require(step: .encode)
        var layout = layout
        var message = [CChar](repeating: 0, count: Int(CPNG_MESSAGE))
        guard let png = cpng_writer_open(&layout, &message) else {
            throw Self.fault(String(cMessage: message))
        }
        self.png = png
    }

    deinit { cpng_writer_close(png) }

    func append(_ type: String, _ bytes: [UInt8]) throws(MediaError) {
        try check(cpng_writer_chunk(png, type, bytes, bytes.count))
    }

    func append(row: UnsafeRawPointer) throws(MediaError) {
        try check(cpng_writer_row(png, row.assumingMemoryBound(to: UInt8.self)))
    }

    func finish() throws(MediaError) -> [UInt8] {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try check(cpng_writer_finish(png, &bytes, &count))
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private func check(_ status: Int32) throws(MediaError) {
        if status != 0 { throw Self.fault(String(cString: cpng_writer_message(png))) }
    }

    private static let fault = ErrorSite(.encoding, step: .encode, format: .png)
}
