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
            .parameter, step: "encode", reason: "\(encoding.format.rawValue) cannot hold \(what)",
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
    /// A bit in the flags.
    static let eightBitFlag: UInt32 = 1
}
