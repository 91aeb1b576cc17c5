internal import ArgumentParser
internal import Wayreel

struct VideoLimitOptions: ParsableArguments {
    @Option(help: "Pixels of a picture, at most: 50MP or 50000000. (default: 40MP)")
    var maxPixels: PixelCount?

    @Option(help: "Seconds of work on one video, at most. (default: 86400)")
    var maxSeconds: Double?

    @Option(help: "Hours that a video may last, at most. (default: 168)")
    var maxHours: Double?

    func validate() throws {
        for (name, value) in [("max-seconds", maxSeconds), ("max-hours", maxHours)] {
            if let value, !(value > 0 && value.isFinite) {
                throw ValidationError("--\(name) takes a number above 0")
            }
        }
    }

    func limits() -> VideoLimits {
        var limits = VideoLimits.standard
        if let maxPixels { limits.pixels = maxPixels.value }
        if let maxSeconds { limits.seconds = maxSeconds }
        if let maxHours { limits.videoSeconds = maxHours * 3600 }
        return limits
    }
}
