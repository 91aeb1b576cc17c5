/// One task of a plan: what is made, of what, for which places of the bundle, and what that is expected to cost.
public struct PlannedTask: Hashable, Sendable, Codable {
    /// The SHA-256 of everything that its outputs depend on: the content of its inputs, its parameters, the versions of Wayreel and of
    /// the libraries.
    public var key: String
    public var kind: Kind
    /// What runs. Its outputs are named in a folder of its own, and move to their content's address afterwards.
    public var work: BundleWork
    public var outputs: [Output]
    /// In which places of the bundle its outputs appear.
    public var uses: [Use]
    public var predicted: Prediction
    /// What the prediction is made from.
    var cost: CostModel.Work
    /// Whether the bundle holds its outputs already.
    public var isReused: Bool
    /// What the bundle holds of it, where it is reused; not written down with the plan.
    var finished: FinishedTask?

    private enum CodingKeys: String, CodingKey {
        case key, kind, work, outputs, uses, predicted, cost, isReused
    }

    /// The task as one that the bundle holds already.
    func reusing(_ finished: FinishedTask) -> PlannedTask {
        var task = self
        task.isReused = true
        task.finished = finished
        task.predicted = Prediction(seconds: 0, bytes: finished.bytes, memoryBytes: 0)
        return task
    }

    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case image, preview, audio, levels, video, stream, poster, copy
    }

    public struct Output: Hashable, Sendable, Codable {
        public var role: MediaRole
        /// The name within the task's folder; of HLS the folder.
        public var name: String
        /// The media type of IANA.
        public var type: String
        /// The file of a folder that is opened first.
        public var entry: String?

        init(_ role: MediaRole, _ name: String, type: String, entry: String? = nil) {
            self.role = role
            self.name = name
            self.type = type
            self.entry = entry
        }
    }

    /// One place of a bundle.
    public struct Use: Hashable, Sendable, Codable {
        /// The path in the story's folder.
        public var source: String
        /// The screen's name; nil where the file serves all of them.
        public var screen: String?
        /// The camera event whose treatment a preview or a file belongs to.
        public var event: String?
    }

    /// What a task is expected to cost.
    public struct Prediction: Hashable, Sendable, Codable {
        /// Processor time.
        public var seconds: Double
        /// Of all outputs.
        public var bytes: Int
        /// Peak memory.
        public var memoryBytes: Int
    }
}
