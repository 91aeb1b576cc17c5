/// A byte range of a file: `n[@o]`.
struct ByteRange: Hashable {
    var count: Int
    /// The offset; nil if the range follows the previous one.
    var offset: Int?

    init(count: Int, offset: Int?) {
        self.count = count
        self.offset = offset
    }

    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let count = Self.number(parts[0]), count > 0 else { return nil }
        self.count = count
        if parts.count == 2 {
            guard let offset = Self.number(parts[1]) else { return nil }
            self.offset = offset
        }
    }

    /// The largest accepted number. Sums of a few of these do not overflow.
    static let max = (1 << 53) - 1

    /// Parses a number of digits only, at most ``max``. Returns nil for anything else.
    static func number(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(String(text)).flatMap { $0 <= max ? $0 : nil }
    }

    var description: String { "\(count)" + (offset.map { "@\($0)" } ?? "") }
}
