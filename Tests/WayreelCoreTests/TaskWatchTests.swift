import Glibc
import TestSupport
import Testing
import WayreelCore

@Suite struct TaskWatchTests {
    /// Keeps the calling thread at work until it has had so much processor time, in milliseconds.
    private static func work(_ milliseconds: Double) {
        let end = Clock.thread + milliseconds / 1000
        while Clock.thread < end {}
    }

    /// Starts a thread called `name` that does `body`, and waits for its end.
    private static func run(_ name: String, _ body: @escaping @Sendable () -> Void) throws(MediaError) {
        try WorkThread(name, body).join()
    }

    // MARK: Processor time

    /// The clocks of a thread and of the process do not run while it sleeps, whatever else the machine does.
    @Test(arguments: [TaskWatch.StepThreads.own, .process])
    func measuresCPUTimeOfAStep(of threads: TaskWatch.StepThreads) throws {
        let watch = TaskWatch()
        try watch.step("work", on: threads) { Self.work(40) }
        let step = try #require(watch.steps.first)
        #expect(step.name == "work" && step.cpuMilliseconds >= 40)
        #expect(threads == .process || step.cpuMilliseconds <= step.milliseconds + 1)
        #expect(watch.cpuMilliseconds >= 40)
    }

    @Test func waitingTakesNoCPUTime() throws {
        let watch = TaskWatch()
        try watch.step("sleep") { _ = usleep(60_000) }
        try watch.step("work") { Self.work(20) }
        let steps = watch.steps
        #expect(steps.map(\.name) == ["sleep", "work"])
        #expect(steps[0].milliseconds >= 60 && steps[0].cpuMilliseconds < 20)
        #expect(steps[1].cpuMilliseconds >= 20)
    }

    /// In the step in which they have ended, and in no other.
    @Test func countsThreadsThatHelp() throws {
        let watch = TaskWatch()
        let body: @Sendable (TaskWatch) -> Void = { companion in
            Self.work(40)
            companion.countHelper()
        }
        try watch.step("helped") { () throws(MediaError) in
            for _ in 0..<2 {
                let companion = watch.companion()
                try Self.run("decode") { body(companion) }
            }
        }
        try watch.step("alone") {}
        try watch.step("not counted") { () throws(MediaError) in try Self.run("decode") { Self.work(40) } }
        try watch.step("all", on: .process) { () throws(MediaError) in try Self.run("decode") { Self.work(40) } }
        let times = watch.steps.map(\.cpuMilliseconds)
        #expect(times[0] >= 80 && times[1] < 40 && times[2] < 40 && times[3] >= 40)
        #expect(watch.cpuMilliseconds >= 80)
    }

    /// Of a step that fails too.
    @Test func measuresAFailedStep() {
        let watch = TaskWatch(recorder: TraceRecorder())
        let failure = MediaError(.decoding, step: "work", reason: "damaged")
        #expect(throws: failure) {
            try watch.step("work") { () throws(MediaError) in
                Self.work(10)
                throw failure
            }
        }
        #expect(watch.steps.map(\.name) == ["work"] && watch.steps[0].cpuMilliseconds >= 10)
        #expect(watch.trace?.spans.map(\.name) == ["work"])
    }

    // MARK: Tracing

    /// A span is its body then: what it returns and throws, and nothing is kept of it.
    @Test func recordsNothingUnlessAsked() throws {
        #expect(!TraceRecorder.isWanted)
        let watch = TaskWatch()
        let companion = watch.companion()
        var sum = 0
        for number in 0..<100_000 { sum += try watch.span("add") { number } }
        #expect(sum == 4_999_950_000 && watch.trace == nil && companion.trace == nil && watch.steps.isEmpty)
        let failure = MediaError(.limit, step: "span", reason: "too many")
        #expect(throws: failure) { try watch.span("fail") { () throws(MediaError) in throw failure } }
    }

    @Test func recordsNestedSpans() throws {
        let before = Clock.wall * 1000
        let watch = TaskWatch(recorder: TraceRecorder())
        try watch.step("outer") { () throws(MediaError) in
            try watch.span("inner") { Self.work(20) }
            _ = usleep(20_000)
        }
        let after = Clock.wall * 1000
        let trace = try #require(watch.trace)
        #expect(trace.process == Int(getpid()) && trace.lost == 0)
        // In the order in which they ended.
        #expect(trace.spans.map(\.name) == ["inner", "outer"])
        let (inner, outer) = (trace.spans[0], trace.spans[1])
        #expect(inner.thread == outer.thread && inner.threadName == outer.threadName && inner.category == "step")
        #expect(outer.startMilliseconds >= before && outer.startMilliseconds <= inner.startMilliseconds)
        #expect(inner.startMilliseconds + inner.milliseconds <= outer.startMilliseconds + outer.milliseconds + 1e-3)
        #expect(outer.startMilliseconds + outer.milliseconds <= after)
        let (innerCPU, outerCPU) = try (#require(inner.cpuMilliseconds), #require(outer.cpuMilliseconds))
        #expect(innerCPU >= 20 && outerCPU >= innerCPU && outerCPU - innerCPU < 20 && inner.milliseconds >= 20)
    }

    /// Companions have one trace with the watch; each thread is known by its number and its name, of which 15 bytes are kept.
    @Test func recordsThreadsByTheirNames() throws {
        let watch = TaskWatch(recorder: TraceRecorder())
        try watch.span("start") {}
        let names = ["decode", "encode", "a thread with a long name"]
        for name in names {
            let companion = watch.companion()
            try Self.run(name) { try? companion.span("work on \(name)") { Self.work(5) } }
        }
        let spans = try #require(watch.trace).spans
        #expect(spans.map(\.name) == ["start"] + names.map { "work on \($0)" })
        #expect(spans.dropFirst().map(\.threadName) == ["decode", "encode", "a thread with a"])
        #expect(spans.dropFirst().allSatisfy { $0.thread != spans[0].thread && ($0.cpuMilliseconds ?? 0) >= 5 })
    }

    /// Threads that threads start inherit a name.
    @Test func namesAreInherited() throws {
        let watch = TaskWatch(recorder: TraceRecorder())
        let companion = watch.companion()
        try Self.run("encode") {
            try? ThreadName.inherited("codec") { () throws(MediaError) in
                let worker = Worker { try? companion.span("inside") {} }
                worker.join()
            }
            try? watch.span("outside") {}
        }
        #expect(watch.trace?.spans.map(\.threadName) == ["codec", "encode"])
    }

    /// From many threads at once nothing is lost; beyond the limit it is counted.
    @Test func keepsAndCountsSpans() throws {
        let watch = TaskWatch(recorder: TraceRecorder())
        let workers = (0..<4).map { _ in
            let companion = watch.companion()
            return Worker { for _ in 0..<60_000 { try? companion.span("part") {} } }
        }
        for worker in workers { worker.join() }
        let trace = try #require(watch.trace)
        #expect(trace.spans.count == 200_000 && trace.lost == 40_000)
        #expect(Set(trace.spans.map(\.thread)).count <= 4)
    }
}
