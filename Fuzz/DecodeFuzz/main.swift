internal import CLibFuzzer
internal import Wayreel
internal import WayreelImage

// Feeds what libFuzzer makes up to all that reads an untrusted picture: the header, every row, the colour profile, the
// metadata, and the way through the pipeline with its crop. Built and run by `make fuzz`.

/// What one input may cost. Small, so that many are tried.
private let limits = Limits(pixels: 1_000_000, inputBytes: 1 << 20, seconds: 2, frames: 100)

private let pipeline: CapturePipeline? = {
    let options = CaptureOptions(
        framing: Framing(screen: PixelSize(width: 24, height: 16), gravity: .southEast),
        encoding: Encoding(.jpeg, metadata: .all), limits: limits, tolerance: .none)
    return try? CapturePipeline(options)
}()

/// Reads a picture to its last row.
private func decode(_ bytes: MediaBytes) throws(MediaError) {
    let watch = TaskWatch(seconds: limits.seconds)
    let reader = try ImageDecoder.open(bytes, limits: limits, watch: watch)
    let row = UnsafeMutableRawPointer.allocate(byteCount: reader.header.rowBytes + 64, alignment: 64)
    defer { row.deallocate() }
    for _ in 0..<reader.header.size.height {
        try watch.check()
        try reader.readRow(into: row)
    }
    _ = reader.damage
}

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
let status = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
    let bytes = MediaBytes(UnsafeRawBufferPointer(start: data, count: size))
    // Errors are what is asked for; crashes, hangs and memory are what is looked for.
    try? decode(bytes)
    _ = try? pipeline?.prepare(bytes)
    return 0
}
guard status == 0 else { preconditionFailure("libFuzzer ended with \(status)") }
