internal import WayreelCore

/// What the names in braces stand for in a run.
package struct Places {
    var input: String
    var output: String
    var media: String
    /// The command itself.
    var wayreel: String
    /// What stands for `{program}`.
    var program = ""
    /// Where an input is made.
    var made = ""

    package init(input: String, output: String, media: String, wayreel: String) {
        (self.input, self.output, self.media, self.wayreel) = (input, output, media, wayreel)
    }

    /// The words with what their names stand for.
    package func fill(_ words: [String]) -> [String] {
        words.flatMap { word in
            word == "{in*}"
                ? OutputFolder.entries(of: input).sorted().map { "\(input)/\($0)" } : [fill(word)]
        }
    }

    private func fill(_ word: String) -> String {
        let values = [
            ("{in}", input), ("{out}", output), ("{media}", media), ("{wayreel}", wayreel), ("{program}", program),
            ("{made}", made),
        ]
        var result = ""
        var rest = word[...]
        while let brace = rest.firstIndex(of: "{") {
            result += rest[..<brace]
            rest = rest[brace...]
            // What a name stands for may hold braces too, and is left as it is.
            if let (name, value) = values.first(where: { rest.hasPrefix($0.0) }) {
                result += value
                rest = rest.dropFirst(name.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }
}
