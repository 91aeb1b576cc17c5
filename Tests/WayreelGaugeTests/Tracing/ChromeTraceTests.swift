import FoundationEssentials
import Testing
import WayreelBench
import WayreelCore

@Suite struct ChromeTraceTests {
    /// An event as read by a viewer, with the members that the format requires.
    struct Event: Decodable, Equatable {
        var ph: String
        var name: String
        var pid: Int
        var cat: String?
        var tid: Int?
        var ts: Double?
        var dur: Double?
        var tdur: Double?
        var args: [String: String]?
    }

    struct Trace: Decodable {
        var traceEvents: [Event]
        var displayTimeUnit: String
    }

    static func trace(_ processes: [TraceProcess]) throws -> Trace {
        try JSON.decode(Trace.self, Data(try ChromeTrace.encode(processes)))
    }

    @Test func writesSpansInMicrosecondsFromTheEarliest() throws {
        let process = TraceProcess(
            name: "wayreel", identifier: 7,
            spans: [
                TraceSpan(
                    name: "encode \"x\"\n", category: "step", thread: 12, threadName: "worker 1",
                    startMilliseconds: 5002.5, milliseconds: 1.25, cpuMilliseconds: 1, details: ["file": "a/ü.jpg"]),
                TraceSpan(
                    name: "wait", category: "wait", thread: 11, threadName: "main", startMilliseconds: 5000,
                    milliseconds: 0),
            ])
        let trace = try Self.trace([process])
        #expect(trace.displayTimeUnit == "ms")
        #expect(
            trace.traceEvents == [
                Event(ph: "M", name: "process_name", pid: 7, args: ["name": "wayreel"]),
                Event(ph: "M", name: "thread_name", pid: 7, tid: 11, args: ["name": "main"]),
                Event(ph: "M", name: "thread_name", pid: 7, tid: 12, args: ["name": "worker 1"]),
                Event(
                    ph: "X", name: "encode \"x\"\n", pid: 7, cat: "step", tid: 12, ts: 2500, dur: 1250, tdur: 1000,
                    args: ["file": "a/ü.jpg"]),
                Event(ph: "X", name: "wait", pid: 7, cat: "wait", tid: 11, ts: 0, dur: 0),
            ])
    }

    @Test func keepsNesting() throws {
        let outer = TraceSpan(
            name: "outer", thread: 1, threadName: "main", startMilliseconds: 0.0001, milliseconds: 1.00015)
        let inner = TraceSpan(
            name: "inner", thread: 1, threadName: "main", startMilliseconds: 0.00049, milliseconds: 0.99976)
        let spans = try Self.trace([TraceProcess(name: "", spans: [outer, inner])]).traceEvents.filter { $0.ph == "X" }
        let ends = try spans.map { try #require($0.ts) + #require($0.dur) }
        #expect(ends[1] <= ends[0] + 1e-9)
    }

    @Test func dropsEventsWithoutTime() throws {
        let spans = [Double.nan, .infinity, 1].map {
            TraceSpan(
                name: "x", thread: 1, threadName: "main", startMilliseconds: $0, milliseconds: 1,
                cpuMilliseconds: .nan)
        }
        let events = try Self.trace([TraceProcess(name: "", spans: spans)]).traceEvents.filter { $0.ph == "X" }
        #expect(events.count == 1 && events[0].ts == 0 && events[0].tdur == nil)
        #expect(try Self.trace([]).traceEvents.isEmpty)
    }
}
