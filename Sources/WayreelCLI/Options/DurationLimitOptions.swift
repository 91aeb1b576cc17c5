internal import ArgumentParser

/// Limits of the time of work and of the duration of an input.
struct DurationLimitOptions: ParsableArguments {
    @Option(help: "Max seconds of work per input. (default: 3600, for videos 86400)")
    var maxSeconds: Double?

    @Option(help: "Max duration of an input in hours. (default: 168)")
    var maxHours: Double?

    func validate() throws {
        for (name, value) in [("max-seconds", maxSeconds), ("max-hours", maxHours)] {
            if let value, !(value > 0 && value.isFinite) {
                throw ValidationError("--\(name) takes a positive number")
            }
        }
    }
}
