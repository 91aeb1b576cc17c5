internal import Glibc
package import WayreelCore

/// Format and settings of written levels. nil selects the format's default.
public struct LevelsEncoding: Hashable, Sendable, Codable {
    /// Settings that only some formats support.
    public enum Setting: String, Hashable, Sendable, Codable, CaseIterable {
        case unit, decimals, clamp, readings, meter, bits
        case amplitudeScale = "amplitude-scale"
        case height
    }

    public var format: LevelsFormat
    /// The buckets. audiowaveform's formats have an integer number of samples per bucket: for a rate, sampleRate / rate
    /// rounded down.
    public var grid: LevelGrid?
    public var channels: ChannelSelection?
    /// dBFS if nil.
    public var unit: LevelUnit?
    /// Number of decimals, 0 to 9; if nil, 2 for dBFS, 5 for linear levels and 4 for wavesurfer.
    public var decimals: Int?
    /// Whether levels beyond full scale are clamped.
    public var clamp: Bool
    /// The readings per bucket. If nil: peak and rms; min and max too with linear units; meter and hold too with a
    /// meter.
    public var readings: [LevelReading]?
    /// The ballistics of the readings `meter` and `hold`; nil for none.
    public var meter: MeterBallistics?
    /// 8 or 16 in audiowaveform's formats; 8 if nil, since peaks.js refuses 16. Levels that are made of such a file keep
    /// its bits.
    public var bits: Int?
    /// Factor for the samples in audiowaveform's formats; 1 if nil.
    public var amplitudeScale: AmplitudeScale?
    /// SoundCloud's full scale, 1 to 32 767; 140 if nil.
    public var height: Int?

    public init(
        _ format: LevelsFormat = .json, grid: LevelGrid? = nil, channels: ChannelSelection? = nil,
        unit: LevelUnit? = nil, decimals: Int? = nil, clamp: Bool = false, readings: [LevelReading]? = nil,
        meter: MeterBallistics? = nil, bits: Int? = nil, amplitudeScale: AmplitudeScale? = nil, height: Int? = nil
    ) {
        self.format = format
        self.grid = grid
        self.channels = channels
        self.unit = unit
        self.decimals = decimals
        self.clamp = clamp
        self.readings = readings
        self.meter = meter
        self.bits = bits
        self.amplitudeScale = amplitudeScale
        self.height = height
    }

    /// Returns the measurement that this encoding needs.
    ///
    /// Throws a `parameter` error for a setting that is out of range or not supported by the format, or if the format
    /// cannot have such buckets at that sample rate.
    package func measurement(sampleRate: Int) throws(MediaError) -> LevelMeasurement {
        try check()
        var measurement = LevelMeasurement(grid: try resolve(grid ?? format.defaultGrid, sampleRate: sampleRate))
        measurement.channels = channels ?? format.defaultChannels
        measurement.int16Rounding = format.isAudiowaveform ? .truncated : nil
        measurement.countsEndPadding = format.isAudiowaveform
        measurement.meter = meter
        measurement.readsRMS = format.isImage || effectiveReadings.contains(.rms)
        return measurement
    }

    /// Returns the grid that the format uses for `grid`.
    func resolve(_ grid: LevelGrid, sampleRate: Int) throws(MediaError) -> LevelGrid {
        guard format.isAudiowaveform else { return grid }
        switch grid {
        case .samples: return grid
        case .rate(let rate):
            let (product, overflows) = sampleRate.multipliedReportingOverflow(by: rate.denominator)
            let size = overflows ? 0 : product / rate.numerator
            guard size > 0 else {
                throw fault("\(rate) buckets per second at \(sampleRate) Hz", "use \(sampleRate) per second or fewer")
            }
            return .samples(size)
        case .points:
            throw fault(
                "audiowaveform's formats need a number of samples per bucket, not a number of buckets",
                "use \(.samplesGrid) or \(.rateGrid)")
        }
    }

    var effectiveUnit: LevelUnit { unit ?? .dBFS }

    var effectiveReadings: [LevelReading] {
        guard format.settings.contains(.readings) else { return [] }
        return readings
            ?? (effectiveUnit == .dBFS ? [] : [.minimum, .maximum]) + [.peak, .rms]
            + (meter == nil ? [] : [.meter, .hold])
    }

