import TestSupport
import Testing
import WayreelCore
import WayreelLevels

/// Audio of 16-bit samples, and its levels computed by plain loops.
struct PlainAudio {
    var sampleRate = 44_100
    /// The channels, all of the same length.
    var channels: [[Int]]

    /// Reads the `data` of a WAV file of 16-bit PCM.
    init(wav path: String) throws {
        let bytes = try Fixture.bytes(path)
        let word = { (offset: Int, size: Int) in (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) } }
        var offset = 12
        channels = []
        while offset + 8 <= bytes.count {
            let id = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
            let size = word(offset + 4, 4)
            if id == "fmt " {
                channels = Array(repeating: [], count: word(offset + 10, 2))
                sampleRate = word(offset + 12, 4)
                try #require(word(offset + 8, 2) == 1 && word(offset + 22, 2) == 16)
            } else if id == "data" {
                for index in 0..<size / 2 {
                    let sample = Int(Int16(truncatingIfNeeded: word(offset + 8 + 2 * index, 2)))
                    channels[index % channels.count].append(sample)
                }
            }
            offset += 8 + size + size % 2
        }
    }

    init(_ channels: [[Int]], sampleRate: Int = 44_100) {
        self.channels = channels
        self.sampleRate = sampleRate
    }

    /// The sum of the channels divided by their number, towards zero.
    var mono: PlainAudio {
        let samples = channels[0].indices.map { index in channels.reduce(0) { $0 + $1[index] } / channels.count }
        return PlainAudio([samples], sampleRate: sampleRate)
    }

    /// Returns the lowest and highest sample and the RMS of the samples from edge to edge.
    func levels(_ grid: LevelGrid, fields: [LevelField] = [.minimum, .maximum, .rms]) throws -> Levels {
        let count = channels[0].count
        let format = AudioFormat(sampleRate: sampleRate, channels: AudioChannel.unnamed(count: channels.count))
        var log = LevelLog(columnCount: fields.count * channels.count)
        var bucket = 0
        while true {
            let start = grid.edge(bucket, sampleRate: sampleRate, sampleCount: count)
            let end = min(grid.edge(bucket + 1, sampleRate: sampleRate, sampleCount: count), count)
            if start >= count { break }
            try log.append(
                channels.flatMap { samples in
                    let part = samples[start..<end].map { Double($0) / 32_768 }
                    let rms = (part.reduce(0) { $0 + $1 * $1 } / Double(part.count)).squareRoot()
                    let peak = max(part.max()!, -part.min()!)
                    return fields.map { field in
                        switch field {
                        case .minimum: Float(part.min()!)
                        case .maximum: Float(part.max()!)
                        case .rms: Float(rms)
                        case .meter, .hold: Float(peak)
                        }
                    }
                })
            bucket += 1
        }
        return Levels(format: format, grid: grid, sampleCount: count, fields: fields, log: log)
    }
}

extension LevelsDocument {
    /// Returns the document as written.
    func bytes() throws -> [UInt8] {
        let sink = MemorySink()
        try write(to: sink)
        return sink.bytes
    }
}
