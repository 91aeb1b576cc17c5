internal import Glibc
internal import WayreelCore
internal import WayreelLevels

/// The time from the arrival of a buffer that completes a bucket until its reader has the reading.
///
/// Every stream has a thread that adds buffers of 256 samples at 44.1 kHz at the rate of a sound card, all streams at
/// the same instants, and a separate reader.
struct LiveLatency {
    enum Reader: String, CaseIterable {
        /// The adding thread, by ``LiveReadings/poll()`` after each buffer, as in `wayreel levels --live`.
        case adder
        /// A separate thread, which must be woken: blocks in ``LiveReadings/wait(seconds:)``.
        case thread
        /// A separate task: iterates with `for await`.
        case task
    }

    var streams: Int
    var rate: Int
    var reader: Reader

    /// Results in microseconds.
    struct Round {
        var median: Double
        var high: Double
        var highest: Double
        /// The 99th percentile of the delay with which the system woke the producers for their buffers. It is not part
        /// of the latency, but affects any thread that waits.
        var timer: Double
        /// The excess of the 99th percentile of the latency over that of the timer.
        var added: Double { max(0, high - timer) }
    }

    /// Runs the streams for `seconds`.
    func run(seconds: Double) async throws -> Round {
        let all = try (0..<streams).map { _ in try Stream(rate: rate, seconds: seconds) }
        // Starts late enough for all threads to exist.
        let start = Clock.wall + 0.05
        let isRead = reader == .adder
        let producers = try all.map { stream in
            try WorkThread("bench") { stream.produce(from: start, seconds: seconds, isRead: isRead) }
        }
        switch reader {
        case .adder: break
        case .thread:
            let readers = try all.map { stream in
                try WorkThread("bench") { while let reading = stream.readings.wait() { stream.note(reading) } }
            }
            readers.forEach { $0.join() }
        case .task:
            await withTaskGroup(of: Void.self) { group in
                for stream in all {
                    group.addTask { for await reading in stream.readings { stream.note(reading) } }
                }
            }
        }
        producers.forEach { $0.join() }
        let latencies = all.flatMap(\.latencies)
        return Round(
            median: percentile(50, of: latencies), high: percentile(99, of: latencies), highest: latencies.max() ?? 0,
            timer: percentile(99, of: all.flatMap(\.delays)))
    }
}

/// A stream's meter and clock. `arrivals` is written by its producer before the reading of the bucket is queued,
/// `delays` by its producer only, and `latencies` by its reader only, which may be the producer.
private final class Stream: @unchecked Sendable {
    private static let sampleRate = 44_100
    private static let bufferSize = 256

    let readings: LiveReadings
    /// Microseconds from a buffer to its reading, and from the scheduled time of a buffer to its producer's wake-up.
    private(set) var latencies: [Double] = []
    private(set) var delays: [Double] = []
    private let meter: LevelMeter
    private let rate: Int
    /// The arrival time of the buffer that completed each bucket, on the monotonic clock.
    private let arrivals: UnsafeMutableBufferPointer<Double>

    init(rate: Int, seconds: Double) throws {
        self.rate = rate
        meter = try LevelMeter(
            format: AudioFormat(sampleRate: Self.sampleRate, channels: [.left, .right]), ballistics: .apple)
        readings = try meter.readings(rate: Rational(rate)!)
        arrivals = .allocate(capacity: Int((seconds + 1) * Double(rate)))
        arrivals.initialize(repeating: 0)
        latencies.reserveCapacity(arrivals.count)
    }

    deinit { arrivals.deallocate() }

    /// Adds each buffer at its time and finishes the meter. Also reads the readings if `isRead` is true.
    func produce(from start: Double, seconds: Double, isRead: Bool) {
        var samples = (0..<2 * Self.bufferSize).map { Float(sin(Double($0) / 10)) }
        let buffers = Int(seconds * Double(Self.sampleRate)) / Self.bufferSize
        var next = 0
        for buffer in 1...max(1, buffers) {
            let position = buffer * Self.bufferSize
            let time = start + Double(position) / Double(Self.sampleRate)
            sleep(until: time)
            delays.append((Clock.wall - time) * 1e6)
            samples[0] = Float(buffer % 100) / 100
            let completed = position * rate / Self.sampleRate
            let now = Clock.wall
            while next < completed {
                arrivals[next] = now
                next += 1
            }
            try? meter.add(samples)
            while isRead, let reading = readings.poll() { note(reading) }
        }
        meter.finish()
    }

    func note(_ reading: LiveReading) {
        guard !reading.isPartial else { return }
        latencies.append((Clock.wall - arrivals[reading.index]) * 1e6)
    }

    private func sleep(until time: Double) {
        var wake = timespec(tv_sec: Int(time), tv_nsec: Int((time - time.rounded(.down)) * 1e9))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nil) == EINTR {}
    }
}
