package import WayreelCore

extension OutputFile {
    /// Throws a `parameter` error if the output is one of the inputs; `-` is none.
    package static func check(
        _ output: String, isNoneOf inputs: [String], namesInput: Bool = false
    ) throws(MediaError) {
        guard output != "-", let same = inputs.first(where: { $0 != "-" && isSame($0, output) }) else { return }
        throw MediaError(
            .parameter, step: "write", subject: output, reason: "is the input" + (namesInput ? " '\(same)'" : ""),
            advice: "give another path")
    }
}
