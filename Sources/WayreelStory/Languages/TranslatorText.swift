internal import WayreelCore

/// Values of fields as translators' files have them: rich text as CommonMark, a list as its items, one in each line.
enum TranslatorText {
    static func text(of value: Translation.Value) -> String {
        switch value {
        case .plain(let text): text
        case .rich(let text): text.commonMark
        case .list(let texts): texts.map(\.trimmedSpace).joined(separator: "\n")
        }
    }

    /// Returns a value of a kind; nil if the text has no words. `remark` is called with what is wrong with its markup.
    ///
    /// Throws an `io` error if libcmark is missing.
    static func value(
        _ text: String, _ kind: TranslatableField.Kind, remark: (RichText.Remark) -> Void = { _ in }
    ) throws(MediaError) -> Translation.Value? {
        let lines = text.split(separator: "\n").map { String($0).trimmedSpace }.filter { !$0.isEmpty }
        guard !lines.isEmpty else { return nil }
        switch kind {
        case .plain, .overlaid: return .plain(lines.joined(separator: "\n"))
        case .line, .file: return .plain(lines.joined(separator: " "))
        case .list: return .list(lines)
        case .rich: return .rich(try RichText.parse(commonMark: text, remark: remark))
        }
    }
}
