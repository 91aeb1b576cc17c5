/// Splits received bytes into lines.
struct LineBuffer {
    /// Bytes that do not form a complete line yet, after those of the lines that were taken.
    private var bytes: [UInt8] = []
    private var start = 0
    /// The position up to which there is no line feed.
    private var searched = 0

    mutating func append(_ received: some Collection<UInt8>) {
        bytes.removeSubrange(..<start)
        (searched, start) = (searched - start, 0)
        bytes += received
    }

    /// Takes the next line without its line feed; nil until one is complete.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return nil
        }
        defer { (start, searched) = (end + 1, end + 1) }
        return bytes[start..<end]
    }
}
