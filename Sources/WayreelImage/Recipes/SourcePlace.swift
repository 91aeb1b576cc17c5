package import WayreelCore

/// Where a value was written, so that an error about it can say so.
package struct SourcePlace: Hashable, Sendable {
    /// What is being read, as an error names it: `recipe`, `filter`, `overlay`.
    package var step: String
    /// The file; nil for a value of the command line or of a program.
    package var file: String?
    /// From 1; 0 where there is no file.
    package var line = 0
    package var column = 0
    /// Whether errors may quote what stands there.
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

    /// An error at this place. What it quotes may be as long as the file: a very long reason loses its middle. `quotes`: whether
    /// it tells anything of the file's content, apart from paths.
    package func fault(
        _ reason: String, _ advice: String? = nil, kind: MediaError.Kind = .parameter, quotes: Bool = true
    ) -> MediaError {
        guard isQuotable || !quotes || kind != .parameter else {
            return MediaError(
                kind, step: step, subject: subject, reason: "this is not what a recipe holds here",
                advice: "to see why, give the file itself with --recipe")
        }
        let short = reason.utf8.count > 800 ? "\(reason.prefix(300)) … \(reason.suffix(100))" : reason
        return MediaError(kind, step: step, subject: subject, reason: short, advice: advice)
    }

    /// An error that came up elsewhere, told as one of this place.
    package func fault(from error: MediaError) -> MediaError {
        let reason = [error.subject, error.reason].compactMap(\.self).joined(separator: ": ")
        return fault(reason, error.advice, kind: error.kind)
    }
}
