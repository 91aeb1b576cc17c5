internal import WayreelCore

extension AudiowaveformData {
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
        let log = LevelLog(columnCount: 2 * channelCount)
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

    static func damage(_ reason: String) -> MediaError { MediaError(.decoding, step: "read", reason: reason) }
}

extension AudioLimits {
    /// Throws a `limit` error if a levels file exceeds the limits.
    func check(channels count: Int, seconds: Double) throws(MediaError) {
        guard count <= channels else {
            throw MediaError(
                .limit, step: "read", reason: "the levels have \(count) channels; the limit is \(channels)")
        }
        // Also rejects NaN.
        guard seconds <= audioSeconds else {
            throw MediaError(
                .limit, step: "read",
                reason: "the levels cover \(seconds.shortDescription) s; the limit is \(audioSeconds.shortDescription)"
            )
        }
    }
}
