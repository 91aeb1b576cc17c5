internal import Glibc
internal import WayreelCore

/// Reads a JSON document that may contain levels, with members in any order.
struct LevelsJSON {
    private var texts: [String: String] = [:]
    private var numbers: [String: Double] = [:]
    private var loudness: [NamedFigure] = []
    private var source: LevelsSource?
    /// audiowaveform's samples.
    private var data: [Float]?
    /// Wayreel's channels.
    private var channels: [Channel] = []

    fileprivate struct Channel {
        var name = ""
        var readings: [LevelReading: [Float]] = [:]
    }

    /// Max number of values, 32 MB: more than a day at 24 per second with two channels and two readings.
    private static let valueLimit = 1 << 23
    /// Max number of loudness figures and channels kept.
    private static let memberLimit = 1024
    private static let textNames: Set = ["schema", "bucketsBy", "rateExact", "unit", "meter"]
    private static let numberNames: Set = [
        "version", "sampleRate", "sampleCount", "bucketCount", "samplesPerBucket",
        "channels", "sample_rate", "samples_per_pixel", "bits", "length",
    ]

    /// Reads the document to its end.
    init(_ source: any ByteSource) throws(MediaError) {
        let json = JSONScanner(source)
        var valueCount = 0
        try json.skipMark()
        try json.forEachMember { (name) throws(MediaError) in
            switch (name, try json.kind()) {
            case ("data", .array): data = try json.numbers(limit: Self.valueLimit)
            case ("channels", .array):
                channels = []
                try json.forEachElement { () throws(MediaError) in
                    guard try json.kind() == .object else { return try json.skipValue() }
                    let channel = try Self.channel(json, &valueCount)
                    if channels.count < Self.memberLimit { channels.append(channel) }
                }
            case ("loudness", .object): loudness = try Self.figures(json)
            case ("source", .object): self.source = try Self.source(json)
            case (_, .text) where Self.textNames.contains(name): texts[name] = try json.text()
            case (_, .number) where Self.numberNames.contains(name): numbers[name] = try json.number()
            default: try json.skipValue()
            }
        }
        try json.expectEnd()
    }

    private static func channel(_ json: JSONScanner, _ valueCount: inout Int) throws(MediaError) -> Channel {
        var channel = Channel()
        try json.forEachMember { (name) throws(MediaError) in
            switch (LevelReading(rawValue: name), try json.kind()) {
            case (let reading?, .array):
                let values = try json.numbers(limit: valueLimit - valueCount)
                valueCount += values.count
                channel.readings[reading] = values
            case (_, .text) where name == "name": channel.name = try json.text()
            default: try json.skipValue()
            }
        }
        return channel
    }

    private static func figures(_ json: JSONScanner) throws(MediaError) -> [NamedFigure] {
        var figures: [NamedFigure] = []
        try json.forEachMember { (name) throws(MediaError) in
            let isNumber = try json.kind() == .number
            let value = isNumber ? try json.number() : nil
            if !isNumber { try json.skipValue() }
            if figures.count < memberLimit { figures.append(NamedFigure(name, value)) }
        }
        return figures
    }

    private static func source(_ json: JSONScanner) throws(MediaError) -> LevelsSource {
        var source = LevelsSource()
        try json.forEachMember { (name) throws(MediaError) in
            switch (name, try json.kind()) {
            case ("file", .text): source.file = try json.text()
            case ("codec", .text): source.codec = try json.text()
            default: try json.skipValue()
            }
        }
        return source
    }

    /// Interprets the document as audiowaveform's or Wayreel's.
    func file(limits: AudioLimits) throws(MediaError) -> LevelsFile {
        if texts["schema"] == LevelsHeader.schema { return try ownFile(limits: limits) }
        if let data, numbers["samples_per_pixel"] != nil { return try audiowaveformFile(data, limits: limits) }
        throw MediaError(
            .decoding, step: .read, reason: "it is JSON without levels in the format of Wayreel or audiowaveform")
    }

