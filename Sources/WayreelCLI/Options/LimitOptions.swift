package import ArgumentParser
package import WayreelMedia

package struct LimitOptions: ParsableArguments {
    @Option(
        help: "Max pixels of a capture: 150MP or 150000000. (default: 100MP; 400MP if decoded by rows or small tiles)")
    package var maxPixels: PixelCount?

    @Option(help: "Max size of an input file: 500MB or 500000000. (default: 268MB)")
    package var maxInputBytes: ByteCount?

    @Option(help: "Max seconds per capture. (default: 60)")
    package var maxSeconds: Double?

    @Option(help: "Max frames in an input, of which one is used. (default: 10000)")
    package var maxFrames: Int?

    package init() {}

    package func validate() throws {
        if let maxSeconds, !(maxSeconds > 0 && maxSeconds.isFinite) {
            throw ValidationError("--max-seconds takes a positive number")
        }
        if let maxFrames, maxFrames < 1 { throw ValidationError("--max-frames takes a positive number") }
    }

    package func limits() -> Limits {
        let standard = Limits.standard
        return Limits(
            pixels: maxPixels?.value, inputBytes: maxInputBytes?.value ?? standard.inputBytes,
            seconds: maxSeconds ?? standard.seconds, frames: maxFrames ?? standard.frames)
    }
}
