internal import WayreelCore

extension TimeRange {
    /// Seconds by which a start with few decimals may miss its frame.
    private static let tolerance = 0.001

    /// Throws a `parameter` error where no video can have such a part.
    func check() throws(MediaError) {
        let isInRange = (0...1e9).contains(start) && (end.map { $0 > start && $0 <= 1e9 } ?? true)
        guard !isInRange else { return }
        throw MediaError(
            .parameter, step: "plan", reason: "there is nothing \(description)",
            advice: "give \(.rangeStart) and \(.rangeEnd) in seconds or as HH:MM:SS.mmm, the end after the start")
    }

    /// The range from the first frame of `video` at or after its start: video and audio are both cut there. At a variable frame rate
    /// the start is not changed.
    ///
    /// Throws a `parameter` error where the video, of `seconds`, has ended by then.
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
        // A short range may hold no frame.
        return end.map { $0 > aligned.start } ?? true ? aligned : self
    }
}
