/// A script as it is sent: a quarter of the player's scripts is comments, which no browser needs.
enum SentScript {
    private static let newline = UInt8(ascii: "\n")

    /// The text with empty lines in place of those that are nothing but comments, so that the others keep their
    /// numbers.
    ///
    /// Comments are lines that begin with `//`, and those from one that begins with `/*` to one that ends with `*/`.
    /// Whatever else holds these characters, such as a text with an address, is left as it is.
    static func withoutComments(_ text: [UInt8]) -> [UInt8] {
        var sent: [UInt8] = []
        sent.reserveCapacity(text.count)
        var isWithinComment = false
        for (index, line) in text.split(separator: newline, omittingEmptySubsequences: false).enumerated() {
            if index > 0 { sent.append(newline) }
            let words = line.drop { $0 == UInt8(ascii: " ") }
            let isBlock = isWithinComment || words.starts(with: "/*".utf8)
            let isEnd = words.suffix(2).elementsEqual("*/".utf8)
            if isBlock { isWithinComment = !isEnd } else if !words.starts(with: "//".utf8) { sent += line }
        }
        return sent
    }
}
