internal import WayreelCore

/// Values of placeholders in a run.
package struct Placeholders {
    var input: String
    var output: String
    var media: String
    /// Path of the command.
    var wayreel: String
    /// Value of `{program}`.
    var program = ""
    /// Path of a generated input.
    var made = ""

    package init(input: String, output: String, media: String, wayreel: String) {
        (self.input, self.output, self.media, self.wayreel) = (input, output, media, wayreel)
    }

    /// Replaces placeholders in `arguments`.
    package func fill(_ arguments: [String]) -> [String] {
        arguments.flatMap { argument in
            argument == "{in*}"
                ? Directory.entries(of: input).sorted().map { "\(input)/\($0)" } : [fill(argument)]
        }
    }

    private func fill(_ argument: String) -> String {
        let values = [
            ("{in}", input), ("{out}", output), ("{media}", media), ("{wayreel}", wayreel), ("{program}", program),
            ("{made}", made),
        ]
        var result = ""
        var rest = argument[...]
        while let brace = rest.firstIndex(of: "{") {
            result += rest[..<brace]
            rest = rest[brace...]
            // Values may contain braces, which are not expanded again.
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
