/// The version of Wayreel.
public enum WayreelVersion {
    public static let text = "0.1.0"
}
