internal import WayreelCore

extension LevelsDocument {
    /// Writes Wayreel's JSON: one line per header member, then one line per channel and reading.
    func writeJSON(to output: BufferedOutput) throws(MediaError) {
        let digits = digits
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
}
