internal import ArgumentParser
internal import WayreelMedia

struct VideoLimitOptions: ParsableArguments {
    @Option(help: "Max pixels of a frame: 50MP or 50000000. (default: 40MP)")
    var maxPixels: PixelCount?

    @Option(help: "Max seconds of work per video. (default: 86400)")
    var maxSeconds: Double?

    @Option(help: "Max duration of a video in hours. (default: 168)")
    var maxHours: Double?

    func validate() throws {
        for (name, value) in [("max-seconds", maxSeconds), ("max-hours", maxHours)] {
            if let value, !(value > 0 && value.isFinite) {
                throw ValidationError("--\(name) takes a positive number")
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
