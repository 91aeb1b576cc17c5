internal import WayreelCore
internal import WayreelKernels

/// audiowaveform's formats: lowest and highest sample of each bucket and channel, with 16 bits or truncated to 8.
///
/// https://github.com/bbc/audiowaveform/blob/master/doc/DataFormat.md
extension LevelsDocument {
    /// Writes a `.dat` in little-endian order: version, flags, sample rate, samples per bucket, buckets and, in version
    /// 2, channels; then the samples.
    ///
    /// One channel is written as version 1, several as version 2.
    func writeAudiowaveformData(to output: BufferedOutput) throws(MediaError) {
        let size = try bucketSize
        let channelCount = levels.format.channels.count
        guard let bucketCount = UInt32(exactly: levels.bucketCount),
            let sampleRate = Int32(exactly: levels.format.sampleRate)
        else { throw unsuitable("so many buckets") }
        try output.append(littleEndian: Int32(channelCount == 1 ? 1 : 2))
        try output.append(littleEndian: UInt32(bits == 8 ? AudiowaveformData.eightBitFlag : 0))
        try output.append(littleEndian: sampleRate)
        try output.append(littleEndian: size)
        try output.append(littleEndian: bucketCount)
        if channelCount > 1 { try output.append(littleEndian: Int32(channelCount)) }
        try forEachRun { (samples) throws(MediaError) in
            if bits == 8 {
                for sample in samples { try output.append(littleEndian: Int8(sample / 256)) }
            } else {
                for sample in samples { try output.append(littleEndian: sample) }
            }
        }
    }

    func writeAudiowaveformJSON(to output: BufferedOutput) throws(MediaError) {
        try output.append("{\"version\":2,\"channels\":")
        try output.append(levels.format.channels.count)
        try output.append(",\"sample_rate\":")
        try output.append(levels.format.sampleRate)
        try output.append(",\"samples_per_pixel\":")
        try output.append(Int(try bucketSize))
        try output.append(",\"bits\":")
        try output.append(bits)
        try output.append(",\"length\":")
        try output.append(levels.bucketCount)
        try output.append(",\"data\":[")
        let divisor = bits == 8 ? 256 : 1
        var isFirst = true
        try forEachRun { (samples) throws(MediaError) in
            for sample in samples {
                if !isFirst { try output.append(UInt8(ascii: ",")) }
                isFirst = false
                try output.append(Int(sample) / divisor)
            }
        }
        try output.append("]}\n")
    }

    /// peaks.js refuses 16 bits.
    private var bits: Int { encoding.bits ?? 8 }

    /// Samples per bucket, except the last.
    private var bucketSize: Int32 {
        get throws(MediaError) {
            switch levels.grid {
            case .samples(let size):
                guard let size = Int32(exactly: size) else { break }
                return size
            case .rate(let rate):
                let (size, rest) = (levels.format.sampleRate * rate.denominator).quotientAndRemainder(
                    dividingBy: rate.numerator)
                guard rest == 0, let size = Int32(exactly: size) else { break }
                return size
            case .points: break
            }
            throw unsuitable("buckets with a fractional number of samples")
        }
    }

    private func unsuitable(_ what: String) -> MediaError {
        MediaError(
            .parameter, step: .encode, reason: "\(encoding.format.rawValue) cannot hold \(what)",
            advice: "set the samples per bucket")
    }

    /// Passes the samples of all buckets in order: the lowest and the highest of each channel.
    private func forEachRun(_ body: (UnsafeBufferPointer<Int16>) throws(MediaError) -> Void) throws(MediaError) {
        var columns: [Int] = []
        for channel in levels.format.channels.indices {
            for reading in [LevelReading.minimum, .maximum] {
                columns.append(try column(reading, channel: channel).first)
            }
        }
        let factor = try amplitudeFactor(columns)
        try levels.forEachRun { (run) throws(MediaError) in
            let samples = UnsafeMutableBufferPointer<Int16>.allocate(capacity: run.rowCount * columns.count)
            defer { samples.deallocate() }
            for (index, column) in columns.enumerated() {
                guard let levels = run.column(column).baseAddress, let first = samples.baseAddress else { continue }
                wr_levels_to_int16(levels, run.rowCount, factor, first + index, columns.count)
            }
            try body(UnsafeBufferPointer(samples))
        }
    }

