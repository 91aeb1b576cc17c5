internal import ArgumentParser
internal import WayreelMedia

struct VideoLimitOptions: ParsableArguments {
    @Option(help: "Max pixels of a frame: 50MP or 50000000. (default: 40MP)")
    var maxPixels: PixelCount?

    @OptionGroup var durations: DurationLimitOptions

    var maxSeconds: Double? { durations.maxSeconds }

    func limits() -> VideoLimits {
        var limits = VideoLimits.standard
        if let maxPixels { limits.pixels = maxPixels.value }
        if let maxSeconds { limits.seconds = maxSeconds }
        if let maxHours = durations.maxHours { limits.videoSeconds = maxHours * 3600 }
        return limits
    }
}
