internal import WayreelCore

/// What the first of two passes finds out, in files of the encoder's that are removed with this object.
final class PassStatistics: Sendable {
    private let folder: TemporaryFolder

    /// `output`: where the result goes, beside which they are kept, or `-`. Throws an `io` error where there is no place for them.
    init(for output: String) throws(MediaError) {
        folder =
            output == "-"
            ? try TemporaryFolder(for: "what the first pass finds out", step: "encode")
            : try TemporaryFolder(beside: output)
    }

    private var path: String { "\(folder.path)/pass" }

    /// The options of an encoder for one of two passes; nil for an encoder that knows one only.
    func options(of rendition: RenditionPlan, pass: Int) -> [String: String]? {
        var options = rendition.options
        switch rendition.encoder {
        case "libx264": options["stats"] = path
        case "libx265":
            // A list of options, in which these characters stand between them.
            let escaped = path.map { "\\':=".contains($0) ? "\\\($0)" : "\($0)" }.joined()
            let own = options["x265-params"].map { $0 + ":" } ?? ""
            options["x265-params"] = own + "pass=\(pass):stats=\(escaped)"
        default: return nil
        }
        return options
    }
}
