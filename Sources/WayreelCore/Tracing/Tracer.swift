/// Records the spans of one thread of a task.
///
/// It is a class because spans nest: the closure of a span records inner spans on the same object.
final class Tracer {
    let recorder: TraceRecorder
    private lazy var thread = TracedThread()

    init(_ recorder: TraceRecorder) { self.recorder = recorder }

    func record<Result>(_ name: String, _ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        let thread = self.thread
        let (begin, beginCPU) = (Clock.wall, Clock.thread)
        defer { recorder.add(thread.span(name, from: begin, cpuFrom: beginCPU)) }
        return try body()
    }
}
