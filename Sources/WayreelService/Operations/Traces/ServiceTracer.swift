internal import Glibc
internal import Tracing
internal import WayreelCore

/// Writes spans as lines of OTLP JSON to a file, which the OpenTelemetry collector's receiver `otlpjsonfile` reads.
///
/// The spans of a request with `traceparent` belong to its trace. They are not written if that trace is not sampled.
struct FileTracer: Tracer {
    private let descriptor: Int32

    /// Opens the file for appending. Throws an `io` error if it cannot be written.
    init(_ path: String) throws(MediaError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw MediaError(.io, step: "traces", subject: path, reason: systemReason(errno))
        }
    }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> FileSpan {
        var context = context()
        let parent = context.trace
        var own = TraceContext(traceID: parent?.traceID ?? TraceContext.randomID(32), spanID: TraceContext.randomID(16))
        own.isSampled = parent?.isSampled ?? true
        context.trace = own
        return FileSpan(
            operationName, kind, context, own, parent: parent?.spanID, start: instant().nanosecondsSinceEpoch,
            descriptor: descriptor)
    }

    /// Every span is written when it ends.
    func forceFlush() {}

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        context.trace = extractor.extract(key: "traceparent", from: carrier).flatMap(TraceContext.init(traceparent:))
    }

    func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let trace = context.trace else { return }
        injector.inject(trace.traceparent, forKey: "traceparent", into: &carrier)
    }
}
