internal import WayreelCore

/// The statistics of the first of two passes, in files of the encoder that are removed with this object.
final class PassStatistics: Sendable {
    private let folder: TemporaryFolder

    /// Creates a folder beside `output`, or in the system's temporary folder for `-`. Throws an `io` error if it
    /// cannot be created.
    init(for output: String) throws(MediaError) {
        folder =
            output == "-"
            ? try TemporaryFolder(for: "the statistics of the first pass", step: "encode")
            : try TemporaryFolder(beside: output)
    }

    /// Returns the options of an encoder for one of two passes, or nil for an encoder without passes.
    func options(of rendition: RenditionPlan, pass: Int) -> [String: String]? {
        VideoEncoderInfo.named(rendition.encoder)?.options(
            rendition.options, pass: pass, statistics: "\(folder.path)/pass")
    }
}
