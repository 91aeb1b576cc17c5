/// An error in one line: its place, its reason, and advice.
///
/// The kind indicates who can fix the error, so that a server can choose a status: the media (`decoding`, `limit`,
/// `unsupported`), the caller (`parameter`), the machine (`io`) or Wayreel (`encoding`).
public struct MediaError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// The media is damaged or does not match its declared format.
        case decoding
        /// The image cannot be encoded in the requested format.
        case encoding
        /// An argument, an option or a recipe is wrong.
        case parameter
        /// A limit was exceeded: pixels, bytes, time or frames.
        case limit
        /// The media is valid, but Wayreel or its libraries cannot process it.
        case unsupported
        /// The file system or a pipe failed.
        case io
        /// The caller cancelled the work.
        case cancelled
    }

    public var kind: Kind
    /// The cause, for programs that act on it. Codes are stable across versions.
    public var code: Code
    /// The pipeline step that failed: `read`, `decode`, `filter`, …
    public var step: Step
    /// The format that is damaged or cannot be processed, as the reason calls it, if the step is about one.
    public var format: Format?
    /// The file, URL or value that the step was processing, if any.
    public var subject: String?
    /// The reason, without a full stop.
    public var reason: String
    /// Advice on how to fix the error.
    public var advice: Advice?

    /// A nil `code` means the general code of the kind.
    public init(
        _ kind: Kind, code: Code? = nil, step: Step, format: Format? = nil, subject: String? = nil, reason: String,
        advice: Advice? = nil
    ) {
        self.kind = kind
        self.code = code ?? Code(kind)
        self.step = step
        self.format = format
        self.subject = subject
        self.reason = reason
        self.advice = advice
    }

    /// The error of a step that the caller cancelled.
    package static func cancelled(step: Step) -> MediaError {
        MediaError(.cancelled, step: step, reason: "cancelled")
    }

    /// Returns the same error with `subject`, unless it already has one.
    public func naming(_ subject: String) -> MediaError {
        var named = self
        named.subject = self.subject ?? subject
        return named
    }

    /// Returns the same error without its subject, if that is `subject`.
    package func forgetting(_ subject: String) -> MediaError {
        var unnamed = self
        if self.subject == subject { unnamed.subject = nil }
        return unnamed
    }

    /// Returns the same error with `advice` if it is about damaged media and has none.
    package func advising(_ advice: Advice) -> MediaError {
        guard kind == .decoding, self.advice == nil else { return self }
        var advised = self
        advised.advice = advice
        return advised
    }

    /// `photo.jpg: decode: the file is empty; send the whole file`, on one line and without control characters.
    public var description: String {
        let line = [subject, step.rawValue, reason].compactMap(\.self).joined(separator: ": ")
        return (line + (advice.map { "; \($0)" } ?? "")).onOneLine
    }

    /// Returns the same error with its advice as plain text, in the names that an interface uses for options.
    package func naming(options name: (OptionName) -> String) -> MediaError {
        var named = self
        named.advice = advice.map { Advice($0.text(naming: name)) }
        return named
    }

    /// The cause of an error: a specific one that programs can distinguish, or the general one of the error's kind.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        case decoding, encoding, parameter, limit, unsupported, io, cancelled

        /// More of the media is missing or damaged than is tolerated, or a database is damaged.
        case damaged
        /// A library crashed on the media; it ran in a separate process.
        case crashed
        /// No quality setting reaches the requested file size.
        case sizeUnreachable
        /// A ``TranscodePlan`` does not match the input or the options, or copies what turns out to be damaged.
        case planOutdated
        /// The image, a frame or the output has more pixels than allowed.
        case tooManyPixels
        /// The input has more bytes than allowed.
        case tooManyBytes
        /// The file holds more frames than allowed.
        case tooManyFrames
        /// The audio or video is longer than allowed.
        case tooLong
        /// The task took longer than allowed.
        case timedOut
        /// A library stopped responding; it ran in a separate process.
        case hung
        /// The task needs more memory than allowed.
        case outOfMemory
        /// The format of the file is unknown.
        case unknownFormat
        /// The file has no video.
        case noVideo
        /// The file has no audio.
        case noAudio
        /// The output exists and must not be replaced.
        case outputExists
        /// The file does not exist.
        case notFound
        /// The disk, or the quota on it, is full.
        case diskFull
        /// The disk is read-only or fails.
        case diskFailed

        /// The general code of a kind, which has the same name.
        init(_ kind: Kind) { self = Code(rawValue: kind.rawValue)! }
    }

    /// The error of a file whose format has a later version than this Wayreel reads.
    package static func version(
        _ found: Int, known: Int, step: Step, subject: String? = nil
    ) -> MediaError {
        MediaError(
            .unsupported, step: step, subject: subject, reason: "has version \(found); this Wayreel knows \(known)",
            advice: "use a newer Wayreel")
    }
}

/// A problem that did not stop the task.
public struct MediaWarning: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The pipeline step that reported it.
    public var step: MediaError.Step
    public var message: String
    /// Advice on how to fix the problem.
    public var advice: MediaError.Advice?

    public init(step: MediaError.Step, _ message: String, advice: MediaError.Advice? = nil) {
        self.step = step
        self.message = message
        self.advice = advice
    }

    /// `decode: the last 3 % of the rows are missing`, on one line.
    public var description: String { "\(step): \(message)\(advice.map { "; \($0)" } ?? "")".onOneLine }

    /// Returns the same warning with its advice as plain text, in the names that an interface uses for options.
    package func naming(options name: (OptionName) -> String) -> MediaWarning {
        MediaWarning(step: step, message, advice: advice.map { MediaError.Advice($0.text(naming: name)) })
    }
}

extension String {
    /// The text as messages quote it: on one line of a log or terminal. Control characters are escaped, and those that
    /// turn the direction of all that follows.
    package var onOneLine: String { escaped { $0.isControl || $0.turnsDirection } }

    /// Each of the text's lines ``onOneLine``.
    package var onItsLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).onOneLine }.joined(separator: "\n")
    }

    /// The text on one line of an image, in which direction turns nothing beside it: only control characters are escaped.
    package var onOneDrawnLine: String { escaped(\.isControl) }

    private func escaped(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isEscaped) else { return self }
        return unicodeScalars.reduce(into: "") { line, scalar in
            if isEscaped(scalar) {
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

    /// Whether it is a line or paragraph separator, an embedding, an override or an isolate (UAX 9, section 2). Marks of
    /// a direction (U+200E, U+200F, U+061C) turn nothing but the punctuation beside them.
    fileprivate var turnsDirection: Bool {
        switch value {
        case 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// The amount of damage that is accepted in an input.
public enum DamageTolerance: String, Sendable, Codable, CaseIterable {
    /// Accepts whatever the decoder returns.
    case none
    /// Accepts up to ``acceptedShare`` of missing data and reports it as a warning.
    case standard = "missing"
    /// Rejects any damage.
    case warning

    /// The default max share of an image's area, or of an audio file's duration, that may be missing.
    public static let acceptedShare = 0.25
}
