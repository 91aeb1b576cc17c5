internal import WayreelCore

/// The statistics of the first of two passes, in files of the encoder that are removed with this object.
final class PassStatistics: Sendable {
    private let folder: TemporaryFolder

    /// The files are beside `output`, or in the system's temporary folder for `-`. Throws an `io` error where none can be made.
    init(for output: String) throws(MediaError) {
        folder =
            output == "-"
            ? try TemporaryFolder(for: "the statistics of the first pass", step: "encode")
            : try TemporaryFolder(beside: output)
    }

    /// The options of an encoder for one of two passes; nil for an encoder without passes.
    func options(of rendition: RenditionPlan, pass: Int) -> [String: String]? {
        VideoEncoderInfo.named(rendition.encoder)?.options(
            rendition.options, pass: pass, statistics: "\(folder.path)/pass")
    }
}
