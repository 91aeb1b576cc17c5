internal import WayreelCore

extension TimeRange {
    /// The tolerance in seconds between a start rounded to a few decimals and its frame.
    private static let tolerance = 0.001

    /// Throws a `parameter` error if the range is invalid for any video.
    func check() throws(MediaError) {
        let isInRange = (0...1e9).contains(start) && (end.map { $0 > start && $0 <= 1e9 } ?? true)
        guard !isInRange else { return }
        throw MediaError(
            .parameter, step: "plan", reason: "there is nothing \(description)",
            advice: "give \(.rangeStart) and \(.rangeEnd) in seconds or as HH:MM:SS.mmm, the end after the start")
    }

    /// Returns the range from the first frame of `video` at or after its start: video and audio are both cut there.
    /// At a variable frame rate the start is unchanged.
    ///
    /// Throws a `parameter` error if the video, of `seconds`, ends before the start.
    func aligned(to video: StreamChoice.Video?, seconds: Double?) throws(MediaError) -> TimeRange {
        if let seconds, start >= seconds {
            throw MediaError(
                .parameter, step: "plan",
                reason: "it is \(seconds.rounded(to: 3)) s long; there is nothing \(description)",
                advice: "give an earlier \(.rangeStart)")
        }
        guard let video, video.properties.frameRateMode == .constant, let rate = video.properties.frameRate?.value,
            rate > 0, start > video.stream.start
        else { return self }
        let stream = video.stream
        let number = ((start - stream.start - Self.tolerance) * rate).rounded(.up)
        let aligned = TimeRange(start: stream.start + number / rate, end: end)
        // A short range may contain no frame.
        return end.map { $0 > aligned.start } ?? true ? aligned : self
    }
}
