/// The action to take if an output already exists.
public enum ExistingOutput: String, Sendable, Codable, CaseIterable {
    case replace
    /// Skips the task. If only some of its outputs exist, the task fails and keeps them.
    case skip
    /// Fails the task. Outputs are checked before its work and, as they are published, again: if one exists by then,
    /// those already published are removed.
    case fail
}
