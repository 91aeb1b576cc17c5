/// The encodings that were changed so that the media of a bundle fit into a size.
public struct BudgetReport: Hashable, Sendable, Codable {
    /// A file whose encoding was changed.
    public struct Item: Hashable, Sendable, Codable {
        public var kind: PlannedTask.Kind
        /// The path in the story's folder.
        public var source: String
        /// The screen's name; nil where the file serves all of them.
        public var screen: String?
        /// `quality 82`, `CRF 23`, `128 kb/s`, `as it is`.
        public var from: String
        public var to: String
        public var bytesBefore: Int
        public var bytesAfter: Int
        /// SSIM of the luma against the image before encoding; for audio the noise-to-mask ratio on the same scale.
        public var similarityBefore: Double?
        public var similarityAfter: Double?
    }

    public var limitBytes: Int
    /// The size of all media in bytes at the requested qualities.
    public var bytesBefore: Int
    public var bytesAfter: Int
    /// The mean of all media whose encoding could be changed.
    public var similarityBefore: Double?
    public var similarityAfter: Double?
    /// The changed files in the order of the plan.
    public var items: [Item]
}