    /// Throws a `parameter` error that names a setting out of range or not supported by the format.
    package func check() throws(MediaError) {
        // Unsupported settings would be ignored silently.
        let isSet: [Setting: Bool] = [
            .unit: unit != nil, .decimals: decimals != nil, .clamp: clamp, .readings: readings != nil,
            .meter: meter != nil, .bits: bits != nil, .amplitudeScale: amplitudeScale != nil, .height: height != nil,
        ]
        for setting in Setting.allCases where isSet[setting] == true && !format.settings.contains(setting) {
            let others = LevelsFormat.allCases.filter { $0.settings.contains(setting) }
            throw fault(
                "\(format.rawValue) has no setting '\(setting.rawValue)'",
                "use it with \(others.map(\.rawValue).joined(separator: " or "))")
        }
        let ranges: [(name: String, value: Int?, range: ClosedRange<Int>)] = [
            ("decimals", decimals, 0...(format.settings.contains(.unit) && effectiveUnit.isWhole ? 0 : 9)),
            ("height", height, 1...32_767), ("samples per bucket", grid?.sampleCount, 1...Int(Int32.max)),
            ("points", grid?.pointCount, 1...Int(Int32.max)),
        ]
        for (name, value, range) in ranges {
            guard let value, !range.contains(value) else { continue }
            throw fault("\(name) \(value) is out of range", "use \(range.lowerBound) to \(range.upperBound)")
        }
        if let bits, bits != 8, bits != 16 { throw fault("bits \(bits) is out of range", "use 8 or 16") }
        if case .factor(let factor) = amplitudeScale, !AmplitudeScale.range.contains(factor) {
            throw fault("amplitude-scale \(factor) is out of range", "use 0 to 32768 or auto")
        }
        if let readings, readings.isEmpty || Set(readings).count < readings.count {
            throw fault("readings must be unique and not empty", "use \(LevelReading.names)")
        }
        if meter == nil, let reading = readings?.first(where: \.isOfMeter) {
            throw fault("the reading '\(reading.rawValue)' needs a meter", "choose the meter")
        }
        if format == .soundcloud, let channels, channels != .mono {
            throw fault("soundcloud has one channel", "remove the channels, or use mono")
        }
    }

    private var fault: ErrorSite { ErrorSite(.parameter, step: .encode) }
}

extension LevelGrid {
    fileprivate var sampleCount: Int? { if case .samples(let count) = self { count } else { nil } }
    fileprivate var pointCount: Int? { if case .points(let count) = self { count } else { nil } }
}

extension LevelReading {
    fileprivate static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// Factor for the samples of audiowaveform's formats.
public enum AmplitudeScale: Hashable, Sendable {
    /// 0 to 32 768. Results beyond 16 bits are clamped.
    case factor(Double)
    /// Scales the largest magnitude of all channels to 32 767.
    ///
    /// audiowaveform only uses the lowest sample; the results agree if its magnitude is larger than that of the
    /// highest.
    case auto

    static let range = 0.0...32_768.0

    /// Parses `1.5` or `auto`; nil for anything else.
    public init?(_ text: String) {
        if text.lowercased() == "auto" {
            self = .auto
        } else if let factor = Double(text), Self.range.contains(factor) {
            self = .factor(factor)
        } else {
            return nil
        }
    }
}

extension AmplitudeScale: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let factor = try? container.decode(Double.self) {
            self = .factor(factor)
            return
        }
        let text = try container.decode(String.self)
        guard let scale = AmplitudeScale(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not an amplitude scale")
        }
        self = scale
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .factor(let factor): try container.encode(factor)
        case .auto: try container.encode("auto")
        }
    }
}

/// Formats linear levels in a unit.
struct LevelDigits {
    let unit: LevelUnit
    let decimals: Int
    /// Whether levels beyond full scale are clamped.
    let clamps: Bool
    private let factor: Double

    init(_ unit: LevelUnit, decimals: Int, clamps: Bool) {
        self.unit = unit
        self.decimals = decimals
        self.clamps = clamps
        factor = (0..<decimals).reduce(1.0) { factor, _ in factor * 10 }
    }

    func write(_ level: Float, to output: BufferedOutput) throws(MediaError) {
        let value = convert(level) * factor
        // Integers are exact up to here; only invalid floating-point audio exceeds it.
        guard value.magnitude < 0x1p53 else { return try output.append(level.description) }
        try output.append(Int(value.rounded(.toNearestOrEven)), decimals: decimals)
    }

    private func convert(_ level: Float) -> Double {
        switch unit {
        case .dBFS:
            guard level.magnitude > 1e-8 else { return LevelUnit.floor }
            let level = 20 * log10(Double(level.magnitude))
            return clamps ? min(level, 0) : level
        case .linear: return clamps ? Double(min(max(level, -1), 1)) : Double(level)
        case .int8: return min(max(Double(level) * 128, -128), 127)
        case .int16: return min(max(Double(level) * 32_768, -32_768), 32_767)
        }
    }
}
