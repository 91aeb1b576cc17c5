internal import ArgumentParser
internal import Wayreel

struct LimitOptions: ParsableArguments {
    @Option(help: "Pixels of a capture, at most: 150MP or 150000000. (default: 100MP)")
    var maxPixels: PixelCount?

    @Option(help: "Bytes of an input file, at most: 500MB or 500000000. (default: 268MB)")
    var maxInputBytes: ByteCount?

    @Option(help: "Seconds for one capture, at most. (default: 60)")
    var maxSeconds: Double?

    @Option(help: "Frames of an input, at most; one of them is used. (default: 10000)")
    var maxFrames: Int?

    func validate() throws {
        if let maxSeconds, !(maxSeconds > 0 && maxSeconds.isFinite) {
            throw ValidationError("--max-seconds takes a number above 0")
        }
        if let maxFrames, maxFrames < 1 { throw ValidationError("--max-frames takes a number above 0") }
    }

    func limits() -> Limits {
        let standard = Limits.standard
        return Limits(
            pixels: maxPixels?.value ?? standard.pixels, inputBytes: maxInputBytes?.value ?? standard.inputBytes,
            seconds: maxSeconds ?? standard.seconds, frames: maxFrames ?? standard.frames)
    }
}
