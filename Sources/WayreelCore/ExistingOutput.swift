/// What to do where an output is there already.
public enum ExistingOutput: String, Sendable, Codable, CaseIterable {
    case replace
    /// Leaves the task out; where only some of its outputs are there, it fails, and they stay.
    case skip
    case fail
}
