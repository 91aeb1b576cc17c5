internal import WayreelCore

/// Decodes a portable float map: 32-bit floats of linear light with white at 1, bottom row first (Paul Debevec, "PFM
/// Portable FloatMap Image Format").
///
/// Rows are 16-bit linear light, clipped at white. Only the sign of the header's scale is used, as byte order, as in
/// libvips and Pillow.
final class PFMReader: SeekableRowReader {
    let header: ImageHeader
    let damage: Damage?

    private let bytes: MediaBytes
    private let start: Int
    private let isLittle: Bool
    private let components: Int
    private let presentRows: Int
    var nextRow = 0

    init(_ bytes: MediaBytes, format: ImageFormat, limits: Limits) throws(MediaError) {
        let source = bytes.buffer
        // Three fields follow "PF" or "Pf", each terminated by one white space.
        let fields = source.prefix(256).split(maxSplits: 4) { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
        guard fields.count == 5, let width = Int(String(decoding: fields[1], as: UTF8.self)),
            let height = Int(String(decoding: fields[2], as: UTF8.self)), width < 1 << 24, height < 1 << 24,
            let scale = DecimalNumber.value(String(decoding: fields[3], as: UTF8.self)), scale != 0
        else { throw Self.fault("its header is broken or the file ends within it") }
        let size = PixelSize(width: width, height: height)
        try limits.check(size: size)
        self.bytes = bytes
        start = fields[3].endIndex + 1
        isLittle = scale < 0
        components = fields[0].elementsEqual("PF".utf8) ? 3 : 1
        presentRows = min(height, max(0, source.count - start) / (width * components * 4))
        guard presentRows > 0 else { throw Self.fault("the file ends before its pixels") }
        let share = 1 - Double(presentRows) / Double(height)
        damage = share > 0 ? Damage(missingShare: share, description: "PFM: the file ends early") : nil
        var header = ImageHeader(format: format, size: size)
        header.rowBits = 16
        header.depth = 16
        header.model = components == 3 ? .rgb : .grey
        header.codePoints = .linearLight
        self.header = header
    }

    func readRow(into row: UnsafeMutableRawPointer) {
        let stored = header.size.height - 1 - nextRow
        nextRow += 1
        guard stored < presentRows else { return header.fillMissing(row, count: header.rowBytes) }
        let source = bytes.buffer
        let first = start + stored * header.size.width * components * 4
        let values = row.assumingMemoryBound(to: UInt16.self)
        for i in 0..<header.size.width * 3 {
            let offset = first + (components == 3 ? i : i / 3) * 4
            let bits = isLittle ? source.littleEndian32(at: offset) : source.bigEndian32(at: offset)
            // NaN → 0.
            values[i] = UInt16(min(max(0, Float(bitPattern: bits)), 1) * 65535 + 0.5)
        }
    }

    private static let fault = ErrorSite(step: .decode, format: .pfm)
}
