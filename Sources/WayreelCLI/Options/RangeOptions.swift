internal import ArgumentParser
internal import WayreelMedia

/// The section of a video to transcode.
struct RangeOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: "Start at the first frame at or after this time: 90, 1:30 or 00:01:30.5. (default: the beginning)")
    var start: Moment?

    @Option(parsing: .unconditional, help: "Stop before this time. (default: the end)")
    var end: Moment?

    func validate() throws {
        if let end, end.seconds <= start?.seconds ?? 0 {
            throw ValidationError("--end must be after \(start == nil ? "0" : "--start")")
        }
    }

    var range: TimeRange? {
        guard start != nil || end != nil else { return nil }
        return TimeRange(start: start?.seconds ?? 0, end: end?.seconds)
    }
}
