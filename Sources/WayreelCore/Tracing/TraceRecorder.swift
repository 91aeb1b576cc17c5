internal import CLinux
internal import Glibc
internal import Synchronization

/// Collects the spans of one task from all of its threads.
package final class TraceRecorder: Sendable {
    private static let wanted = Atomic<Bool>(false)

    /// Enables tracing for tasks that start from now on, in this process and its workers.
    package static func start() { wanted.store(true, ordering: .relaxed) }

    package static var isWanted: Bool { wanted.load(ordering: .relaxed) }

    private struct Kept {
        var spans: [TraceSpan] = []
        var lost = 0
    }

    private let kept = Mutex(Kept())

    /// Max number of spans, enough for some minutes of video frames; bounds the memory of a long task.
    private static let limit = 200_000

    package init() {}

    func add(_ span: TraceSpan) {
        kept.withLock { kept in
            if kept.spans.count < Self.limit { kept.spans.append(span) } else { kept.lost += 1 }
        }
    }

    var trace: TaskTrace { kept.withLock { TaskTrace(process: Int(getpid()), spans: $0.spans, lost: $0.lost) } }
}

/// Records the spans of one thread of a task.
///
/// It is a class because spans nest: the closure of a span records inner spans on the same object.
final class Tracer: Sendable {
    let recorder: TraceRecorder
    /// The thread that uses it, known at the first span.
    private let thread = Mutex<(number: Int, name: String)?>(nil)

    init(_ recorder: TraceRecorder) { self.recorder = recorder }

    func record<Result>(_ name: String, _ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        let thread = thread.withLock { thread in
            let known = thread ?? (Int(wr_thread_number()), ThreadName.current)
            thread = known
            return known
        }
        let (begin, beginCPU) = (Clock.wall, Clock.thread)
        defer {
            recorder.add(
                TraceSpan(
                    name: name, thread: thread.number, threadName: thread.name, startMilliseconds: begin * 1000,
                    milliseconds: (Clock.wall - begin) * 1000, cpuMilliseconds: (Clock.thread - beginCPU) * 1000))
        }
        return try body()
    }
}
