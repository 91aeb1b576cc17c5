package import WayreelCore

/// Gives the samples of one source the clock that all sources of a recording have.
package struct SourceClock: Sendable {
    package enum Mode: String, Sendable, CaseIterable {
        /// The source's own times, moved so that its first sample has the time at which it arrived.
        case aligned
        /// Every sample has the time at which it was read.
        case arrival
        /// The source's own times, which have to be dates.
        case own
    }

    private let mode: Mode
    private var offset: Int64?
    private var latest: Int64?

    /// How far a source may go back, in microseconds, before its clock counts as another one: a recorder that began anew.
    private static let oneSecond: Int64 = 1_000_000

    package init(_ mode: Mode) { self.mode = mode }

    /// The source begins anew: its times may have another start.
    package mutating func restart() { (offset, latest) = (nil, nil) }

    /// Changes the times of samples that arrived at a time.
    ///
    /// Throws a `decoding` error if they have to be dates and are not.
    package mutating func set(
        _ samples: inout PendingSamples, _ notation: SensorTime.Notation?, arrival: SensorTime
    ) throws(MediaError) {
        guard let extent = samples.extent else { return }
        switch mode {
        case .arrival: samples.changeTimes { _ in arrival.microseconds }
        case .own:
            guard notation == .date else {
                throw MediaError(
                    .decoding, step: .read, reason: "has times in seconds from its own start, and no dates",
                    advice: "use the clock aligned or arrival")
            }
        case .aligned:
            if let latest, extent.upperBound < latest - Self.oneSecond { restart() }
            latest = max(latest ?? extent.upperBound, extent.upperBound)
            let offset = offset ?? arrival.microseconds - extent.lowerBound
            self.offset = offset
            samples.changeTimes { $0 + offset }
        }
    }
}
