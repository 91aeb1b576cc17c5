/// The action to take if an output already exists.
public enum ExistingOutput: String, Sendable, Codable, CaseIterable {
    case replace
    /// Skips the task. If only some of its outputs exist, the task fails and keeps them.
    case skip
    case fail
}
