import Glibc
import TestSupport
import Testing
import WayreelCore

@Suite struct TaskContextTests {
    /// Keeps the calling thread busy until it has used this much CPU time, in milliseconds.
    private static func work(_ milliseconds: Double) {
        let end = Clock.thread + milliseconds / 1000
        while Clock.thread < end {}
    }

    /// Runs `body` on a thread called `name`, and waits for its end.
    private static func run(_ name: String, _ body: @escaping @Sendable () -> Void) throws(MediaError) {
        try WorkThread(name, body).join()
    }

    // MARK: Bands

    /// Each row belongs to one band, and no more threads run than the task may use.
    @Test(arguments: [(threads: 1, rows: 900), (threads: 2, rows: 1), (threads: 3, rows: 0), (threads: 3, rows: 1001)])
    func bandsDivideTheRows(of task: (threads: Int, rows: Int)) throws {
        let seen = Monitor((rows: [Int](), threads: Set<UInt>()))
        try TaskContext(threads: task.threads).forEachBand(of: task.rows, pixelsPerRow: 1 << 10) { rows, _ in
            seen.update {
                $0.rows += rows
                $0.threads.insert(pthread_self())
            }
        }
        seen.withLock {
            #expect($0.rows.sorted() == Array(0..<task.rows))
            #expect($0.threads.count == (task.rows > 1000 ? task.threads : 1))
        }
    }

