internal import WayreelCore

/// Decodes OpenEXR through FFmpeg and shows its display window: data outside is cropped, missing data inside is black.
final class EXRReader: SeekableRowReader {
    let header: ImageHeader
    let damage: Damage?

    private let decoder: StillReader
    private let data: EXRFile.Window
    private let display: EXRFile.Window
    var nextRow = 0
    /// The next row of `decoder`.
    private var nextDataRow = 0
    private let scratch: AlignedMemory

    init(_ bytes: MediaBytes, as still: StillFormat, limits: Limits) throws(MediaError) {
        let file = EXRFile(bytes.buffer)
        if let file {
            try limits.check(size: file.display.size)
            try limits.check(size: file.data.size)
            guard file.missingShare < 1 else {
                throw MediaError(.decoding, step: "decode", reason: "EXR: the file ends before its pixels")
            }
        }
        let isMoved = file.map { $0.data != $0.display || $0.data.x.lowerBound != 0 || $0.data.y.lowerBound != 0 }
        let source = isMoved == true ? file?.moved(bytes.buffer) ?? bytes : bytes
        let decoder = try StillReader(source, as: still, limits: limits)
        self.decoder = decoder
        let size = decoder.header.size
        let whole = EXRFile.Window(x: 0..<size.width, y: 0..<size.height)
        data = isMoved == true ? file?.data ?? whole : whole
        display = isMoved == true ? file?.display ?? whole : whole
        guard data.size == size else {
            throw MediaError(.decoding, step: "decode", reason: "EXR: the decoded size does not match its windows")
        }
        var header = decoder.header
        header.size = display.size
        self.header = header
        scratch = try AlignedMemory(zeroed: decoder.header.rowBytes + 64, step: "decode")
        let missing = file?.missingShare ?? 0
        damage =
            missing > 0 ? Damage(missingShare: missing, description: "EXR: the file ends early") : decoder.damage
    }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        let y = display.y.lowerBound + nextRow
        nextRow += 1
        let columns = data.x.clamped(to: display.x)
        row.initializeMemory(as: UInt8.self, repeating: 0, count: header.rowBytes)
        guard data.y.contains(y), !columns.isEmpty else { return }
        let wanted = y - data.y.lowerBound
        decoder.skipRows(wanted - nextDataRow)
        try decoder.readRow(into: scratch.base)
        nextDataRow = wanted + 1
        let pixelBytes = header.layout.components * (header.rowBits / 8)
        (row + (columns.lowerBound - display.x.lowerBound) * pixelBytes).copyMemory(
            from: scratch.base + (columns.lowerBound - data.x.lowerBound) * pixelBytes,
            byteCount: columns.count * pixelBytes)
    }
}
