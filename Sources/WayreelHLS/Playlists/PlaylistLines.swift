internal import WayreelCore

/// The lines of a playlist and their faults.
struct PlaylistLines {
    struct Fault: Hashable {
        /// The line number, from 1.
        var line: Int
        var reason: String
    }

    /// Tags as name and value, and URIs, without comments and empty lines.
    enum Line {
        case tag(String, Substring)
        case uri(String)
    }

    private(set) var lines: [(number: Int, line: Line)] = []
    private(set) var faults: [Fault] = []

    init(_ text: String) {
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            if number == 1 {
                if line != "#EXTM3U" { faults.append(Fault(line: 1, reason: "does not begin with #EXTM3U")) }
            } else if line.hasPrefix("#EXT") {
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                lines.append((number, .tag(String(line[..<colon].dropFirst()), line[colon...].dropFirst())))
            } else if !line.isEmpty, !line.hasPrefix("#") {
                lines.append((number, .uri(String(line))))
            }
        }
    }

    /// Whether these are the lines of a master playlist, which refers to playlists.
    var isMaster: Bool {
        lines.contains {
            guard case .tag(let name, _) = $0.line else { return false }
            return ["EXT-X-STREAM-INF", "EXT-X-I-FRAME-STREAM-INF", "EXT-X-MEDIA"].contains(name)
        }
    }
}

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

extension Double {
    /// Returns the number with `count` decimals, rounded to nearest.
    func decimals(_ count: Int) -> String {
        // Larger than any time or rate in a playlist.
        guard magnitude < 1e9 else { return String(self) }
        let factor = (0..<count).reduce(1) { factor, _ in factor * 10 }
        let units = Int((magnitude * Double(factor)).rounded())
        let digits = String(units % factor)
        let sign = self < 0 && units > 0 ? "-" : ""
        let whole = "\(sign)\(units / factor)"
        return count == 0 ? whole : whole + "." + String(repeating: "0", count: count - digits.count) + digits
    }
}
