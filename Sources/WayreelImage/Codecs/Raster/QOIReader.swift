internal import WayreelCore

/// Decodes QOI ("The Quite OK Image Format Specification", version 1.0), row by row.
final class QOIReader: RowReader {
    let header: ImageHeader
    private(set) var damage: Damage?

    private typealias Pixel = SIMD4<UInt8>
    private let bytes: MediaBytes
    private var offset = 14
    private var pixel = Pixel(0, 0, 0, 255)
    private var run = 0
    private var seen = [Pixel](repeating: .zero, count: 64)
    private var nextRow = 0

    init(_ bytes: MediaBytes, format: ImageFormat, limits: Limits) throws(MediaError) {
        let source = bytes.buffer
        guard source.count > 14, (3...4).contains(source[12]) else {
            throw Self.fault("the file ends within its header or the header is broken")
        }
        self.bytes = bytes
        let size = PixelSize(width: Int(source.bigEndian32(at: 4)), height: Int(source.bigEndian32(at: 8)))
        try limits.check(size: size)
        var header = ImageHeader(format: format, size: size)
        header.layout = source[12] == 4 ? .rgba : .rgb
        if source[13] == 1 { header.codePoints = .linearLight }
        self.header = header
    }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        try decodeRow(into: row.assumingMemoryBound(to: UInt8.self))
    }

    func skipRows(_ count: Int) throws(MediaError) {
        for _ in 0..<count { try decodeRow(into: nil) }
    }

    private func decodeRow(into row: UnsafeMutablePointer<UInt8>?) throws(MediaError) {
        let components = header.layout.components
        for x in 0..<header.size.width {
            guard damage == nil, advance() else {
                if damage == nil { try lose(from: nextRow * header.size.width + x) }
                if let row { header.fillMissing(row + x * components, count: (header.size.width - x) * components) }
                break
            }
            guard let row else { continue }
            for c in 0..<components { row[x * components + c] = pixel[c] }
        }
        nextRow += 1
    }

    private static let fault = ErrorSite(step: .decode, format: .qoi)

    private func lose(from delivered: Int) throws(MediaError) {
        guard delivered > 0 else { throw Self.fault("the file ends before its pixels") }
        let share = 1 - Double(delivered) / Double(header.size.pixels)
        damage = Damage(missingShare: share, description: "QOI: the file ends early")
    }

    /// Decodes the next pixel into `pixel`; false at the end of the file.
    private func advance() -> Bool {
        if run > 0 {
            run -= 1
            return true
        }
        let source = bytes.buffer
        guard offset < source.count else { return false }
        let code = source[offset]
        let length = code == 0xFE ? 4 : code == 0xFF ? 5 : code >> 6 == 2 ? 2 : 1
        guard offset + length <= source.count else { return false }
        switch (code, code >> 6) {
        case (0xFE, _), (0xFF, _):
            for c in 0..<length - 1 { pixel[c] = source[offset + 1 + c] }
        case (_, 0):
            pixel = seen[Int(code)]
        case (_, 1):
            let steps = Pixel(code >> 4 & 3, code >> 2 & 3, code & 3, 2)
            pixel = pixel &+ steps &- 2
        case (_, 2):
            let green = (code & 63) &- 32
            let others = source[offset + 1]
            pixel = pixel &+ Pixel(green &- 8 &+ (others >> 4), green, green &- 8 &+ (others & 15), 0)
        default:
            run = Int(code & 63)
        }
        offset += length
        let p = pixel
        let slot = (Int(p.x) * 3 + Int(p.y) * 5 + Int(p.z) * 7 + Int(p.w) * 11) % 64
        seen[slot] = p
        return true
    }
}
