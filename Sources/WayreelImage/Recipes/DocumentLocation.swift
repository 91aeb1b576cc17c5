package import WayreelCore

/// The source location of a value, for errors.
package struct DocumentLocation: Hashable, Sendable {
    /// The kind of value being read: `recipe`, `filter`, `overlay`.
    package var step: String
    /// The file; nil for a value from a command line or program.
    package var file: String?
    /// Line number from 1; 0 without a file.
    package var line = 0
    package var column = 0
    /// Whether errors may quote the source.
    package var isQuotable = true

    package init(step: String, file: String? = nil, line: Int = 0, column: Int = 0, isQuotable: Bool = true) {
        self.step = step
        self.file = file
        self.line = line
        self.column = column
        self.isQuotable = isQuotable
    }

    /// `old-postcard.yml:7`.
    package var subject: String? { file.map { line > 0 ? "\($0):\(line)" : $0 } }

    /// Returns an error at this location. Quotes may be as long as the file: a very long reason is shortened in the
    /// middle. `quotes` is true if the reason quotes the file, apart from paths.
    package func fault(
        _ reason: String, _ advice: MediaError.Advice? = nil, kind: MediaError.Kind = .parameter, quotes: Bool = true
    ) -> MediaError {
        guard isQuotable || !quotes || kind != .parameter else {
            return MediaError(
                kind, step: step, subject: subject, reason: "invalid recipe content",
                advice: "for details, pass the file itself to \(.recipe)")
        }
        let short = reason.utf8.count > 800 ? "\(reason.prefix(300)) … \(reason.suffix(100))" : reason
        return MediaError(kind, step: step, subject: subject, reason: short, advice: advice)
    }

    /// Moves an error to this location.
    package func fault(from error: MediaError) -> MediaError {
        let reason = [error.subject, error.reason].compactMap(\.self).joined(separator: ": ")
        return fault(reason, error.advice, kind: error.kind)
    }
}
