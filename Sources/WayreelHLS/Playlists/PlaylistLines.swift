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
