internal import WayreelCore

extension LevelsDocument {
    /// Writes NDJSON: the header, then per bucket its time and, for each reading, an array with one value per channel.
    func writeLines(to output: BufferedOutput) throws(MediaError) {
        let readings = readings
        let rows = try BucketRows(self, readings: readings)
        try output.append("{")
        try output.append(
            header + [
                .init("channels", .texts(levels.format.channels.map(\.name))),
                .init("readings", .texts(readings.map(\.rawValue))),
            ], separator: ",")
        try output.append("}\n")
        let names = readings.map { ",\"\($0.rawValue)\":[" }
        let channelCount = levels.format.channels.count
        try rows.forEach { (row, values) throws(MediaError) in
            try output.append("{\"time\":")
            try output.append(row.microseconds, decimals: 6)
            for (index, name) in names.enumerated() {
                try output.append(name)
                for channel in 0..<channelCount {
                    if channel > 0 { try output.append(UInt8(ascii: ",")) }
                    try rows.digits.write(values[index + channel * names.count][row.index], to: output)
                }
                try output.append(UInt8(ascii: "]"))
            }
            try output.append(row.isPartial ? ",\"partial\":true}\n" : "}\n")
        }
    }

    /// Writes CSV (RFC 4180, LF line ends): time in seconds, samples in the bucket, then the readings of each channel.
    func writeCSV(to output: BufferedOutput) throws(MediaError) {
        let readings = readings
        let rows = try BucketRows(self, readings: readings)
        try output.append("time,samples")
        for channel in levels.format.channels {
            for reading in readings { try output.append(",\(channel.name)_\(reading.rawValue)") }
        }
        try output.append("\n")
        try rows.forEach { (row, values) throws(MediaError) in
            try output.append(row.microseconds, decimals: 6)
            try output.append(UInt8(ascii: ","))
            try output.append(row.sampleCount)
            for column in values {
                try output.append(UInt8(ascii: ","))
                try rows.digits.write(column[row.index], to: output)
            }
            try output.append(UInt8(ascii: "\n"))
        }
    }

    /// Writes Wayreel's JSON: one line per header member, then one line per channel and reading.
    func writeJSON(to output: BufferedOutput) throws(MediaError) {
        let digits = encoding.digits
        try output.append("{\n")
        try output.append(header, separator: ",\n")
        try output.append(",\n\"channels\":[")
        for (channel, speaker) in levels.format.channels.enumerated() {
            try output.append(channel > 0 ? ",\n{\"name\":" : "\n{\"name\":")
            try output.append(quoted: speaker.name)
            for reading in readings {
                try output.append(",\n\"")
                try output.append(reading.rawValue)
                try output.append("\":[")
                let column = try column(reading, channel: channel)
                var isFirst = true
                try levels.forEachRun { (run) throws(MediaError) in
                    let values = column.values(in: run)
                    for row in 0..<run.rowCount {
                        if !isFirst { try output.append(UInt8(ascii: ",")) }
                        isFirst = false
                        try digits.write(values[row], to: output)
                    }
                }
                try output.append("]")
            }
            try output.append("}")
        }
        try output.append("\n]}\n")
    }

    /// Writes the format of wavesurfer.js: `{"duration":…,"peaks":[[…],[…]]}`, one array per channel with the signed
    /// sample of the largest magnitude in each bucket.
    func writeWavesurfer(to output: BufferedOutput) throws(MediaError) {
        let digits = LevelDigits(.linear, decimals: encoding.decimals ?? 4, clamps: encoding.clamp)
        try output.append("{\"duration\":")
        try output.append(microseconds(levels.sampleCount), decimals: 6)
        try output.append(",\"peaks\":[")
        for channel in levels.format.channels.indices {
            let (minimum, maximum) = (try column(.minimum, channel: channel), try column(.maximum, channel: channel))
            try output.append(channel > 0 ? ",[" : "[")
            var isFirst = true
            try levels.forEachRun { (run) throws(MediaError) in
                let (lowest, highest) = (minimum.values(in: run), maximum.values(in: run))
                for row in 0..<run.rowCount {
                    if !isFirst { try output.append(UInt8(ascii: ",")) }
                    isFirst = false
                    let (low, high) = (lowest[row], highest[row])
                    try digits.write(low.magnitude > high.magnitude ? low : high, to: output)
                }
            }
            try output.append("]")
        }
        try output.append("]}\n")
    }

    /// Writes `{"width":…,"height":140,"samples":[…]}`: peaks as integers with the height as full scale.
    ///
    /// For levels read from a file with several channels, the values are the largest peaks of all channels.
    func writeSoundCloud(to output: BufferedOutput) throws(MediaError) {
        let height = encoding.height ?? 140
        var columns: [ReadingColumn] = []
        for channel in levels.format.channels.indices { columns.append(try column(.peak, channel: channel)) }
        try output.append("{\"width\":")
        try output.append(levels.bucketCount)
        try output.append(",\"height\":")
        try output.append(height)
        try output.append(",\"samples\":[")
        var isFirst = true
        try levels.forEachRun { (run) throws(MediaError) in
            let values = columns.map { $0.values(in: run) }
            for row in 0..<run.rowCount {
                if !isFirst { try output.append(UInt8(ascii: ",")) }
                isFirst = false
                let peak = values.reduce(0) { max($0, $1[row]) }
                try output.append(Int((Double(min(peak, 1)) * Double(height)).rounded()))
            }
        }
        try output.append("]}\n")
    }
}

/// Iterates over buckets with the readings of all channels.
private struct BucketRows {
    let digits: LevelDigits
    private let document: LevelsDocument
    /// All readings of the first channel, then those of the next.
    private let columns: [ReadingColumn]

    init(_ document: LevelsDocument, readings: [LevelReading]) throws(MediaError) {
        self.document = document
        digits = document.encoding.digits
        var columns: [ReadingColumn] = []
        for channel in document.levels.format.channels.indices {
            for reading in readings { columns.append(try document.column(reading, channel: channel)) }
        }
        self.columns = columns
    }

    struct Row {
        /// Start time of the bucket.
        let microseconds: Int
        let sampleCount: Int
        /// Whether the audio ends within the bucket.
        let isPartial: Bool
        /// Index among the values of a run.
        let index: Int
    }

    /// Passes each bucket with the values of all columns in its run.
    func forEach(_ body: (Row, [ReadingColumn.Values]) throws(MediaError) -> Void) throws(MediaError) {
        let levels = document.levels
        let sampleRate = levels.format.sampleRate
        var bucket = 0
        var start = 0
        try levels.forEachRun { (run) throws(MediaError) in
            let values = columns.map { $0.values(in: run) }
            for index in 0..<run.rowCount {
                bucket += 1
                let end = levels.grid.edge(bucket, sampleRate: sampleRate, sampleCount: levels.sampleCount)
                let row = Row(
                    microseconds: document.microseconds(start),
                    sampleCount: min(end, levels.sampleCount) - start, isPartial: end > levels.sampleCount,
                    index: index)
                try body(row, values)
                start = end
            }
        }
    }
}
