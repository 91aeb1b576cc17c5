internal import WayreelCore

extension LevelsDocument {
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
