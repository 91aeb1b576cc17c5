/// How far a transcode has come.
public struct TranscodeProgress: Hashable, Sendable, Codable {
    /// Of the output that are done.
    public var seconds: Double
    /// Of the whole output; nil where the input does not tell its length.
    public var totalSeconds: Double?
    /// Wall time so far.
    public var elapsedSeconds: Double

    public init(seconds: Double, totalSeconds: Double?, elapsedSeconds: Double) {
        self.seconds = seconds
        self.totalSeconds = totalSeconds
        self.elapsedSeconds = elapsedSeconds
    }

    /// 0 to 1; nil where the length is not known.
    public var fraction: Double? {
        totalSeconds.flatMap { $0 > 0 ? min(max(seconds / $0, 0), 1) : nil }
    }

    /// Seconds of output in a second.
    public var speed: Double { elapsedSeconds > 0 ? seconds / elapsedSeconds : 0 }

    /// Seconds that are left, by the speed so far; nil where that cannot be told.
    public var remainingSeconds: Double? {
        guard let totalSeconds, speed > 0 else { return nil }
        return max(0, totalSeconds - seconds) / speed
    }
}
