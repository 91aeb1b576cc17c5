import TestSupport
import WayreelCore
import WayreelLevels

/// Audio in memory, passed to a recorder in blocks.
struct TestAudio {
    /// One array per channel, full scale 1.
    var samples: [[Double]]
    var sampleRate = 48_000
    var names: [AudioChannel]?

    var count: Int { samples.first?.count ?? 0 }

    /// Returns noise that is alternately louder and softer.
    static func noise(channels: Int, count: Int, seed: UInt64) -> TestAudio {
        var random = SeededRandom(seed: seed)
        return TestAudio(
            samples: (0..<channels).map { channel in
                (0..<count).map { index in
                    Double.random(in: -1...1, using: &random) * (index / 97 % 3 == channel % 3 ? 1 : 0.01)
                }
            })
    }

    /// Returns `amplitude` · sin, in one channel.
    static func sine(_ frequency: Double, seconds: Double, amplitude: Double = 1, sampleRate: Int) -> [Double] {
        (0..<Int((seconds * Double(sampleRate)).rounded())).map { index in
            amplitude * TestSupport.sine(2 * .pi * frequency * Double(index) / Double(sampleRate))
        }
    }

    /// Returns the sample values as stored in a block of `type`: whole numbers for the integers.
    func stored(_ type: AudioBlock.SampleType) -> [[Double]] {
        samples.map { channel in
            channel.map { value in
                switch type {
                case .int16: min(max((value * 32_768).rounded(), -32_768), 32_767)
                case .int32: min(max((value * 0x1p31).rounded(), -0x1p31), 0x1p31 - 1)
                case .float32: Double(Float(value))
                }
            }
        }
    }

    /// Returns the stored value of full scale.
    static func fullScale(_ type: AudioBlock.SampleType) -> Double {
        switch type {
        case .int16: 0x1p15
        case .int32: 0x1p31
        case .float32: 1
        }
    }

    /// Passes the audio in blocks, whose lengths `length` returns.
    func forEachBlock(
        _ type: AudioBlock.SampleType, interleaved: Bool, length: () -> Int, _ body: (AudioBlock) throws -> Void
    ) rethrows {
        let stored = stored(type)
        var bytes: [[UInt8]] = stored.map { $0.flatMap { Self.bytes($0, type) } }
        if interleaved {
            bytes = [(0..<count).flatMap { index in stored.flatMap { Self.bytes($0[index], type) } }]
        }
        // Copies of exactly the block's length, so that a sanitizer detects reads beyond it.
        var start = 0
        while start < count {
            let end = min(start + max(length(), 1), count)
            let width = type.byteCount * (interleaved ? samples.count : 1)
            let parts = bytes.map { plane in
                let part = UnsafeMutableRawBufferPointer.allocate(byteCount: (end - start) * width, alignment: 4)
                part.copyBytes(from: plane[start * width..<end * width])
                return part
            }
            defer { parts.forEach { $0.deallocate() } }
            try body(
                AudioBlock(
                    type, count: end - start, channelCount: samples.count,
                    planes: parts.map { UnsafeRawPointer($0.baseAddress!) }, start: start))
            start = end
        }
    }

    private static func bytes(_ value: Double, _ type: AudioBlock.SampleType) -> [UInt8] {
        switch type {
        case .int16: withUnsafeBytes(of: Int16(value)) { Array($0) }
        case .int32: withUnsafeBytes(of: Int32(value)) { Array($0) }
        case .float32: withUnsafeBytes(of: Float(value)) { Array($0) }
        }
    }

    func levels(
        _ measurement: LevelMeasurement, _ type: AudioBlock.SampleType = .float32, interleaved: Bool = false,
        blockLength: Int = 4096
    ) throws -> Levels {
        try levels(measurement, type, interleaved: interleaved) { blockLength }
    }

    func levels(
        _ measurement: LevelMeasurement, _ type: AudioBlock.SampleType, interleaved: Bool, length: () -> Int
    ) throws -> Levels {
        let recorder = try LevelRecorder(measurement, format: format, sampleCount: count)
        try forEachBlock(type, interleaved: interleaved, length: length) { try recorder.add($0) }
        return try recorder.finish()
    }

    var format: AudioFormat {
        AudioFormat(sampleRate: sampleRate, channels: names ?? AudioChannel.unnamed(count: samples.count))
    }
}

extension Levels {
    /// All values of all fields and channels.
    var table: [[Float]] {
        get throws {
            try format.channels.indices.flatMap { channel in try fields.map { try values($0, channel: channel) } }
        }
    }

    /// Returns the largest magnitude of each bucket of a channel.
    func peaks(channel: Int) throws -> [Float] {
        try zip(values(.minimum, channel: channel), values(.maximum, channel: channel)).map { max(-$0, $1) }
    }
}
