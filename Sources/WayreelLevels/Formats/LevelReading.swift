/// What is told of a channel in a bucket.
public enum LevelReading: String, Hashable, Sendable, Codable, CaseIterable {
    /// The lowest sample.
    case minimum = "min"
    /// The highest sample.
    case maximum = "max"
    /// The larger magnitude of the two.
    case peak
    case rms
    /// Where the meter's needle stands.
    case meter
    /// The meter's held peak.
    case hold

    var isOfMeter: Bool { self == .meter || self == .hold }

    /// The fields that it is made of: the largest magnitude of those of each.
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

/// A reading's place in the runs of some levels.
struct ReadingColumn {
    let first: Int
    /// nil where the reading is one field as it is.
    private let second: Int?

    /// nil where the levels lack one of the reading's fields.
    init?(_ reading: LevelReading, channel: Int, of levels: Levels) {
        let columns = reading.fields.map { levels.column($0, channel: channel) }
        guard let first = columns.first, let first, let last = columns.last, let last else { return nil }
        self.first = first
        second = columns.count == 1 ? nil : last
    }

    /// Its values in a run, valid as long as the run.
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
