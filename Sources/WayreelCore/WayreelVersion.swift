/// The version of Wayreel.
public enum WayreelVersion {
    public static let text = "0.1.0"

    /// A number that is increased if outputs change without a new version. It is part of the key of each result that is
    /// kept, so that results of another version are not mixed.
    package static let generation = 4
}
