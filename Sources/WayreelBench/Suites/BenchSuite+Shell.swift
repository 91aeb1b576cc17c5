extension BenchSuite {
    /// A command that runs lines of a shell, in which names in braces stand between single quotes.
    ///
    /// What they stand for is handed to the shell apart from the lines: a path may hold quotes.
    package static func shell(_ lines: [String]) -> [String] {
        let names = ["{in}", "{out}", "{media}", "{made}"]
        let text = names.enumerated().reduce(lines.joined(separator: "\n")) { text, name in
            text.replacing(name.element, with: "'\"$\(name.offset + 1)\"'")
        }
        return ["sh", "-ec", text, "sh"] + names
    }
}
