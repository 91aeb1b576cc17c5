/// One task of a plan: its input and outputs, their uses in the bundle, and its expected cost.
public struct PlannedTask: Hashable, Sendable, Codable {
    /// The SHA-256 of everything that the outputs depend on: the content of the inputs, the parameters, and the
    /// versions of Wayreel and of the libraries.
    public var key: String
    public var kind: Kind
    /// The work to run. It writes its outputs to a folder of its own; they then move to the addresses of their content.
    public var work: BundleWork
    public var outputs: [Output]
    /// The uses of its outputs in the bundle.
    public var uses: [Use]
    public var predicted: Prediction
    /// The amount of work, from which the cost is predicted.
    var cost: CostModel.Work
    /// Whether the bundle already holds the outputs.
    public var isReused: Bool
    /// The finished task in the bundle, if it is reused. It is not encoded with the plan.
    var finished: FinishedTask?

    private enum CodingKeys: String, CodingKey {
        case key, kind, work, outputs, uses, predicted, cost, isReused
    }

    /// Returns the task marked as reused.
    func reusing(_ finished: FinishedTask) -> PlannedTask {
        var task = self
        task.isReused = true
        task.finished = finished
        task.predicted = Prediction(seconds: 0, bytes: finished.bytes, memoryBytes: 0)
        return task
    }

    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case image, preview, audio, levels, video, stream, poster, captions, copy
    }

    public struct Output: Hashable, Sendable, Codable {
        public var role: MediaRole
        /// The name of the file within the task's folder; for HLS, of the folder.
        public var name: String
        /// The IANA media type.
        public var type: String
        /// If the output is a folder, the file in it to open first.
        public var entry: String?

        init(_ role: MediaRole, _ name: String, type: String, entry: String? = nil) {
            self.role = role
            self.name = name
            self.type = type
            self.entry = entry
        }
    }

    /// One use of a task's outputs in the bundle.
    public struct Use: Hashable, Sendable, Codable {
        /// The path of the source in the story's folder.
        public var source: String
        /// The screen's name; nil if the file serves all screens.
        public var screen: String?
        /// The camera event whose treatment the preview or file belongs to.
        public var event: String?
    }

    /// The expected cost of a task.
    public struct Prediction: Hashable, Sendable, Codable {
        /// The processor time.
        public var seconds: Double
        /// The size of all outputs.
        public var bytes: Int
        /// The peak memory.
        public var memoryBytes: Int
    }
}
