extension StringProtocol {
    /// Returns the text without the characters at both ends that `isSpace` accepts.
    package func trimmed(_ isSpace: (Character) -> Bool = \.isWhitespace) -> String {
        let start = drop(while: isSpace)
        return String(start.reversed().drop(while: isSpace).reversed())
    }
}
