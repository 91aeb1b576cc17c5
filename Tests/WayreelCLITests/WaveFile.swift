/// A WAV file written by a test.
struct WaveFile {
    var format: UInt16 = 1
    var channels: UInt16 = 2
    var rate: UInt32 = 44_100
    var bits: UInt16 = 16
    /// The length declared by the header; nil for the actual one.
    var declaredBytes: UInt32?

    static let linear = WaveFile()
    static let floats = WaveFile(format: 3, bits: 32)

    /// Returns the file; samples of all channels are interleaved.
    func bytes(_ samples: [some FixedWidthInteger]) -> [UInt8] {
        let data = samples.flatMap { Self.little($0) }
        let declared = declaredBytes ?? UInt32(data.count)
        let frame = UInt32(channels) * UInt32(bits / 8)
        var file = Array("RIFF".utf8) + Self.little(36 &+ declared) + Array("WAVEfmt ".utf8) + Self.little(UInt32(16))
        file += Self.little(format) + Self.little(channels) + Self.little(rate) + Self.little(rate &* frame)
        file += Self.little(UInt16(truncatingIfNeeded: frame)) + Self.little(bits) + Array("data".utf8)
        return file + Self.little(declared) + data
    }

    func bytes(_ samples: [Float]) -> [UInt8] { bytes(samples.map(\.bitPattern)) }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
