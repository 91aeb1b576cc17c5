package import WayreelCore

extension OutputFile {
    /// Returns whether two paths lead to the same file, or would if there were one: `out.jpg` and `./out.jpg`.
    static func isSamePlace(_ a: String, _ b: String) -> Bool {
        a == b || isSame(a, b) || a.fileName == b.fileName && isSame(a.folder, b.folder)
    }

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
