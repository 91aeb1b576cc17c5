/// A value reported for a channel and bucket.
public enum LevelReading: String, Hashable, Sendable, Codable, CaseIterable {
    /// The lowest sample.
    case minimum = "min"
    /// The highest sample.
    case maximum = "max"
    /// The larger magnitude of minimum and maximum.
    case peak
    case rms
    /// The meter state.
    case meter
    /// The meter's peak hold.
    case hold

    var isOfMeter: Bool { self == .meter || self == .hold }

    /// The fields that the reading is computed from, as the largest magnitude of each.
    var fields: [LevelField] {
        switch self {
        case .minimum: [.minimum]
        case .maximum: [.maximum]
        case .peak: [.minimum, .maximum]
        case .rms: [.rms]
        case .meter: [.meter]
        case .hold: [.hold]
        }
    }
}

/// The columns of a reading in the runs of a log.
struct ReadingColumn {
    let first: Int
    /// The second field; nil if the reading is a single field.
    private let second: Int?

    /// Returns nil if the levels lack a field of the reading.
    init?(_ reading: LevelReading, channel: Int, of levels: Levels) {
        let columns = reading.fields.map { levels.column($0, channel: channel) }
        guard let first = columns.first, let first, let last = columns.last, let last else { return nil }
        self.first = first
        second = columns.count == 1 ? nil : last
    }

    /// Returns the values in a run; valid as long as the run.
    func values(in run: LevelLog.Run) -> Values {
        Values(first: run.column(first), second: second.map { run.column($0) })
    }

    struct Values {
        fileprivate let first: UnsafeBufferPointer<Float>
        fileprivate let second: UnsafeBufferPointer<Float>?

        subscript(row: Int) -> Float {
            guard let second else { return first[row] }
            return max(first[row].magnitude, second[row].magnitude)
        }
    }
}
