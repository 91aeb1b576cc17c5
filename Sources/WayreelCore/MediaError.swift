/// What went wrong, in one line: where, why, and what to do about it.
///
/// Kinds are sorted by whose fault it is, so that a server can answer with the right status:
/// the media's (`decoding`, `limit`, `unsupported`), the caller's (`parameter`), the machine's (`io`), or ours (`encoding`).
public struct MediaError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// The media is damaged or not what it says it is.
        case decoding
        /// The picture cannot be written in the format asked for.
        case encoding
        /// An argument, an option or a recipe is wrong.
        case parameter
        /// A limit was reached: pixels, bytes, time, frames.
        case limit
        /// The media is sound, but Wayreel or this build of a library cannot handle it.
        case unsupported
        /// The file system or a pipe refused.
        case io
        /// The caller cancelled the work.
        case cancelled
    }

    public var kind: Kind
    /// The pipeline step that failed: `read`, `decode`, `filter`, …
    public var step: String
    /// The file, URL or value that the step was given, where there is one.
    public var subject: String?
    /// Why, without a full stop.
    public var reason: String {
        get { OptionNames.localized(writtenReason) }
        set { writtenReason = newValue }
    }
    /// What to do about it, without a full stop.
    public var advice: String? {
        get { writtenAdvice.map(OptionNames.localized) }
        set { writtenAdvice = newValue }
    }

    private var writtenReason: String
    private var writtenAdvice: String?

    public init(_ kind: Kind, step: String, subject: String? = nil, reason: String, advice: String? = nil) {
        self.kind = kind
        self.step = step
        self.subject = subject
        writtenReason = reason
        writtenAdvice = advice
    }

    private enum CodingKeys: String, CodingKey {
        case kind, step, subject
        case writtenReason = "reason"
        case writtenAdvice = "advice"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(step, forKey: .step)
        try container.encodeIfPresent(subject, forKey: .subject)
        try container.encode(reason, forKey: .writtenReason)
        try container.encodeIfPresent(advice, forKey: .writtenAdvice)
    }

    /// The same error, naming `subject` where none was named yet.
    public func naming(_ subject: String) -> MediaError {
        var named = self
        named.subject = self.subject ?? subject
        return named
    }

    /// `photo.jpg: decode: the file is empty; send the whole file`, on one line and free of control characters.
    public var description: String {
        let line = [subject, step, reason].compactMap(\.self).joined(separator: ": ")
        return (line + (advice.map { "; " + $0 } ?? "")).onOneLine
    }
}

/// Something the caller should know about a task that was done all the same.
public struct MediaWarning: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The pipeline step that noticed.
    public var step: String
    public var message: String

    public init(step: String, _ message: String) {
        self.step = step
        self.message = OptionNames.localized(message)
    }

    /// `decode: the last 3 % of the rows are missing`, on one line.
    public var description: String { "\(step): \(message)".onOneLine }
}

extension String {
    /// The text with every control character written as an escape, so that it stays on one line of a log or terminal.
    package var onOneLine: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { line, scalar in
            if scalar.isControl {
                line += scalar.escaped(asASCII: true)
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    private static var controls: ClosedRange<UInt32> { 0x7F...0x9F }
    fileprivate var isControl: Bool { value < 0x20 || Self.controls.contains(value) }
}
