internal import WayreelImage
internal import WayreelMedia

/// The limits for one input, which are low so that many inputs are tried.
private let limits = Limits(pixels: 1_000_000, inputBytes: 1 << 20, seconds: 2, frames: 100)

private let pipeline: CapturePipeline? = {
    let options = CaptureOptions(
        framing: Framing(screen: PixelSize(width: 24, height: 16), gravity: .southEast),
        encoding: Encoding(.jpeg, metadata: .all), limits: limits, tolerance: .none)
    return try? CapturePipeline(options)
}()

/// Everything that reads an image: the header, every row, the colour profile, the metadata, and the pipeline with its
/// crop.
@Sendable func decodeImage(_ data: UnsafeRawBufferPointer) {
    let bytes = MediaBytes(data)
    try? decode(bytes)
    _ = try? pipeline?.prepare(bytes)
}

/// Reads an image to its last row.
private func decode(_ bytes: MediaBytes) throws(MediaError) {
    let task = TaskContext(seconds: limits.seconds)
    let reader = try ImageDecoder.open(bytes, limits: limits, task: task)
    let row = UnsafeMutableRawPointer.allocate(byteCount: reader.header.rowBytes + 64, alignment: 64)
    defer { row.deallocate() }
    for _ in 0..<reader.header.size.height {
        try task.check()
        try reader.readRow(into: row)
    }
    _ = reader.damage
}

/// An ftyp box, with which every HEIF file begins; the fuzzer generates the rest.
private let fileType: [UInt8] = [0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)

/// The boxes of a HEIF file: items, their locations, properties and references, grids, transforms, metadata, the sizes
/// in coded data. Nothing is decoded, so that thousands of inputs are tried per second.
@Sendable func readBoxes(_ data: UnsafeRawBufferPointer) {
    let hasStart = data.count >= 8 && data[4..<8].elementsEqual("ftyp".utf8)
    _ = try? ImageProbe.probe(MediaBytes(hasStart ? Array(data) : fileType + data), limits: limits)
}
