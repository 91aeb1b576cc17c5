package import WayreelCore

/// The layout of the binary messages of live streams, version 1, little-endian.
///
/// A head of 24 bytes: `u8` 1, `u8` 0, `u16` number of runs, `u32` number of the batch, `f64` arrival and `f64` sending in
/// milliseconds since 1970. Each run begins at a multiple of 8 bytes: `u16` channel, `u16` flags (1: even), `u32` count,
/// `f64` start in seconds, `f64` interval in seconds; if it is not even, `f32` offsets from the start in seconds; then
/// `f32` values, of which one that is not a number is a gap; then zeros up to a multiple of 8 bytes.
package enum SignalBatch {
    package static let headBytes = 24
    package static let runHeadBytes = 24
    private static let kind: UInt8 = 1
    private static let isEven: UInt16 = 1
    /// The most time that a run spans, in microseconds: a Float has offsets up to it to a microsecond.
    private static let longestRun: Int64 = 16_000_000
    /// How far times may be from even ones, in microseconds: both were rounded to one.
    private static let tolerance = 1.01

    /// The runs of some samples of a channel, as bytes.
    struct Runs: Sendable {
        var bytes: [UInt8] = []
        var count = 0

        /// Adds samples of a channel; `origin` is the time from which seconds are counted.
        mutating func add(_ channel: Int, _ times: [Int64], _ values: [Float], from origin: SensorTime) {
            var start = 0
            while start < times.count {
                var end = start + 1
                while end < times.count, times[end] >= times[end - 1], times[end] - times[start] <= longestRun {
                    end += 1
                }
                add(channel, times[start..<end], values[start..<end], origin)
                start = end
            }
        }

        private mutating func add(
            _ channel: Int, _ times: ArraySlice<Int64>, _ values: ArraySlice<Float>, _ origin: SensorTime
        ) {
            guard let first = times.first, let last = times.last else { return }
            let interval = times.count > 1 ? Double(last - first) / Double(times.count - 1) : 0
            let isEven = times.indices.allSatisfy {
                (Double(times[$0] - first) - Double($0 - times.startIndex) * interval).magnitude <= tolerance
            }
            bytes.append(UInt16(channel))
            bytes.append(isEven ? SignalBatch.isEven : 0)
            bytes.append(UInt32(times.count))
            bytes.append(SensorTime(microseconds: first).seconds(since: origin).bitPattern)
            bytes.append((isEven ? interval / 1e6 : 0).bitPattern)
            if !isEven { for time in times { bytes.append((Float(time - first) / 1e6).bitPattern) } }
            for value in values { bytes.append(value.bitPattern) }
            bytes.append(contentsOf: repeatElement(0, count: -bytes.count & 7))
            count += 1
        }
    }

    /// The message of runs that follow each other.
    static func message(_ pieces: [Runs], number: UInt32, arrival: Double, sent: Double) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headBytes + pieces.reduce(0) { $0 + $1.bytes.count })
        bytes.append(contentsOf: [kind, 0])
        bytes.append(UInt16(pieces.reduce(0) { $0 + $1.count }))
        bytes.append(number)
        bytes.append(arrival.bitPattern)
        bytes.append(sent.bitPattern)
        for piece in pieces { bytes.append(contentsOf: piece.bytes) }
        return bytes
    }

    /// Reads the runs of a message; `body` gets the channel, times in microseconds, and as many values, of which some may
    /// not be numbers.
    ///
    /// Throws a `decoding` error for other bytes. Runs before the damaged one were given to `body`.
    package static func read(
        _ message: UnsafeRawBufferPointer,
        _ body: (_ channel: Int, _ times: [Int64], _ values: [Double]) throws(MediaError) -> Void
    ) throws(MediaError) {
        let fault = ErrorSite(.decoding, step: .read, subject: "a batch of samples")
        guard message.count >= headBytes, message[0] == kind else { throw fault("has no head") }
        let runs = UInt16(littleEndian: message.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        try read(UnsafeRawBufferPointer(rebasing: message[headBytes...]), runs: Int(runs), from: nil, body)
    }

    /// Reads runs; `origin` is the time from which their seconds are counted, nil for the start of all times.
    static func read(
        _ bytes: UnsafeRawBufferPointer, runs: Int, from origin: SensorTime?,
        _ body: (_ channel: Int, _ times: [Int64], _ values: [Double]) throws(MediaError) -> Void
    ) throws(MediaError) {
        let fault = ErrorSite(.decoding, step: .read, subject: "a batch of samples")
        func load<Word: FixedWidthInteger & BitwiseCopyable>(_ at: Int, _: Word.Type) -> Word {
            Word(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: Word.self))
        }
        var at = 0
        for _ in 0..<runs {
            guard bytes.count - at >= runHeadBytes else { throw fault("ends within the head of a run") }
            let (channel, flags, count) = (
                load(at, UInt16.self), load(at + 2, UInt16.self), Int(load(at + 4, UInt32.self))
            )
            let start = Double(bitPattern: load(at + 8, UInt64.self))
            let interval = Double(bitPattern: load(at + 16, UInt64.self))
            at += runHeadBytes
            let isEven = flags & Self.isEven != 0
            let size = (isEven ? 4 : 8) * count
            guard bytes.count - at >= size else { throw fault("ends within a run") }
            guard let begin = SensorTime(seconds: start), !isEven || SensorTime(seconds: interval) != nil else {
                throw fault("has a time that is not a number of seconds")
            }
            let zero = begin.microseconds + (origin?.microseconds ?? 0)
            var (times, values): ([Int64], [Double]) = ([], [])
            times.reserveCapacity(count)
            values.reserveCapacity(count)
            for index in 0..<count {
                let offset =
                    isEven
                    ? Double(index) * interval : Double(Float(bitPattern: load(at + 4 * index, UInt32.self)))
                guard let offset = SensorTime(seconds: offset) else {
                    throw fault("has a time that is not a number of seconds")
                }
                times.append(zero + offset.microseconds)
                let place = at + (isEven ? 0 : 4 * count) + 4 * index
                values.append(Double(Float(bitPattern: load(place, UInt32.self))))
            }
            try body(Int(channel), times, values)
            at = min(bytes.count, (at + size + 7) & ~7)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ word: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: word.littleEndian) { append(contentsOf: $0) }
    }
}
