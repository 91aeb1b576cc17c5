package import WayreelCore

/// How levels are written: a format and its settings. nil stands for the format's own default.
public struct LevelsEncoding: Hashable, Sendable, Codable {
    /// What some formats have and others have not.
    public enum Setting: String, Hashable, Sendable, Codable, CaseIterable {
        case unit, decimals, clamp, readings, meter, bits
        case amplitudeScale = "amplitude-scale"
        case height
    }

    public var format: LevelsFormat
    /// The buckets. audiowaveform's formats have a whole number of samples a bucket: of a rate, sampleRate / rate rounded down.
    public var grid: LevelGrid?
    public var channels: ChannelSelection?
    /// dBFS where nil.
    public var unit: LevelUnit?
    /// Digits after the point, 0 to 9; 2 for dBFS, 5 for linear levels and 4 for wavesurfer where nil.
    public var decimals: Int?
    /// Whether levels beyond full scale are told as full scale; else they are told as they are.
    public var clamp: Bool
    /// What is told of each bucket. Where nil: peak and rms, with the linear units min and max too, and with a meter its
    /// needle and its held peak.
    public var readings: [LevelReading]?
    /// Whose ballistics the readings `meter` and `hold` have; nil: there are none.
    public var meter: MeterBallistics?
    /// 8 or 16, of audiowaveform's formats; 16 where nil.
    public var bits: Int?
    /// What the samples of audiowaveform's formats are multiplied by; as they are where nil.
    public var amplitudeScale: AmplitudeScale?
    /// SoundCloud's full scale, 1 to 32 767; 140 where nil.
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
}

extension LevelsEncoding {
    /// What must be read of a sound to write it so.
    ///
    /// Throws a `parameter` error where a setting is out of its range or none of the format's, or where the format cannot
    /// have such buckets of a sound of that sample rate.
    package func measurement(sampleRate: Int) throws(MediaError) -> LevelMeasurement {
        try check()
        var measurement = LevelMeasurement(grid: try resolve(grid ?? format.defaultGrid, sampleRate: sampleRate))
        measurement.channels = channels ?? format.defaultChannels
        measurement.words = format.isAudiowaveform ? .truncated : nil
        measurement.countsEndPadding = format.isAudiowaveform
        measurement.meter = meter
        measurement.readsRMS = format.isPicture || effectiveReadings.contains(.rms)
        return measurement
    }

    /// The buckets that the format has where `grid` is asked for.
    func resolve(_ grid: LevelGrid, sampleRate: Int) throws(MediaError) -> LevelGrid {
        guard format.isAudiowaveform else { return grid }
        switch grid {
        case .samples: return grid
        case .rate(let rate):
            let (product, overflows) = sampleRate.multipliedReportingOverflow(by: rate.denominator)
            let size = overflows ? 0 : product / rate.numerator
            guard size > 0 else {
                throw fault("\(rate) buckets a second of \(sampleRate) samples", "use \(sampleRate) a second or fewer")
            }
            return .samples(size)
        case .points:
            throw fault(
                "audiowaveform's formats have a whole number of samples a bucket, not so many buckets in all",
                "give the zoom or the rate")
        }
    }

    var effectiveUnit: LevelUnit { unit ?? .dBFS }

    var effectiveReadings: [LevelReading] {
        guard format.settings.contains(.readings) else { return [] }
        return readings
            ?? (effectiveUnit == .dBFS ? [] : [.minimum, .maximum]) + [.peak, .rms]
            + (meter == nil ? [] : [.meter, .hold])
    }

    /// Throws a `parameter` error that names the setting that is out of its range, or that the format does not have.
    package func check() throws(MediaError) {
        // A setting that the format does not have would be ignored in silence.
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
            ("height", height, 1...32_767), ("samples a bucket", grid?.sampleCount, 1...Int(Int32.max)),
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
            throw fault("readings must be some, and each once", "use \(LevelReading.names)")
        }
        if meter == nil, let reading = readings?.first(where: \.isOfMeter) {
            throw fault("the reading '\(reading.rawValue)' is that of a meter", "choose the meter")
        }
        if format == .soundcloud, let channels, channels != .mono {
            throw fault("soundcloud has one channel", "leave the channels out, or say mono")
        }
    }

    private func fault(_ reason: String, _ advice: String) -> MediaError {
        MediaError(.parameter, step: "encode", reason: reason, advice: advice)
    }
}

extension LevelGrid {
    fileprivate var sampleCount: Int? { if case .samples(let count) = self { count } else { nil } }
    fileprivate var pointCount: Int? { if case .points(let count) = self { count } else { nil } }
}

extension LevelReading {
    fileprivate static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
