internal import Tracing
internal import WayreelCore

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
