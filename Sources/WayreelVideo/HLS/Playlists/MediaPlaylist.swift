internal import WayreelCore

/// A media playlist: the segments of one rendition in order (RFC 8216, section 4.3.3).
struct MediaPlaylist: Hashable {
    struct Segment: Hashable {
        var uri: String
        /// The duration in `EXTINF`.
        var seconds: Double
        var range: ByteRange?
        var initSegment: InitSegment?
        var key: Key?
        /// Whether the timestamps do not continue those of the previous segment.
        var isDiscontinuous = false
        /// The line in the playlist, from 1; 0 before it is written.
        var line = 0
    }

    /// The init segment: `EXT-X-MAP`.
    struct InitSegment: Hashable {
        var uri: String
        var range: ByteRange?
        /// The encryption of the init segment itself.
        var key: Key?
    }

    /// A key: `EXT-X-KEY`.
    struct Key: Hashable {
        /// The method, such as `AES-128`.
        var method: String
        var uri: String
        /// The IV, 16 bytes; nil if it is the number of the segment.
        var iv: [UInt8]?
    }

    var version: Int?
    var targetDuration: Int?
    /// The sequence number of the first segment.
    var mediaSequence = 0
    /// The playlist type, such as `VOD`.
    var type: String?
    var isIndependent = false
    var isIFramesOnly = false
    var isEnded = false
    var segments: [Segment] = []

    var seconds: Double { segments.reduce(0) { $0 + $1.seconds } }

    /// The lowest version of the format that has all features in use (RFC 8216, section 7).
    var neededVersion: Int {
        var version = 1
        for segment in segments {
            if segment.seconds != segment.seconds.rounded() { version = max(version, 3) }
            if segment.range != nil { version = max(version, 4) }
            if segment.key?.iv != nil { version = max(version, 2) }
            if segment.initSegment != nil { version = max(version, isIFramesOnly ? 5 : 6) }
        }
        return isIFramesOnly ? max(version, 4) : version
    }

    // MARK: Writing

