internal import Glibc
internal import WayreelCore
internal import WayreelKernels
internal import WayreelLevels

/// The speed of the kernels for extremes and energy, the cost of loudness, and the latency of live metering.
enum LevelsCost {
    static func report() async throws -> String {
        let kernels = kernelSpeeds().map { [$0.name, $0.speed.formatted(1)] }
        return """
            ### The kernels that find extremes and energy, in cache

            \(table([["", "GB a second"]] + kernels))

            Loudness with true peak costs \(try loudness().formatted(0)) s of processor time for an hour of stereo.

            \(try await live())
            """
    }

    // MARK: Kernels

    private static let byteCount = 256 << 10

    /// Returns gigabytes (10⁹ bytes) of samples per second from the second-level cache, by name, beside the min work on
    /// them.
    private static func kernelSpeeds() -> [(name: String, speed: Double)] {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * byteCount, alignment: 64)
        defer { memory.deallocate() }
        let (source, target) = (memory.baseAddress!, memory.baseAddress! + byteCount)
        let samples16 = source.bindMemory(to: Int16.self, capacity: byteCount / 2)
        for index in 0..<byteCount / 2 { samples16[index] = Int16(truncatingIfNeeded: index &* 40_503) }
        var integers = wr_integer_levels()
        wr_begin_integer_levels(&integers)
        let copy = speed { memcpy(target, source, byteCount) }
        let int16 = speed { wr_levels_s16(samples16, byteCount / 2, &integers) }
        let longs = source.bindMemory(to: Int32.self, capacity: byteCount / 4)
        let int32 = speed { wr_levels_s32(longs, byteCount / 4, &integers) }
        let floats = source.bindMemory(to: Float.self, capacity: byteCount / 4)
        for index in 0..<byteCount / 4 { floats[index] = sin(Float(index)) }
        var sums = wr_float_levels()
        wr_begin_float_levels(&sums)
        let float32 = speed { wr_levels_f32(floats, byteCount / 4, &sums) }
        return [("memcpy", copy), ("int16", int16), ("int32", int32), ("float32", float32)]
    }

    /// Returns the speed of the fastest of all rounds: slower rounds are caused by other activity on the machine.
    private static func speed(_ pass: () -> Void) -> Double {
        let passes = 64
        let fastest = (0..<100).map { _ in seconds(by: Clock.wall) { for _ in 0..<passes { pass() } } }.min()!
        return Double(byteCount * passes) / fastest / 1e9
    }

    // MARK: Loudness

    /// Returns seconds of CPU time for the loudness and the true peak of an hour of 16-bit stereo at 44.1 kHz.
    private static func loudness() throws -> Double {
        let measured = 120
        let format = AudioFormat(sampleRate: 44_100, channels: [.left, .right])
        var noise = SystemRandomNumberGenerator()
        let samples = (0..<2 * format.sampleRate).map { _ in Int16.random(in: -20_000...20_000, using: &noise) }
        let meter = try LoudnessMeter(format: format)
        let cost = try seconds {
            for _ in 0..<measured {
                try samples.withUnsafeBytes { bytes in
                    try meter.add(
                        AudioBlock(
                            .int16, count: format.sampleRate, channelCount: 2, planes: [bytes.baseAddress!], start: 0))
                }
            }
            _ = meter.finish().loudness
        }
        return cost * 3600 / Double(measured)
    }

    // MARK: Live

    private static let roundCount = 5

    /// Runs every case several times, with all cases in turn: other activity on the machine varies, while the cost of the
    /// meter itself is in every round. A case with few readings takes up to four times as long, so that a single delay
    /// does not become its 99th percentile.
    private static func live() async throws -> String {
        let cases =
            [LiveLatency.Reader.adder, .thread].flatMap { reader in
                [1, 2, 4, 8, 13].flatMap { streams in
                    [30, 60, 150].map { LiveLatency(streams: streams, rate: $0, reader: reader) }
                }
            } + [1, 13].map { LiveLatency(streams: $0, rate: 60, reader: .task) }
        var rounds = [[LiveLatency.Round]](repeating: [], count: cases.count)
        for _ in 0..<roundCount {
            for (index, one) in cases.enumerated() {
                rounds[index].append(try await one.run(seconds: max(1, 120 / Double(one.streams * one.rate))))
            }
        }
        var rows = [
            [
                "streams", "a second", "read by", "median", "99 %", "timer 99 %", "above timer", "worst round's 99 %",
                "its timer 99 %", "worst of all",
            ]
        ]
        // Cases whose 99th percentile is below 1 ms in the median round, and in every round.
        var held: [LiveLatency.Reader: (cases: Int, median: Int, every: Int)] = [:]
        for (one, rounds) in zip(cases, rounds) {
            let worst = rounds.max { $0.high < $1.high }!
            let medians = [\LiveLatency.Round.median, \.high, \.timer, \.added].map { figure in
                median(rounds.map { $0[keyPath: figure] })
            }
            let figures = medians + [worst.high, worst.timer, rounds.map(\.highest).max()!]
            rows.append(
                ["\(one.streams)", "\(one.rate)", one.reader.rawValue] + figures.map { ($0 / 1000).formatted(3) })
            var counts = held[one.reader] ?? (0, 0, 0)
            counts.cases += 1
            if medians[1] < 1000 { counts.median += 1 }
            if worst.high < 1000 { counts.every += 1 }
            held[one.reader] = counts
        }
        let counts = LiveLatency.Reader.allCases.compactMap { reader in
            held[reader].map { "\(reader.rawValue): \($0.median) of \($0.cases), in every round \($0.every)" }
        }
        return """
            ### Live: from the sample that completes a reading to the reading returned to the caller, ms

            \(table(rows))

            The medians of \(roundCount) rounds, then the worst round. Read by the adder: the thread that adds the \
            samples polls after each buffer, as `wayreel
            levels --live` does. Read by a thread or a task: another one, which the system has to wake. Timer: how late \
            it woke the threads that
            add the samples, in the same rounds; it is no part of the latency, but shows how late any waiting thread \
            runs on this machine.
            Above timer: by what the latency's 99 % exceeds that.

            Cases whose 99th percentile is below 1 ms in the median round: read by \(counts.joined(separator: "; ")).
            """
    }
}
