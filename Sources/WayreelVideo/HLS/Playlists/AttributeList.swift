/// The attributes of a playlist tag: `BANDWIDTH=128000,CODECS="avc1.640028"` (RFC 8216, section 4.2).
struct AttributeList {
    private var values: [(name: String, text: String, isQuoted: Bool)] = []

    init() {}

    /// The maximum number of attributes, far more than any tag has.
    private static let maxCount = 100

    /// Parses an attribute list. Returns nil if the text is not a list or contains an attribute twice.
    init?(_ text: Substring) {
        var rest = text
        while !rest.isEmpty {
            guard values.count < Self.maxCount else { return nil }
            guard let equals = rest.firstIndex(of: "=") else { return nil }
            let name = rest[..<equals].drop { $0 == " " }
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte), self[String(name)] == nil else { return nil }
            rest = rest[rest.index(after: equals)...]
            if rest.first == "\"" {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "\"") else { return nil }
                values.append((String(name), String(rest[..<end]), true))
                rest = rest[rest.index(after: end)...]
            } else {
                let value = rest.prefix { $0 != "," }
                guard !value.isEmpty, !value.contains("\"") else { return nil }
                values.append((String(name), String(value), false))
                rest = rest.dropFirst(value.count)
            }
            guard rest.isEmpty || rest.first == "," else { return nil }
            rest = rest.dropFirst()
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
    }

    /// The text of an attribute, without its quotes.
    subscript(_ name: String) -> String? { values.first { $0.name == name }?.text }

    /// The text of an attribute that must not be quoted; nil if it is.
    func plain(_ name: String) -> String? { values.first { $0.name == name && !$0.isQuoted }?.text }

    mutating func add(_ name: String, _ value: String?) {
        if let value { values.append((name, value, false)) }
    }

    /// Adds a quoted attribute without quotes and line breaks, which a quoted string cannot contain.
    mutating func add(_ name: String, quoted value: String?) {
        if let value { values.append((name, value.filter { !$0.isNewline && $0 != "\"" }, true)) }
    }

    var description: String {
        values.map { $0.isQuoted ? "\($0.name)=\"\($0.text)\"" : "\($0.name)=\($0.text)" }.joined(separator: ",")
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