    private func audiowaveformFile(_ data: [Float], limits: AudioLimits) throws(MediaError) -> LevelsFile {
        let channelCount = numbers["channels"] == nil ? 1 : try whole("channels")
        let (bucketSize, bucketCount, bits) = (try whole("samples_per_pixel"), try whole("length"), try whole("bits"))
        let format = try AudiowaveformData.format(
            sampleRate: try whole("sample_rate"), channelCount: channelCount, bucketSize: bucketSize,
            bucketCount: bucketCount, limits: limits)
        guard bits == 8 || bits == 16 else { throw damage("it declares \(bits) bits") }
        guard data.count.isMultiple(of: 2 * channelCount), data.count / (2 * channelCount) == bucketCount else {
            throw damage(
                "it declares \(bucketCount) buckets of \(channelCount) channels, but contains \(data.count) samples")
        }
        let fullScale: Float = bits == 8 ? 128 : 32_768
        if let strange = data.first(where: { $0 < -fullScale || $0 >= fullScale || $0 != $0.rounded() }) {
            throw damage("\(strange) is not a sample of \(bits) bits")
        }
        var log = LevelLog(columnCount: 2 * channelCount)
        var row = [Float](repeating: 0, count: 2 * channelCount)
        for start in stride(from: 0, to: data.count, by: row.count) {
            for index in row.indices { row[index] = data[start + index] / fullScale }
            try log.append(row)
        }
        let levels = Levels(
            format: format, grid: .samples(bucketSize), sampleCount: bucketCount * bucketSize,
            fields: [.minimum, .maximum], log: log)
        return LevelsFile(levels, format: .audiowaveform, bits: bits)
    }

    private func ownFile(limits: AudioLimits) throws(MediaError) -> LevelsFile {
        let version = try whole("version")
        guard version == LevelsHeader.version else {
            throw MediaError(
                .unsupported, step: .read, reason: "version \(version) of \(LevelsHeader.schema)",
                advice: "use a newer version of Wayreel")
        }
        guard let first = channels.first else {
            throw damage("it contains no channels with levels; only Wayreel's json format can be read")
        }
        guard let unit = LevelUnit(rawValue: texts["unit"] ?? "") else { throw damage("its unit is missing") }
        let bucketCount = first.readings.values.map(\.count).max() ?? 0
        guard bucketCount > 0, bucketCount == (try whole("bucketCount")),
            channels.allSatisfy({ $0.readings.values.allSatisfy { $0.count == bucketCount } })
        else { throw damage("the number of levels per channel differs from the number of buckets") }
        let (sampleRate, sampleCount) = (try whole("sampleRate"), try whole("sampleCount"))
        _ = try AudiowaveformData.format(
            sampleRate: sampleRate, channelCount: channels.count, bucketSize: 1, bucketCount: sampleCount,
            limits: limits)
        let columns = channels.map { $0.columns(in: unit) }
        let fields = LevelField.allCases.filter { field in columns.allSatisfy { $0[field] != nil } }
        guard fields.starts(with: [.minimum, .maximum]) else { throw damage("a channel has no peaks") }
        let rows = columns.flatMap { columns in fields.map { columns[$0]! } }
        guard rows.allSatisfy({ $0.levels.allSatisfy(\.isFinite) }) else { throw damage("a level is out of range") }
        var log = LevelLog(columnCount: rows.count)
        var row = [Float](repeating: 0, count: rows.count)
        for bucket in 0..<bucketCount {
            for (index, column) in rows.enumerated() {
                row[index] = column.isMirrored ? -column.levels[bucket] : column.levels[bucket]
            }
            try log.append(row)
        }
        let levels = Levels(
            format: AudioFormat(sampleRate: sampleRate, channels: try speakers),
            grid: try grid(bucketCount, sampleRate: sampleRate, sampleCount: sampleCount), sampleCount: sampleCount,
            fields: fields, log: log)
        return LevelsFile(
            levels, format: .json, meter: texts["meter"].flatMap(MeterBallistics.init(rawValue:)), source: source,
            loudness: loudness)
    }

