internal import WayreelCore

/// A figure that could not be had, and why.
public struct Unavailable: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Named as the properties of ``Measurement`` and ``Sample`` are.
    public enum Figure: String, Sendable, Codable, CaseIterable {
        case peakMemoryBytes, transfer, groupPeakBytes, energyJoules, samples, proportionalBytes, threadMilliseconds
        case processes, callerMilliseconds
    }

    public var figure: Figure
    /// Without a full stop.
    public var reason: String

    public init(_ figure: Figure, _ reason: String) {
        self.figure = figure
        self.reason = reason
    }

    /// `energyJoules: not available: /sys/class/powercap: no such file or directory`, on one line.
    public var description: String { "\(figure.rawValue): not available: \(reason)".onOneLine }
}
