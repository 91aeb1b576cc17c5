internal import WayreelCore

/// What the names in braces stand for in a run.
struct Places {
    var input: String
    var output: String
    var media: String
    /// The command itself.
    var wayreel: String
    /// What stands for `{program}`.
    var program = ""
    /// Where an input is made.
    var made = ""

    /// The words with what their names stand for.
    func fill(_ words: [String]) -> [String] {
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
        return values.reduce(word) { text, value in text.replacing(value.0, with: value.1) }
    }
}

extension String {
    /// The text with `new` wherever `old` stands.
    fileprivate func replacing(_ old: String, with new: String) -> String {
        var result = ""
        var rest = self[...]
        while let place = rest.firstRange(of: old) {
            result += rest[..<place.lowerBound] + new
            rest = rest[place.upperBound...]
        }
        return result + rest
    }
}