    /// The channels by name, validated because the names go into other files.
    private var speakers: [AudioChannel] {
        get throws(MediaError) {
            for channel in channels {
                let isPlain = channel.name.utf8.allSatisfy { byte in
                    let letter = byte | 0x20
                    return UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
                        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
                }
                guard isPlain, (1...64).contains(channel.name.utf8.count) else {
                    throw damage("'\(channel.name)' is not a channel name")
                }
            }
            return channels.map { AudioChannel($0.name) }
        }
    }

    /// Returns the grid declared by the header, checked against the number of buckets.
    private func grid(_ bucketCount: Int, sampleRate: Int, sampleCount: Int) throws(MediaError) -> LevelGrid {
        let grid: LevelGrid? =
            switch LevelsHeader.GridName(rawValue: texts["bucketsBy"] ?? "") {
            case .rate: Rational(texts["rateExact"] ?? "").map(LevelGrid.rate)
            case .samples: .samples(try whole("samplesPerBucket"))
            case .points: .points(bucketCount)
            case nil: nil
            }
        guard let grid else { throw damage("the bucket grid is missing") }
        let size = grid.meanBucketSize(sampleRate: sampleRate, sampleCount: sampleCount)
        // A rough check first, so that the exact numbers stay small.
        guard size > 0, abs(size * Double(bucketCount) - Double(sampleCount)) <= 2 * size + 2,
            grid.edge(bucketCount - 1, sampleRate: sampleRate, sampleCount: sampleCount) < sampleCount,
            grid.edge(bucketCount, sampleRate: sampleRate, sampleCount: sampleCount) >= sampleCount
        else { throw damage("\(bucketCount) buckets do not match \(sampleCount) samples") }
        return grid
    }

    private func whole(_ name: String) throws(MediaError) -> Int {
        guard let number = numbers[name] else { throw damage("the integer '\(name)' is missing") }
        guard let whole = Int(exactly: number), (0...1 << 53).contains(whole) else {
            throw damage("its '\(name)' is \(number)")
        }
        return whole
    }

    private func damage(_ reason: String) -> MediaError { AudiowaveformData.damage(reason) }
}

extension LevelsJSON.Channel {
    /// The linear levels of a field.
    fileprivate struct Column {
        var levels: [Float]
        /// Whether values are negated.
        var isMirrored = false
    }

    /// Returns the fields of the readings. If only peaks are stored, as in dBFS, which has no sign, the minimum is
    /// assumed to be the negated maximum.
    fileprivate func columns(in unit: LevelUnit) -> [LevelField: Column] {
        var columns: [LevelField: Column] = [:]
        for (reading, values) in readings {
            guard reading != .peak, let field = reading.fields.first else { continue }
            columns[field] = Column(levels: values.map(unit.linear))
        }
        let peaks: [Float]? =
            if let minimum = columns[.minimum], let maximum = columns[.maximum] {
                unit == .dBFS ? zip(minimum.levels, maximum.levels).map { max($0, $1) } : nil
            } else {
                readings[.peak]?.map { unit.linear($0).magnitude }
            }
        if let peaks {
            columns[.minimum] = Column(levels: peaks, isMirrored: true)
            columns[.maximum] = Column(levels: peaks)
        }
        return columns
    }
}

extension LevelUnit {
    /// Converts a stored value to a linear level; not finite on overflow.
    fileprivate func linear(_ value: Float) -> Float {
        switch self {
        case .dBFS: Double(value) <= Self.floor ? 0 : Float(pow(10, Double(value) / 20))
        case .linear: value
        case .int8: value / 128
        case .int16: value / 32_768
        }
    }
}