    var text: String {
        var lines = ["#EXTM3U"]
        if let version { lines.append("#EXT-X-VERSION:\(version)") }
        if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
        if let targetDuration { lines.append("#EXT-X-TARGETDURATION:\(targetDuration)") }
        lines.append("#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)")
        if let type { lines.append("#EXT-X-PLAYLIST-TYPE:\(type)") }
        if isIFramesOnly { lines.append("#EXT-X-I-FRAMES-ONLY") }
        var initSegment: InitSegment?
        var key: Key?
        for segment in segments {
            if segment.isDiscontinuous { lines.append("#EXT-X-DISCONTINUITY") }
            // An init segment without a key must precede the first key.
            if let new = segment.initSegment, new != initSegment {
                var attributes = AttributeList()
                attributes.add("URI", quoted: new.uri)
                attributes.add("BYTERANGE", quoted: new.range?.description)
                lines.append("#EXT-X-MAP:\(attributes.description)")
                initSegment = new
            }
            if segment.key != key {
                lines.append("#EXT-X-KEY:\(segment.key?.attributes.description ?? "METHOD=NONE")")
                key = segment.key
            }
            lines.append("#EXTINF:\(segment.seconds.formatted(6)),")
            if let range = segment.range { lines.append("#EXT-X-BYTERANGE:\(range.description)") }
            lines.append(segment.uri)
        }
        if isEnded { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Reading

    /// Parses a playlist as far as possible, and returns its faults.
    static func read(_ lines: PlaylistLines) -> (playlist: MediaPlaylist, faults: [PlaylistLines.Fault]) {
        var reader = Reader(faults: lines.faults)
        for (number, line) in lines.lines { reader.read(line, number) }
        if reader.pending.seconds != nil { reader.fault(lines.lines.last?.number ?? 1, "an #EXTINF without a segment") }
        return (reader.playlist, reader.faults)
    }

    private struct Reader {
        var playlist = MediaPlaylist()
        var faults: [PlaylistLines.Fault]
        var initSegment: InitSegment?
        var key: Key?
        var seen: Set<String> = []
        /// The tags of the next URI.
        var pending: (seconds: Double?, range: ByteRange?, isDiscontinuous: Bool) = (nil, nil, false)

        mutating func fault(_ line: Int, _ reason: String) {
            faults.append(PlaylistLines.Fault(line: line, reason: reason))
        }

        /// Tags that may occur only once in a playlist.
        private static let single: Set<String> = [
            "EXT-X-VERSION", "EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE", "EXT-X-PLAYLIST-TYPE", "EXT-X-ENDLIST",
            "EXT-X-I-FRAMES-ONLY", "EXT-X-INDEPENDENT-SEGMENTS",
        ]

        /// Tags that must precede the first segment (RFC 8216, sections 4.3.3.2 and 4.3.3.3).
        private static let leading: Set<String> = ["EXT-X-MEDIA-SEQUENCE", "EXT-X-DISCONTINUITY-SEQUENCE"]

        mutating func read(_ line: PlaylistLines.Line, _ number: Int) {
            switch line {
            case .uri(let uri):
                guard let seconds = pending.seconds else { return fault(number, "a segment without #EXTINF") }
                var range = pending.range
                if range != nil, range?.offset == nil {
                    // The range continues the previous segment, which must be in the same file.
                    let last = playlist.segments.last
                    guard last?.uri == uri, let before = last?.range, let offset = before.offset else {
                        return fault(number, "a byte range without an offset, and none before it in the same file")
                    }
                    let end = offset + before.count
                    guard end <= ByteRange.max else {
                        return fault(number, "a byte range beyond the largest possible file")
                    }
                    range?.offset = end
                }
                playlist.segments.append(
                    Segment(
                        uri: uri, seconds: seconds, range: range, initSegment: initSegment, key: key,
                        isDiscontinuous: pending.isDiscontinuous, line: number))
                pending = (nil, nil, false)
            case .tag(let name, let value):
                if Self.leading.contains(name), pending.seconds != nil || !playlist.segments.isEmpty {
                    fault(number, "#\(name) after the first segment, where players do not look for it")
                }
                if Self.single.contains(name), !seen.insert(name).inserted { fault(number, "a second #\(name)") }
                readTag(name, value, number)
            }
        }

        private mutating func readTag(_ name: String, _ value: Substring, _ number: Int) {
            switch name {
            case "EXT-X-VERSION": playlist.version = whole(value, name, number)
            case "EXT-X-TARGETDURATION": playlist.targetDuration = whole(value, name, number)
            case "EXT-X-MEDIA-SEQUENCE": playlist.mediaSequence = whole(value, name, number) ?? 0
            case "EXT-X-PLAYLIST-TYPE": playlist.type = String(value)
            case "EXT-X-INDEPENDENT-SEGMENTS": playlist.isIndependent = true
            case "EXT-X-I-FRAMES-ONLY": playlist.isIFramesOnly = true
            case "EXT-X-ENDLIST": playlist.isEnded = true
            case "EXT-X-DISCONTINUITY": pending.isDiscontinuous = true
            case "EXTINF":
                guard let seconds = DecimalNumber.value(value.prefix { $0 != "," }), (0...86_400).contains(seconds)
                else {
                    return fault(number, "#EXTINF is not a duration: '\(value)'")
                }
                pending.seconds = seconds
            case "EXT-X-BYTERANGE":
                pending.range = ByteRange(value)
                if pending.range == nil { fault(number, "#EXT-X-BYTERANGE is not a range: '\(value)'") }
            case "EXT-X-MAP":
                guard let attributes = AttributeList(value), let uri = attributes["URI"] else {
                    return fault(number, "#EXT-X-MAP without a URI")
                }
                var range: ByteRange?
                if let text = attributes["BYTERANGE"] {
                    range = ByteRange(text)
                    if range == nil { fault(number, "BYTERANGE is not a range: '\(text)'") }
                    if range?.offset == nil { range?.offset = 0 }
                }
                initSegment = InitSegment(uri: uri, range: range, key: key)
            case "EXT-X-KEY": readKey(value, number)
            default: break
            }
        }

        private mutating func readKey(_ value: Substring, _ number: Int) {
            guard let attributes = AttributeList(value), let method = attributes["METHOD"] else {
                return fault(number, "#EXT-X-KEY without a METHOD")
            }
            key = nil
            guard method != "NONE" else { return }
            guard let uri = attributes["URI"] else { return fault(number, "#EXT-X-KEY without a URI") }
            var iv: [UInt8]?
            if let text = attributes["IV"] {
                iv = Key.iv(text)
                if iv == nil { fault(number, "IV is not a number of 128 bits: '\(text)'") }
            }
            key = Key(method: method, uri: uri, iv: iv)
        }

        private mutating func whole(_ value: Substring, _ name: String, _ number: Int) -> Int? {
            let result = ByteRange.number(value)
            if result == nil { fault(number, "#\(name) is not a whole number: '\(value)'") }
            return result
        }
    }
}

extension MediaPlaylist.Key {
    fileprivate var attributes: AttributeList {
        var attributes = AttributeList()
        attributes.add("METHOD", method)
        attributes.add("URI", quoted: uri)
        attributes.add("IV", iv.map { "0x\($0.hexadecimal)" })
        return attributes
    }

    /// Parses an IV: `0x` and up to 32 hexadecimal digits.
    fileprivate static func iv(_ text: String) -> [UInt8]? {
        guard text.hasPrefix("0x") || text.hasPrefix("0X"), (3...34).contains(text.utf8.count),
            // UInt128 also accepts a sign.
            text.dropFirst(2).allSatisfy(\.isHexDigit), let number = UInt128(text.dropFirst(2), radix: 16)
        else { return nil }
        return bytes(number)
    }

    /// Returns the IV of the segment with this number.
    func start(ofSegment number: Int) -> [UInt8] { iv ?? Self.bytes(UInt128(number)) }

    private static func bytes(_ number: UInt128) -> [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: number >> (120 - 8 * UInt128($0))) }
    }
}
