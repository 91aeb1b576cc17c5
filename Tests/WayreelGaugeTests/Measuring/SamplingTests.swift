import Glibc
import TestSupport
import Testing
import WayreelBench
import WayreelCore

@Suite struct SamplingTests {
    @Test func followsMemoryAndCPUTime() throws {
        let measurement = try Programs.measure(
            Programs.python(
                Programs.busy(0.5) + "held = b'x' * (64 << 20)\n" + Programs.busy(1.5)),
            until: { $0.samples.count >= 2 })
        let samples = measurement.samples
        #expect(samples.count >= 2)
        #expect(samples.map(\.milliseconds) == samples.map(\.milliseconds).sorted())
        let first = try #require(samples.first)
        // The last sample may see the process end.
        let largest = try #require(samples.max { $0.residentBytes < $1.residentBytes })
        #expect(first.residentBytes < 64 << 20 && largest.residentBytes >= 64 << 20)
        // The CPU times of the samples add up to that of the process until the last sample.
        var before = 0.0
        let sum = samples.reduce(0) { sum, sample in
            defer { before = sample.milliseconds }
            return sum + sample.cpuPercent / 100 * (sample.milliseconds - before)
        }
        #expect(sum <= measurement.cpuMilliseconds + 20)
        #expect(sum >= measurement.cpuMilliseconds * 0.5)
    }

    @Test func costsLittleOfALargeProcess() throws {
        // Less than 1 if nothing else disturbs the measurement.
        let measurement = try Programs.measure(Programs.holding(256, "import time\ntime.sleep(2)")) {
            $0.sampling.cpuPercent < 3
        }
        #expect(measurement.sampling.cpuPercent < 3)
        #expect(measurement.samples.count > 5)
    }

    @Test func countsThreadsByName() throws {
        // The threads stay for a while after their work: a disturbed, expensive reading postpones the next one.
        let script = """
            import ctypes, threading, time
            def work(name):
                ctypes.CDLL(None).prctl(15, name, 0, 0, 0)
                while time.thread_time() < 0.4: pass
                time.sleep(1.5)
            threads = [threading.Thread(target=work, args=[name]) for name in [b'left (a) 1', b'left (a) 1', b'right']]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            """
        func threads(_ measurement: Measurement) -> [String: Double] {
            measurement.samples.last { $0.threadMilliseconds != nil }?.threadMilliseconds ?? [:]
        }
        let measurement = try Programs.measure(Programs.python(script)) { threads($0)["left (a) 1"] ?? 0 >= 790 }
        let names = threads(measurement)
        // The kernel counts in hundredths of a second.
        #expect((790..<900).contains(try #require(names["left (a) 1"])))
        #expect((390..<450).contains(try #require(names["right"])))
        #expect(names.values.reduce(0, +) <= measurement.cpuMilliseconds + 20)
    }

    @Test func followsTheWholeTree() throws {
        let busy = "python3 -c '\(Programs.busy(0.7))'"
        let measurement = try Programs.measure(Programs.shell("\(busy) & (\(busy); true) & wait"))
        #expect(measurement.cpuMilliseconds >= 1400)
        #expect(try #require(measurement.samples.map(\.processes).max()) >= 4)
        let sampled = zip(measurement.samples, [0] + measurement.samples.map(\.milliseconds)).reduce(0) {
            $0 + $1.0.cpuPercent / 100 * ($1.0.milliseconds - $1.1)
        }
        #expect(sampled > 700)
    }

    @Test func samplesAtTheRequestedInterval() throws {
        let fine = try Programs.measure(["sleep", "1"]) { $0.intervalSeconds = 0.02 }
        let coarse = try Programs.measure(["sleep", "1"]) { $0.intervalSeconds = 0.4 }
        #expect(fine.samples.count > coarse.samples.count)
        #expect((1...3).contains(coarse.samples.count))
        #expect(try #require(coarse.samples.first).milliseconds >= 400)
    }

    @Test func reportsUnavailableFiguresWithoutKernelFiles() throws {
        let roots = SystemRoots(proc: "/none/proc", sys: "/none/sys")
        let measurement = try Gauge.run(Programs.holding(64, Programs.busy(0.2)), roots: roots)
        #expect(measurement.cpuMilliseconds >= 200)
        #expect(measurement.wallMilliseconds >= 200)
        #expect(try #require(measurement.peakMemoryBytes) >= 64 << 20)
        #expect(measurement.samples.isEmpty && measurement.transfer == nil)
        #expect(measurement.groupPeakBytes == nil && measurement.energyJoules == nil)
        for figure in [Unavailable.Figure.samples, .transfer, .groupPeakBytes, .energyJoules] {
            #expect(try #require(measurement.reason(for: figure)).hasSuffix("no such file or directory"))
        }
        #expect(
            measurement.unavailable.contains {
                $0.description == "energyJoules: not available: /none/sys/class/powercap: no such file or directory"
            })
    }

    @Test func spendsNoMoreThanItsBudget() {
        var budget = ReadingBudget(share: 0.01, unitCost: 0.001)
        var elapsed = 0.0
        for _ in 0..<1000 {
            elapsed += 0.05
            if budget.allows(3, after: elapsed) { budget.pay(0.006, for: 3) }
        }
        #expect(budget.spent <= 0.01 * elapsed + 0.006)
        #expect(budget.spent > 0.009 * elapsed)
        #expect(!ReadingBudget(share: 0.01, unitCost: 0.001).allows(3, after: 0.29))
    }
}
