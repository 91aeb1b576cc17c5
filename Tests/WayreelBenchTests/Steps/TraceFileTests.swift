import TestSupport
import Testing
import WayreelBench
import WayreelCore
import WayreelGauge

@Suite struct TraceFileTests {
    private func read(_ bytes: [UInt8]) throws -> [TraceSpan] {
        try Fixture.withFolder { folder in
            try OutputFile.write(bytes, to: "\(folder)/trace.json")
            return try TraceFile.read("\(folder)/trace.json")
        }
    }

    /// Times of a machine that has run for months, to the nanosecond resolution of a trace.
    @Test func readsWhatWasWritten() throws {
        let long = 9e9
        let spans = [
            TraceSpan(
                name: "decode \"x\"\n", thread: 12, threadName: "decode", startMilliseconds: long + 20.5,
                milliseconds: 1.25, cpuMilliseconds: 1.125, details: ["name": "ü.jpg"]),
            TraceSpan(
                name: "wait", category: "wait", thread: 11, threadName: "name", startMilliseconds: long,
                milliseconds: 100),
            TraceSpan(name: "again", thread: 12, threadName: "decode", startMilliseconds: long + 30, milliseconds: 0),
        ]
        let run = try StepRuns.run(cpu: 10, [(10, ["name": 5])])
        let found = try read(
            try ChromeTrace.encode([
                TraceProcess(
                    name: "wayreel", identifier: 7, spans: spans, samples: run.samples,
                    samplesStartMilliseconds: long - 10)
            ]))
        #expect(found.count == 3)
        for (found, span) in zip(found, spans) {
            #expect(abs(found.startMilliseconds - span.startMilliseconds) < 1e-5)
            #expect(abs(found.milliseconds - span.milliseconds) < 1e-5)
            #expect(found.cpuMilliseconds == span.cpuMilliseconds)
            #expect((found.name, found.category) == (span.name, span.category))
            #expect((found.thread, found.threadName) == (span.thread, span.threadName))
        }
        #expect(try read(try ChromeTrace.encode([])).isEmpty)
    }

    @Test(arguments: [
        ("{\"traceEvents\": [", "is not JSON"), ("\u{0}\u{1}", "is not JSON"),
        ("[]", "is not a --trace file"), ("3", "is not a --trace file"),
        ("{}", "is not a --trace file: traceEvents"),
        ("{\"kind\": \"wayreel-bench\", \"version\": 1}", "is not a --trace file: traceEvents"),
        ("{\"traceEvents\": []}", "is not a --trace file: originMilliseconds"),
        (
            "{\"originMilliseconds\": 1, \"traceEvents\": [{\"ph\": \"C\", \"name\": \"a\"}, {\"ph\": \"E\"}]}",
            "is not a --trace file: traceEvents[1].name"
        ),
        (
            "{\"originMilliseconds\": 1, \"traceEvents\": [{\"ph\":\"X\",\"name\":\"a\",\"tid\":1,\"ts\":0,\"dur\":-1}]}",
            "is not a --trace file: traceEvents[0].dur"
        ),
        (
            "{\"originMilliseconds\": 1, \"traceEvents\": [{\"ph\":\"X\",\"name\":\"a\",\"tid\":1,\"ts\":\"0\",\"dur\":1}]}",
            "is not a --trace file: traceEvents[0].ts"
        ),
    ])
    func refuses(text: String, reason: String) {
        let error = #expect(throws: MediaError.self) { try read(Array(text.utf8)) }
        #expect(error?.kind == .decoding && error?.step == "bench" && error?.reason == reason)
        #expect(error?.subject?.hasSuffix("/trace.json") == true)
    }

    @Test func rejectsUnreadableFiles() {
        let missing = #expect(throws: MediaError.self) { try TraceFile.read("/nowhere/trace.json") }
        #expect(missing?.kind == .io)
        let empty = #expect(throws: MediaError.self) { try read([]) }
        #expect(empty?.kind == .decoding && empty?.reason == "the file is empty")
    }
}
