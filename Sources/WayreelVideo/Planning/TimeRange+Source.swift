internal import WayreelCore

extension TimeRange {
    /// Seconds by which a start that was typed with few decimals may miss the frame that is meant.
    private static let tolerance = 0.001

    /// Throws a `parameter` error where it is no part of any video.
    func check() throws(MediaError) {
        let isInRange = (0...1e9).contains(start) && (end.map { $0 > start && $0 <= 1e9 } ?? true)
        guard !isInRange else { return }
        throw MediaError(
            .parameter, step: "plan", reason: "there is nothing \(words)",
            advice: "give --start and --end in seconds or as HH:MM:SS.mmm, the end after the start")
    }

    /// The same, beginning with the first frame of `stream` that is shown at its start or after it: video and audio are both cut
    /// there, so that neither waits for the other. Where the frame rate varies, the start stays.
    ///
    /// Throws a `parameter` error where the video, of `seconds`, has ended by then.
    func settled(on stream: MediaStream, _ picture: VideoProperties, seconds: Double?) throws(MediaError) -> TimeRange {
        if let seconds, start >= seconds {
            throw MediaError(
                .parameter, step: "plan",
                reason: "it is \(seconds.rounded(to: 3)) s long; there is nothing \(words)",
                advice: "give an earlier --start")
        }
        guard picture.frameRateMode == .constant, let rate = picture.frameRate?.value, rate > 0,
            start > stream.start
        else { return self }
        let number = ((start - stream.start - Self.tolerance) * rate).rounded(.up)
        let settled = TimeRange(start: stream.start + number / rate, end: end)
        // So short a part may have no frame of its own.
        return end.map { $0 > settled.start } ?? true ? settled : self
    }
}
