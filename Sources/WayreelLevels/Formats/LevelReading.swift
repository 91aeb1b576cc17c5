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

/// The unit of written levels.
public enum LevelUnit: String, Hashable, Sendable, Codable, CaseIterable {
    /// Decibels relative to full scale: 20 · log₁₀ |v|, with ``floor`` as minimum. The sign of a sample is lost.
    case dBFS
    /// Full scale is 1.
    case linear
    /// Full scale is 128: rounded to nearest, −128 to 127.
    case int8
    /// Full scale is 32 768: rounded to nearest, −32 768 to 32 767.
    case int16

    /// Level of silence in dBFS.
    public static let floor = -160.0

    var isWhole: Bool { self == .int8 || self == .int16 }
    /// Default number of decimals: a hundredth of a decibel, a third of a 16-bit step.
    var defaultDecimals: Int {
        switch self {
        case .dBFS: 2
        case .linear: 5
        case .int8, .int16: 0
        }
    }
}

/// A value measured per channel and bucket. All values are linear: full scale is 1.
public enum LevelField: String, Hashable, Sendable, Codable, CaseIterable {
    /// The lowest sample, −1 to 1 (floating-point audio may exceed it).
    case minimum
    /// The highest sample.
    case maximum
    /// Root mean square of the samples, 0 to 1 (floating-point audio may exceed it).
    case rms
    /// Max of the meter state in the bucket: 0 to 1.
    case meter
    /// Max of the meter's peak hold in the bucket: 0 to 1.
    case hold
}
