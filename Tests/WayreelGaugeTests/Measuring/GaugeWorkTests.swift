import Glibc
import TestSupport
import Testing
import WayreelBench
import WayreelCore

/// Run serially: the kernel has one peak for the whole process.
@Suite(.serialized) struct GaugeWorkTests {
    struct Failure: Error {}

    /// Keeps the calling thread busy for this many seconds of CPU time.
    static func work(_ seconds: Double) -> Int {
        let start = Clock.thread
        var rounds = 0
        while Clock.thread - start < seconds { rounds += 1 }
        return rounds
    }

    @Test func measuresTheProcess() throws {
        let (rounds, measurement) = Gauge.measure { Self.work(0.4) }
        #expect(rounds > 0)
        #expect(measurement.cpuMilliseconds >= 390)
        #expect(measurement.wallMilliseconds >= 400)
        #expect(measurement.outcome == nil && measurement.command == nil)
        #expect(!measurement.samples.isEmpty)
        #expect(try #require(measurement.samples.map(\.cpuPercent).max()) > 10)
        #expect(measurement.reason(for: .groupPeakBytes) != nil)
    }

    @Test func countsTheProcessesBytesAndMemory() throws {
        try Fixture.withFolder { folder in
            let (count, measurement) = try Gauge.measure { () throws -> Int in
                let bytes = [UInt8](repeating: 3, count: 32 << 20)
                try OutputFile.write(bytes, to: "\(folder)/out")
                return try Fixture.bytes("\(folder)/out").count
            }
            #expect(count == 32 << 20)
            // Bytes of other tests count as well.
            let transfer = try #require(measurement.transfer)
            #expect(transfer.bytesRead >= 32 << 20 && transfer.bytesWritten >= 32 << 20)
            #expect(try #require(measurement.peakMemoryBytes) >= 64 << 20)
            #expect(measurement.minorFaults > 0)
        }
    }

    /// An earlier peak does not count if the kernel allows resetting it.
    @Test func forgetsAnEarlierPeak() throws {
        let size = 512 << 20
        let first = Gauge.measure { [UInt8](repeating: 1, count: size).reduce(0) { $0 &+ Int($1) } }
        #expect(first.output == size)
        let peak = try #require(first.measurement.peakMemoryBytes)
        #expect(peak >= size)
        let second = Gauge.measure { Self.work(0.01) }.measurement
        guard second.reason(for: .peakMemoryBytes) == nil else { return }
        #expect(try #require(second.peakMemoryBytes) < peak)
    }

    @Test func nestsAndSaysWhosePeakItIs() {
        let (inner, outer) = Gauge.measure { Gauge.measure { Self.work(0.01) }.measurement }
        #expect(inner.reason(for: .peakMemoryBytes) == "other work was measured at the same time and shares the peak")
        #expect(outer.wallMilliseconds >= inner.wallMilliseconds)
    }

    @Test func throwsOnWhatTheWorkThrows() async {
        #expect(throws: Failure.self) { try Gauge.measure { () throws(Failure) in throw Failure() } }
        await #expect(throws: Failure.self) {
            try await Gauge.measure { () async throws(Failure) in
                await Task.yield()
                throw Failure()
            }
        }
        // The next measurement is not affected.
        let reason = Gauge.measure {}.measurement.reason(for: .peakMemoryBytes)
        #expect(reason == nil || reason?.hasPrefix("the peak is that since process start") == true)
    }

    @Test func measuresWorkThatWaits() async throws {
        let (text, measurement) = await Gauge.measure { () async -> String in
            try? await Task.sleep(nanoseconds: 200_000_000)
            return "done"
        }
        #expect(text == "done")
        #expect(measurement.wallMilliseconds >= 200)
    }
}
