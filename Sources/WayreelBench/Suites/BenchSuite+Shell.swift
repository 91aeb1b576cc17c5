extension BenchSuite {
    /// A command that runs shell lines with placeholders in single quotes.
    ///
    /// Their values are passed to the shell as arguments, because paths may contain quotes.
    package static func shell(_ lines: [String]) -> [String] {
        let names = ["{in}", "{out}", "{media}", "{made}"]
        let text = names.enumerated().reduce(lines.joined(separator: "\n")) { text, name in
            text.replacing(name.element, with: "'\"$\(name.offset + 1)\"'")
        }
        return ["sh", "-ec", text, "sh"] + names
    }
}
