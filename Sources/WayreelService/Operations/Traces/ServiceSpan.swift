internal import Synchronization
internal import Tracing
internal import WayreelCore

/// A span that is exported when it ends.
final class ServiceSpan: Span {
    private struct State {
        var name: String
        var attributes: SpanAttributes = [:]
        var status: SpanStatus?
        var isEnded = false
    }

    let context: InstrumentationContext
    private let trace: TraceContext
    private let parent: String?
    private let kind: SpanKind
    private let start: UInt64
    private let exporters: [any SpanExporter]
    private let state: Mutex<State>

    init(
        _ name: String, _ kind: SpanKind, _ context: InstrumentationContext, _ trace: TraceContext, parent: String?,
        start: UInt64, exporters: [any SpanExporter]
    ) {
        (self.kind, self.context, self.trace, self.parent) = (kind, context, trace, parent)
        (self.start, self.exporters) = (start, exporters)
        state = Mutex(State(name: name))
    }

    var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    var isRecording: Bool { trace.isSampled && state.withLock { !$0.isEnded } }

    func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }
    func addEvent(_ event: SpanEvent) {}
    func addLink(_ link: SpanLink) {}

    /// Records the reason alone: in errors of the library it contains no path of the server.
    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        let reason =
            (error as? any ProblemConvertible)?.problem.title ?? (error as? MediaError)?.reason
            ?? "\(type(of: error))"
        state.withLock { $0.attributes["exception.message"] = reason }
    }

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        let ended: State? = state.withLock { state in
            defer { state.isEnded = true }
            return state.isEnded ? nil : state
        }
        guard trace.isSampled, let ended else { return }
        let text = text(of: ended, end: end)
        for exporter in exporters { exporter.export(text) }
    }

    // MARK: OTLP

    private static let kinds: [SpanKind: Int] = [.internal: 1, .server: 2, .client: 3, .producer: 4, .consumer: 5]

    private func text(of state: State, end: UInt64) -> String {
        var attributes: [String] = []
        state.attributes.forEach { key, value in
            // A query may hold a secret, as may ids in a path.
            var value = value
            if case .string(let path) = value, key == "url.path" { value = .string(ServiceLog.withoutIDs(path)) }
            if key != "url.query", let value = Self.text(value) {
                attributes.append(#"{"key":\#(key.jsonQuoted),"value":\#(value)}"#)
            }
        }
        var members = [
            #""traceId":"\#(trace.traceID)""#, #""spanId":"\#(trace.spanID)""#, #""name":\#(state.name.jsonQuoted)"#,
            #""kind":\#(Self.kinds[kind] ?? 0)"#, #""startTimeUnixNano":"\#(start)""#, #""endTimeUnixNano":"\#(end)""#,
            #""attributes":[\#(attributes.sorted().joined(separator: ","))]"#,
        ]
        if let parent { members.append(#""parentSpanId":"\#(parent)""#) }
        if let status = state.status { members.append(#""status":{"code":\#(status.code == .error ? 2 : 1)}"#) }
        return "{\(members.joined(separator: ","))}"
    }

    private static func text(_ value: SpanAttribute) -> String? {
        switch value {
        case .int32(let number): #"{"intValue":"\#(number)"}"#
        case .int64(let number): #"{"intValue":"\#(number)"}"#
        case .double(let number): number.isFinite ? #"{"doubleValue":\#(number)}"# : nil
        case .bool(let flag): #"{"boolValue":\#(flag)}"#
        case .string(let text): #"{"stringValue":\#(text.jsonQuoted)}"#
        case .stringConvertible(let value): #"{"stringValue":\#(value.description.jsonQuoted)}"#
        default: nil
        }
    }
}

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

/// The trace and span of a piece of work, as in `traceparent` (W3C Trace Context, level 1).
struct TraceContext: Hashable, Sendable {
    /// 32 hexadecimal digits in lower case, not all 0.
    var traceID: String
    /// 16 hexadecimal digits.
    var spanID: String
    var isSampled = true

    init(traceID: String, spanID: String) { (self.traceID, self.spanID) = (traceID, spanID) }

    /// Parses `00-{trace}-{span}-{flags}`; nil if it is malformed. Further parts of later versions are ignored.
    init?(traceparent: String) {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4, Self.isHexadecimal(parts[0], 2), parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            Self.isHexadecimal(parts[1], 32), Self.isHexadecimal(parts[2], 16), Self.isHexadecimal(parts[3], 2)
        else { return nil }
        guard parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }) else { return nil }
        (traceID, spanID) = (parts[1], parts[2])
        isSampled = (UInt8(parts[3], radix: 16) ?? 0) & 1 == 1
    }

    var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    private static func isHexadecimal(_ text: String, _ count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// A random number in `count` hexadecimal digits.
    static func randomID(_ count: Int) -> String {
        (0..<count / 16).map { _ in String(UInt64.random(in: 1 ... .max), paddedTo: 16, radix: 16) }.joined()
    }
}

private enum TraceContextKey: InstrumentationContextKey {
    typealias Value = TraceContext
}

extension InstrumentationContext {
    var trace: TraceContext? {
        get { self[TraceContextKey.self] }
        set { self[TraceContextKey.self] = newValue }
    }
}
