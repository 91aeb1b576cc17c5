/// What was given up so that the media of a bundle fit into a size.
public struct BudgetReport: Hashable, Sendable, Codable {
    public var limitBytes: Int
}