    private func amplitudeFactor(_ columns: [Int]) throws(MediaError) -> Double {
        switch encoding.amplitudeScale {
        case nil: return 1
        case .factor(let factor): return factor
        case .auto:
            var largest: Float = 0
            try levels.forEachRun { (run) throws(MediaError) in
                for column in columns {
                    largest = run.column(column).reduce(largest) { max($0, $1.magnitude) }
                }
            }
            let sample = min((Double(largest) * 32_768).rounded(), 32_768)
            return sample > 0 ? 32_767 / sample : 1
        }
    }
}

/// Constants shared by the writer and the reader of `.dat`.
enum AudiowaveformData {
    static let eightBitFlag: UInt32 = 1

    /// The length of a header: version, flags, sample rate, samples per bucket, buckets and, in version 2, channels.
    private static let headerLength = 20
    private static let sampleRates = 1...10_000_000

    /// Returns whether `prefix` is a `.dat` header. The format has no signature, but all of the 20 bytes except the
    /// numbers' magnitudes are fixed.
    static func recognizes(_ prefix: [UInt8]) -> Bool {
        guard prefix.count >= headerLength else { return false }
        let word = { (index: Int) in (0..<4).reduce(0) { $0 | Int(prefix[4 * index + $1]) << (8 * $1) } }
        return (1...2).contains(word(0)) && word(1) <= eightBitFlag && sampleRates.contains(word(2))
            && (1...Int(Int32.max)).contains(word(3))
    }

    /// Reads a `.dat`, which does not store the number of samples. The last bucket is therefore assumed to be complete.
    static func read(_ source: any ByteSource, limits: AudioLimits) throws(MediaError) -> LevelsFile {
        let bytes = ByteReader(source)
        func word() throws(MediaError) -> Int {
            guard let word = try bytes.next(UInt32.self) else { throw damage("it ends within its header") }
            return Int(word)
        }
        let version = try word()
        let isEightBit = try word() & Int(eightBitFlag) != 0
        let (sampleRate, bucketSize, bucketCount) = (try word(), try word(), try word())
        let channelCount = version == 1 ? 1 : try word()
        let format = try format(
            sampleRate: sampleRate, channelCount: channelCount, bucketSize: bucketSize, bucketCount: bucketCount,
            limits: limits)
        var log = LevelLog(columnCount: 2 * channelCount)
        var row = [Float](repeating: 0, count: 2 * channelCount)
        for bucket in 0..<bucketCount {
            for index in row.indices {
                let level =
                    isEightBit
                    ? try bytes.next(Int8.self).map { Float($0) / 128 }
                    : try bytes.next(Int16.self).map { Float($0) / 32_768 }
                guard let level else { throw damage("it ends within bucket \(bucket + 1) of \(bucketCount)") }
                row[index] = level
            }
            try log.append(row)
        }
        guard try bytes.peek() == nil else { throw damage("data follow its \(bucketCount) buckets") }
        let levels = Levels(
            format: format, grid: .samples(bucketSize), sampleCount: bucketCount * bucketSize,
            fields: [.minimum, .maximum], log: log)
        return LevelsFile(levels, format: .dat, bits: isEightBit ? 8 : 16)
    }

    /// Throws an error if a header has values that no audio has.
    static func format(
        sampleRate: Int, channelCount: Int, bucketSize: Int, bucketCount: Int, limits: AudioLimits
    ) throws(MediaError) -> AudioFormat {
        guard bucketCount > 0 else { throw damage("it contains no audio") }
        guard sampleRates.contains(sampleRate) else { throw damage("it declares a sample rate of \(sampleRate) Hz") }
        guard channelCount > 0 else { throw damage("it declares 0 channels") }
        guard (1...Int(Int32.max)).contains(bucketSize) else {
            throw damage("it declares \(bucketSize) samples per bucket")
        }
        try limits.check(channels: channelCount, seconds: Double(bucketCount) * Double(bucketSize) / Double(sampleRate))
        return AudioFormat(sampleRate: sampleRate, channels: AudioChannel.unnamed(count: channelCount))
    }

    static func damage(_ reason: String) -> MediaError { MediaError(.decoding, step: .read, reason: reason) }
}

extension AudioLimits {
    /// Throws a `limit` error if a levels file exceeds the limits.
    func check(channels count: Int, seconds: Double) throws(MediaError) {
        guard count <= channels else {
            throw MediaError(
                .limit, step: .read, reason: "the levels have \(count) channels; the limit is \(channels)")
        }
        // Also rejects NaN.
        guard seconds <= audioSeconds else {
            throw MediaError(
                .limit, step: .read,
                reason: "the levels cover \(seconds.shortDescription) s; the limit is \(audioSeconds.shortDescription)"
            )
        }
    }
}
