extension MediaError {
    /// A step of a task, or another part of the work, in which errors occur. Each module has its own.
    ///
    /// The raw value is its name in messages, reports and JSON.
    public struct Step: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    /// A format of files in which errors occur. Each module has its own.
    ///
    /// The raw value is its name in messages, reports and JSON.
    public struct Format: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }
}

/// The steps of this module, and those that several modules without one below them share.
extension MediaError.Step {
    public static let read = MediaError.Step(rawValue: "read")
    public static let write = MediaError.Step(rawValue: "write")
    public static let decode = MediaError.Step(rawValue: "decode")
    public static let encode = MediaError.Step(rawValue: "encode")
    public static let filter = MediaError.Step(rawValue: "filter")
    public static let overlay = MediaError.Step(rawValue: "overlay")
    public static let text = MediaError.Step(rawValue: "text")
    public static let story = MediaError.Step(rawValue: "story")
    public static let plan = MediaError.Step(rawValue: "plan")
    public static let open = MediaError.Step(rawValue: "open")
    public static let start = MediaError.Step(rawValue: "start")
    public static let work = MediaError.Step(rawValue: "work")
    public static let screen = MediaError.Step(rawValue: "screen")
    public static let measure = MediaError.Step(rawValue: "measure")
    public static let memory = MediaError.Step(rawValue: "memory")
    public static let crop = MediaError.Step(rawValue: "crop")
    public static let iterate = MediaError.Step(rawValue: "iterate")
}

/// What the errors of one place have in common. It is called with the reason of each:
///
///     private static let fault = ErrorSite(step: .decode, format: .gif)
///     throw Self.fault("the file ends early")  // decode: GIF: the file ends early
package struct ErrorSite: Sendable {
    private let kind: MediaError.Kind
    private let step: MediaError.Step
    private let format: MediaError.Format?
    private let subject: String?
    private let advice: MediaError.Advice?
    private let words: (@Sendable (String) -> String)?

    /// `advice` is that of errors without their own. `words` turns what is given into the reason; without it, the name
    /// of the format precedes that.
    package init(
        _ kind: MediaError.Kind = .decoding, step: MediaError.Step, format: MediaError.Format? = nil,
        subject: String? = nil, advice: MediaError.Advice? = nil, words: (@Sendable (String) -> String)? = nil
    ) {
        self.kind = kind
        self.step = step
        self.format = format
        self.subject = subject
        self.advice = advice
        self.words = words
    }

    package func callAsFunction(
        _ reason: String, _ advice: MediaError.Advice? = nil, code: MediaError.Code? = nil
    ) -> MediaError {
        self(kind, code: code, reason, advice)
    }

    /// Returns an error of another kind.
    package func callAsFunction(
        _ kind: MediaError.Kind, code: MediaError.Code? = nil, _ reason: String, _ advice: MediaError.Advice? = nil
    ) -> MediaError {
        MediaError(
            kind, code: code, step: step, format: format, subject: subject,
            reason: words?(reason) ?? format.map { "\($0): \(reason)" } ?? reason, advice: advice ?? self.advice)
    }

    /// Returns the error of a file or of another value.
    package func callAsFunction(
        of subject: String, _ reason: String, _ advice: MediaError.Advice? = nil
    ) -> MediaError {
        var error = self(reason, advice)
        error.subject = subject
        return error
    }

    /// Returns the error of a system call on a file: `error` is an `errno`.
    package func callAsFunction(_ path: String, _ error: Int32) -> MediaError {
        MediaError(system: error, step: step, subject: path, advice: advice)
    }
}
