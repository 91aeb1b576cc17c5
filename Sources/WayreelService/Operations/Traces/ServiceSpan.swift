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
        let reason = (error as? Problem)?.title ?? (error as? MediaError)?.reason ?? "\(type(of: error))"
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
