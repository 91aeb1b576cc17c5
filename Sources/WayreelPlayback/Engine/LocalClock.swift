internal import Foundation

/// Converts timestamps to local dates and times in a time zone.
public struct LocalClock: Sendable {
    /// A name of the IANA database, such as `America/Los_Angeles`.
    public let zone: String
    private let timeZone: TimeZone

    /// Returns nil if there is no such zone.
    public init?(_ zone: String) {
        guard let timeZone = TimeZone(identifier: zone) else { return nil }
        self.zone = zone
        self.timeZone = timeZone
    }

    private func shifted(_ timestamp: Timestamp) -> Substring {
        let offset = timeZone.secondsFromGMT(for: timestamp.date)
        return Timestamp(milliseconds: timestamp.milliseconds + Int64(offset) * 1000).description[...]
    }

    /// The local date: `2026-11-23`.
    public func date(_ timestamp: Timestamp) -> String { String(shifted(timestamp).prefix(10)) }
    /// The local time: `17:05:09`.
    public func time(_ timestamp: Timestamp) -> String { String(shifted(timestamp).dropFirst(11).prefix(8)) }
}
