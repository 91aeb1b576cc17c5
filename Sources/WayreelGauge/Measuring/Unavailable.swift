internal import WayreelCore

/// An unavailable figure and the reason.
public struct Unavailable: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Named like the properties of ``Measurement`` and ``Sample``.
    public enum Figure: String, Sendable, Codable, CaseIterable {
        case peakMemoryBytes, transfer, groupPeakBytes, energyJoules, samples, proportionalBytes, threadMilliseconds
        case processes, callerMilliseconds
    }

    public var figure: Figure
    /// The reason without a full stop.
    public var reason: String

    public init(_ figure: Figure, _ reason: String) {
        self.figure = figure
        self.reason = reason
    }

    /// `energyJoules: not available: /sys/class/powercap: no such file or directory`, on one line.
    public var description: String { "\(figure.rawValue): not available: \(reason)".onOneLine }
}
