package import WayreelCore

/// Writes live readings as NDJSON lines in the format of measured files.
package final class LiveLines {
    private let encoding: LevelsEncoding
    private let channels: [AudioChannel]
    private let output: BufferedOutput
    private let digits: LevelDigits
    private let readings: [LevelReading]

    package init(_ encoding: LevelsEncoding, channels: [AudioChannel], sink: some ByteSink) {
        self.encoding = encoding
        self.channels = channels
        output = BufferedOutput(sink)
        digits = encoding.digits
        readings = encoding.effectiveReadings
    }

    /// Writes the header without properties that need the whole file.
    package func writeHeader(sampleRate: Int, rate: Rational) throws(MediaError) {
        let members: [LevelsHeader.Member] =
            [
                .init("schema", .text(LevelsHeader.schema)), .init("version", .whole(LevelsHeader.version)),
                .init("live", .flag(true)), .init("sampleRate", .whole(sampleRate)),
                .init("bucketsBy", .text(LevelsHeader.GridName.rate.rawValue)),
                .init("rate", .decimal(rate.value, 6)), .init("rateExact", .text(rate.description)),
            ] + encoding.header(hasMeter: true) + [
                .init("channels", .texts(channels.map(\.name))),
                .init("readings", .texts(readings.map(\.rawValue))),
            ]
        try output.append("{")
        try output.append(members, separator: ",")
        try output.append("}\n")
        try output.flush()
    }

    /// Writes available readings; returns whether there were any.
    package func writeAll(_ readings: LiveReadings) throws(MediaError) -> Bool {
        var hasWritten = false
        while let reading = readings.poll() {
            try write(reading)
            hasWritten = true
        }
        try output.flush()
        return hasWritten
    }

    private func write(_ reading: LiveReading) throws(MediaError) {
        try output.append("{\"time\":")
        try output.append(Int((reading.time * 1e6).rounded()), decimals: 6)
        for name in readings {
            try output.append(",\"\(name.rawValue)\":[")
            for (index, channel) in reading.channels.enumerated() {
                if index > 0 { try output.append(UInt8(ascii: ",")) }
                try digits.write(channel[name], to: output)
            }
            try output.append(UInt8(ascii: "]"))
        }
        if reading.merged > 0 {
            try output.append(",\"merged\":")
            try output.append(reading.merged)
        }
        try output.append(reading.isPartial ? ",\"partial\":true}\n" : "}\n")
    }
}

extension LiveReading.Channel {
    fileprivate subscript(reading: LevelReading) -> Float {
        switch reading {
        case .minimum: minimum
        case .maximum: maximum
        case .peak: peak
        case .rms: rms
        case .meter: meter
        case .hold: hold
        }
    }
}
