internal import NIOCore
internal import Synchronization
internal import WayreelCore
internal import WayreelLevels

/// Meters PCM that arrives in pieces of any size, and returns lines of JSON. It keeps less than one frame of samples.
/// Its functions are not for event loops, because they compute.
final class LevelStream: Sendable {
    private struct State {
        let lines: LiveLines
        let sink: MemoryLines
        /// The first bytes of an incomplete frame.
        var rest: [UInt8] = []
    }

    private let options: LiveLevelsOptions
    private let meter: LevelMeter
    private let readings: LiveReadings
    private let state: Mutex<State>
    /// The first line, which describes the readings.
    let header: [Substring]

    /// The maximum number of frames that are metered at once: fewer than ``readings`` can hold.
    private static let blockFrames = 4096

    /// Throws a `parameter` error for settings that exclude each other.
    init(_ options: LiveLevelsOptions) throws(MediaError) {
        self.options = options
        let channels = AudioChannel.unnamed(count: options.channelCount)
        meter = try LevelMeter(
            format: AudioFormat(sampleRate: options.sampleRate, channels: channels), ballistics: options.meter ?? .peak)
        readings = try meter.readings(rate: options.rate)
        let encoding = LevelsEncoding(.ndjson, unit: options.unit, meter: options.meter)
        try encoding.check()
        let sink = MemoryLines()
        let lines = LiveLines(encoding, channels: meter.channels, sink: sink)
        try lines.writeHeader(sampleRate: options.sampleRate, rate: options.rate)
        header = sink.take()
        state = Mutex(State(lines: lines, sink: sink))
    }

    /// Meters the bytes. Returns the lines of the readings that are complete.
    func add(_ bytes: ByteBuffer) throws -> [Substring] {
        try state.withLock { state in
            try bytes.withUnsafeReadableBytes { try add($0[...], &state) }
            return state.sink.take()
        }
    }

    /// Ends the stream. Returns the line of the last, partial reading.
    func finish() throws -> [Substring] {
        try state.withLock { state in
            meter.finish()
            _ = try state.lines.writeAll(readings)
            return state.sink.take()
        }
    }

    private func add(_ bytes: Slice<UnsafeRawBufferPointer>, _ state: inout State) throws {
        var bytes = bytes
        if !state.rest.isEmpty {
            let missing = bytes.prefix(options.frameBytes - state.rest.count)
            state.rest += missing
            bytes = bytes.dropFirst(missing.count)
            guard state.rest.count == options.frameBytes else { return }
            try state.rest.withUnsafeBytes { try meter($0[...], state.lines) }
            state.rest = []
        }
        let whole = bytes.count - bytes.count % options.frameBytes
        let blockBytes = Self.blockFrames * options.frameBytes
        for start in stride(from: 0, to: whole, by: blockBytes) {
            try meter(bytes.dropFirst(start).prefix(min(blockBytes, whole - start)), state.lines)
        }
        state.rest = Array(bytes.dropFirst(whole))
    }

    private func meter(_ bytes: Slice<UnsafeRawBufferPointer>, _ lines: LiveLines) throws {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        switch options.format {
        case .s16le: try meter.add(Self.samples(bytes) { Int16(bitPattern: UInt16(littleEndian: $0)) })
        case .f32le: try meter.add(Self.samples(bytes) { Float(bitPattern: UInt32(littleEndian: $0)) })
        }
        _ = try lines.writeAll(readings)
    }

    /// Reads samples from bytes, which may not be aligned.
    private static func samples<Word: BitwiseCopyable, Sample>(
        _ bytes: UnsafeRawBufferPointer, _ make: (Word) -> Sample
    ) -> [Sample] {
        stride(from: 0, to: bytes.count, by: MemoryLayout<Word>.size).map {
            make(bytes.loadUnaligned(fromByteOffset: $0, as: Word.self))
        }
    }
}

/// Lines of text in memory.
private final class MemoryLines: ByteSink {
    private var bytes: [UInt8] = []

    func write(_ bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }

    func take() -> [Substring] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}
