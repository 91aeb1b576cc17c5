internal import CLibFuzzer
internal import Wayreel

// Feeds what libFuzzer makes up to what reads the boxes of a HEIF file: items, their places, properties and references, grids,
// transforms, metadata, the sizes in coded data. Nothing is decoded, so that thousands are tried a second. Built and run by
// `make fuzz`.

private let limits = Limits(pixels: 1_000_000, inputBytes: 1 << 20, seconds: 2, frames: 100)

/// An ftyp box, as every file begins with one: the rest is up to the fuzzer.
private let start: [UInt8] = [0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
let status = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
    let rest = UnsafeRawBufferPointer(start: data, count: size)
    let hasStart = size >= 8 && rest[4..<8].elementsEqual("ftyp".utf8)
    // Errors are what is asked for; crashes, hangs and memory are what is looked for.
    _ = try? ImageProbe.probe(MediaBytes(hasStart ? Array(rest) : start + rest), limits: limits)
    return 0
}
guard status == 0 else { preconditionFailure("libFuzzer ended with \(status)") }