    @Test func bandsPassErrorsAndWarningsOn() throws {
        let task = TaskContext(threads: 4)
        let error = #expect(throws: MediaError.self) {
            try task.forEachBand(of: 1000, pixelsPerRow: 1000) { (rows, task) throws(MediaError) in
                task.warn(.filter, "from \(rows.lowerBound)")
                guard rows.lowerBound < 500 else {
                    throw MediaError(.decoding, step: .filter, reason: "row \(rows.lowerBound)")
                }
            }
        }
        #expect(error?.reason == "row 500")
        #expect(task.warnings.map(\.message) == ["from 0", "from 250", "from 500", "from 750"])
    }

    // MARK: CPU time

    /// The clocks of a thread and of the process do not run while it sleeps, regardless of other activity on the
    /// machine.
    @Test(arguments: [TaskCPU.Threads.own, .process])
    func measuresCPUTimeOfAStep(of threads: TaskCPU.Threads) throws {
        let task = TaskContext()
        try task.step(.work, on: threads) { Self.work(40) }
        let step = try #require(task.steps.first)
        #expect(step.name == "work" && step.cpuMilliseconds >= 40)
        #expect(threads == .process || step.cpuMilliseconds <= step.milliseconds + 1)
        #expect(task.cpuMilliseconds >= 40)
    }

    @Test func waitingTakesNoCPUTime() throws {
        let task = TaskContext()
        try task.step(.sleep) { _ = usleep(60_000) }
        try task.step(.work) { Self.work(20) }
        let steps = task.steps
        #expect(steps.map(\.name) == ["sleep", "work"])
        #expect(steps[0].milliseconds >= 60 && steps[0].cpuMilliseconds < 20)
        #expect(steps[1].cpuMilliseconds >= 20)
    }

    /// The time counts in the step in which the threads ended, and in no other.
    @Test func countsThreadsThatHelp() throws {
        let task = TaskContext()
        let body: @Sendable (TaskContext) -> Void = { child in
            Self.work(40)
            child.countThread()
        }
        try task.step(.helped) { () throws(MediaError) in
            for _ in 0..<2 {
                let child = task.child()
                try Self.run("decode") { body(child) }
            }
        }
        try task.step(.alone) {}
        try task.step(.notCounted) { () throws(MediaError) in try Self.run("decode") { Self.work(40) } }
        try task.step(.all, on: .process) { () throws(MediaError) in try Self.run("decode") { Self.work(40) } }
        let times = task.steps.map(\.cpuMilliseconds)
        #expect(times[0] >= 80 && times[1] < 40 && times[2] < 40 && times[3] >= 40)
        #expect(task.cpuMilliseconds >= 80)
    }

    /// A failed step is measured as well.
    @Test func measuresAFailedStep() {
        let task = TaskContext(recorder: TraceRecorder())
        let failure = MediaError(.decoding, step: .work, reason: "damaged")
        #expect(throws: failure) {
            try task.step(.work) { () throws(MediaError) in
                Self.work(10)
                throw failure
            }
        }
        #expect(task.steps.map(\.name) == ["work"] && task.steps[0].cpuMilliseconds >= 10)
        #expect(task.trace?.spans.map(\.name) == ["work"])
    }

    // MARK: Tracing

    /// Without tracing, a span only runs its body, with its result and errors, and records nothing.
    @Test func recordsNothingUnlessAsked() throws {
        #expect(!TraceRecorder.isWanted)
        let task = TaskContext()
        let child = task.child()
        var sum = 0
        for number in 0..<100_000 { sum += try task.span("add") { number } }
        #expect(sum == 4_999_950_000 && task.trace == nil && child.trace == nil && task.steps.isEmpty)
        let failure = MediaError(.limit, step: .work, reason: "too many")
        #expect(throws: failure) { try task.span("fail") { () throws(MediaError) in throw failure } }
    }

    @Test func recordsNestedSpans() throws {
        let before = Clock.wall * 1000
        let task = TaskContext(recorder: TraceRecorder())
        try task.step(.outer) { () throws(MediaError) in
            try task.span("inner") { Self.work(20) }
            _ = usleep(20_000)
        }
        let after = Clock.wall * 1000
        let trace = try #require(task.trace)
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

    /// Child contexts share one trace with the task; each thread is identified by its number and its name, of which 15
    /// bytes are kept.
    @Test func recordsThreadsByTheirNames() throws {
        let task = TaskContext(recorder: TraceRecorder())
        try task.span("start") {}
        let names = ["decode", "encode", "a thread with a long name"]
        for name in names {
            let child = task.child()
            try Self.run(name) { try? child.span("work on \(name)") { Self.work(5) } }
        }
        let spans = try #require(task.trace).spans
        #expect(spans.map(\.name) == ["start"] + names.map { "work on \($0)" })
        #expect(spans.dropFirst().map(\.threadName) == ["decode", "encode", "a thread with a"])
        #expect(spans.dropFirst().allSatisfy { $0.thread != spans[0].thread && ($0.cpuMilliseconds ?? 0) >= 5 })
    }

    /// Threads inherit the name of the thread that starts them.
    @Test func namesAreInherited() throws {
        let task = TaskContext(recorder: TraceRecorder())
        let child = task.child()
        try Self.run("encode") {
            try? ThreadName.inherited("codec") { () throws(MediaError) in
                let worker = Worker { try? child.span("inside") {} }
                worker.join()
            }
            try? task.span("outside") {}
        }
        #expect(task.trace?.spans.map(\.threadName) == ["codec", "encode"])
    }

    /// Spans from many concurrent threads are all kept; those beyond the limit are counted.
    @Test func keepsAndCountsSpans() throws {
        let task = TaskContext(recorder: TraceRecorder())
        let workers = (0..<4).map { _ in
            let child = task.child()
            return Worker { for _ in 0..<60_000 { try? child.span("part") {} } }
        }
        for worker in workers { worker.join() }
        let trace = try #require(task.trace)
        #expect(trace.spans.count == 200_000 && trace.lost == 40_000)
        #expect(Set(trace.spans.map(\.thread)).count <= 4)
    }
}

extension MediaError.Step {
    fileprivate static let sleep = MediaError.Step(rawValue: "sleep")
    fileprivate static let helped = MediaError.Step(rawValue: "helped")
    fileprivate static let alone = MediaError.Step(rawValue: "alone")
    fileprivate static let notCounted = MediaError.Step(rawValue: "not counted")
    fileprivate static let all = MediaError.Step(rawValue: "all")
    fileprivate static let outer = MediaError.Step(rawValue: "outer")
}
