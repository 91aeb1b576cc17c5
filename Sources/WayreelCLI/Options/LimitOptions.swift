internal import ArgumentParser
internal import Wayreel

struct LimitOptions: ParsableArguments {
    @Option(help: "Pixels of a capture, at most: 150MP or 150000000. (default: 100MP)")
    var maxPixels: Amount?

    @Option(help: "Bytes of an input file, at most: 500MB or 500000000. (default: 268MB)")
    var maxInputBytes: Amount?

    @Option(help: "Seconds for one capture, at most. (default: 60)")
    var maxSeconds: Double?

    @Option(help: "Frames of an input, at most; only the first is used. (default: 10000)")
    var maxFrames: Amount?

    func validate() throws {
        if let maxSeconds, !(maxSeconds > 0 && maxSeconds.isFinite) {
            throw ValidationError("--max-seconds takes a number above 0")
        }
    }

    func limits() -> Limits {
        let standard = Limits.standard
        return Limits(
            pixels: maxPixels?.value ?? standard.pixels, inputBytes: maxInputBytes?.value ?? standard.inputBytes,
            seconds: maxSeconds ?? standard.seconds, frames: maxFrames?.value ?? standard.frames)
    }
}

/// A count of things, with or without a thousand's letter and a unit: `150MP`, `2GB`, `800k`, `1000`.
struct Amount: ExpressibleByArgument {
    let value: Int

    init?(argument: String) {
        var digits = argument[...]
        if let unit = digits.last, "bBpP".contains(unit) { digits = digits.dropLast() }
        let thousands = ["k": 1e3, "m": 1e6, "g": 1e9]
        let factor = digits.last.flatMap { thousands[$0.lowercased()] }
        guard let number = Double(factor == nil ? digits : digits.dropLast()), number > 0 else { return nil }
        guard let value = Int(exactly: (number * (factor ?? 1)).rounded()), value > 0 else { return nil }
        self.value = value
    }
}
