internal import Tracing
internal import WayreelCore

/// Passes spans to exporters when they end.
///
/// The spans of a request with `traceparent` belong to its trace. They are not exported if that trace is not sampled.
struct ServiceTracer: Tracer {
    let exporters: [any SpanExporter]

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> ServiceSpan {
        var context = context()
        let parent = context.trace
        var own = TraceContext(traceID: parent?.traceID ?? TraceContext.randomID(32), spanID: TraceContext.randomID(16))
        own.isSampled = parent?.isSampled ?? true
        context.trace = own
        return ServiceSpan(
            operationName, kind, context, own, parent: parent?.spanID, start: instant().nanosecondsSinceEpoch,
            exporters: exporters)
    }

    /// Every span is passed on when it ends.
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
