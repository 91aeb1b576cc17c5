internal import WayreelCore

/// A master playlist: the renditions that a player chooses from (RFC 8216, section 4.3.4).
struct MasterPlaylist: Hashable {
    /// A variant: `EXT-X-STREAM-INF` or `EXT-X-I-FRAME-STREAM-INF`.
    struct Variant: Hashable {
        var uri: String
        /// The peak and average bits per second.
        var bandwidth: Int?
        var averageBandwidth: Int?
        var codecs: String?
        var size: PixelSize?
        var frameRate: Double?
        var audio: String?
        /// The group of further video.
        var video: String?
        /// The subtitle group.
        var subtitles: String?
        /// The video range: `SDR`, `PQ`, `HLG`.
        var videoRange: String?
        var line = 0
    }

    /// A rendition: `EXT-X-MEDIA`.
    struct Rendition: Hashable {
        /// The type, such as `AUDIO`.
        var type: String
        var group: String
        var name: String
        var language: String?
        var isDefault = false
        /// Whether a player may choose the rendition by the user's language.
        var isAutoselected = true
        var channels: String?
        /// The URI; nil if the rendition is part of the variants themselves.
        var uri: String?
        var line = 0
    }

    var version: Int?
    var isIndependent = false
    /// The file of the chapters, for Apple's players.
    var chapters: String?
    var renditions: [Rendition] = []
    var variants: [Variant] = []
    var iFrameVariants: [Variant] = []

    private static let chaptersID = "com.apple.hls.chapters"

    // MARK: Writing

    var text: String {
        var lines = ["#EXTM3U"]
        if let version { lines.append("#EXT-X-VERSION:\(version)") }
        if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
        if let chapters {
            var attributes = AttributeList()
            attributes.add("DATA-ID", quoted: Self.chaptersID)
            attributes.add("URI", quoted: chapters)
            lines.append("#EXT-X-SESSION-DATA:\(attributes.description)")
        }
        lines += renditions.map { "#EXT-X-MEDIA:\($0.attributes.description)" }
        for variant in variants {
            lines += ["#EXT-X-STREAM-INF:\(variant.attributes.description)", variant.uri]
        }
        for variant in iFrameVariants {
            var attributes = variant.attributes
            attributes.add("URI", quoted: variant.uri)
            lines.append("#EXT-X-I-FRAME-STREAM-INF:\(attributes.description)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Reading

    /// Parses a playlist as far as possible, and returns its faults.
    static func read(_ lines: PlaylistLines) -> (playlist: MasterPlaylist, faults: [PlaylistLines.Fault]) {
        var playlist = MasterPlaylist()
        var faults = lines.faults
        var pending: Variant?
        for (number, line) in lines.lines {
            switch line {
            case .uri(let uri):
                guard var variant = pending else {
                    faults.append(PlaylistLines.Fault(line: number, reason: "a URI without #EXT-X-STREAM-INF"))
                    continue
                }
                variant.uri = uri
                playlist.variants.append(variant)
                pending = nil
            case .tag(let name, let value):
                if pending != nil {
                    faults.append(PlaylistLines.Fault(line: number, reason: "#EXT-X-STREAM-INF without a URI"))
                    pending = nil
                }
                switch name {
                case "EXT-X-VERSION": playlist.version = ByteRange.number(value)
                case "EXT-X-INDEPENDENT-SEGMENTS": playlist.isIndependent = true
                case "EXT-X-SESSION-DATA":
                    let attributes = AttributeList(value)
                    if attributes?["DATA-ID"] == Self.chaptersID { playlist.chapters = attributes?["URI"] }
                case "EXT-X-STREAM-INF", "EXT-X-I-FRAME-STREAM-INF", "EXT-X-MEDIA":
                    guard let attributes = AttributeList(value) else {
                        faults.append(
                            PlaylistLines.Fault(line: number, reason: "#\(name) has no well-formed attributes"))
                        continue
                    }
                    if name == "EXT-X-STREAM-INF" {
                        pending = Variant(attributes, number)
                    } else if name == "EXT-X-MEDIA", let rendition = Rendition(attributes, number) {
                        playlist.renditions.append(rendition)
                    } else if name != "EXT-X-MEDIA", attributes["URI"] != nil {
                        playlist.iFrameVariants.append(Variant(attributes, number))
                    } else {
                        faults.append(PlaylistLines.Fault(line: number, reason: "#\(name) lacks an attribute"))
                    }
                default: break
                }
            }
        }
        if let pending {
            faults.append(PlaylistLines.Fault(line: pending.line, reason: "#EXT-X-STREAM-INF without a URI"))
        }
        return (playlist, faults)
    }
}

extension MasterPlaylist.Variant {
    fileprivate init(_ attributes: AttributeList, _ line: Int) {
        uri = attributes["URI"] ?? ""
        bandwidth = attributes.plain("BANDWIDTH").flatMap { ByteRange.number($0) }
        averageBandwidth = attributes.plain("AVERAGE-BANDWIDTH").flatMap { ByteRange.number($0) }
        codecs = attributes["CODECS"]
        size = attributes.plain("RESOLUTION").flatMap(Self.size)
        let rate = attributes.plain("FRAME-RATE").flatMap(Double.init)
        frameRate = rate.flatMap { (0...100_000).contains($0) ? $0 : nil }
        audio = attributes["AUDIO"]
        video = attributes["VIDEO"]
        subtitles = attributes["SUBTITLES"]
        videoRange = attributes.plain("VIDEO-RANGE")
        self.line = line
    }

    var groups: [String?] { [audio, video, subtitles] }

    private static func size(_ text: String) -> PixelSize? {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).compactMap { ByteRange.number($0) }
        return sides.count == 2 ? PixelSize(width: sides[0], height: sides[1]) : nil
    }

    fileprivate var attributes: AttributeList {
        var attributes = AttributeList()
        attributes.add("BANDWIDTH", bandwidth.map(String.init))
        attributes.add("AVERAGE-BANDWIDTH", averageBandwidth.map(String.init))
        attributes.add("CODECS", quoted: codecs)
        attributes.add("RESOLUTION", size.map { "\($0.width)x\($0.height)" })
        attributes.add("FRAME-RATE", frameRate?.formatted(3))
        attributes.add("AUDIO", quoted: audio)
        attributes.add("SUBTITLES", quoted: subtitles)
        return attributes
    }
}

extension MasterPlaylist.Rendition {
    /// Returns nil if a required attribute is missing.
    fileprivate init?(_ attributes: AttributeList, _ line: Int) {
        guard let type = attributes["TYPE"], let group = attributes["GROUP-ID"], let name = attributes["NAME"] else {
            return nil
        }
        self.init(
            type: type, group: group, name: name, language: attributes["LANGUAGE"],
            isDefault: attributes["DEFAULT"] == "YES", isAutoselected: attributes["AUTOSELECT"] == "YES",
            channels: attributes["CHANNELS"], uri: attributes["URI"],
            line: line)
    }

    fileprivate var attributes: AttributeList {
        var attributes = AttributeList()
        attributes.add("TYPE", type)
        attributes.add("GROUP-ID", quoted: group)
        attributes.add("NAME", quoted: name)
        attributes.add("LANGUAGE", quoted: language)
        if isDefault { attributes.add("DEFAULT", "YES") }
        if isAutoselected { attributes.add("AUTOSELECT", "YES") }
        attributes.add("CHANNELS", quoted: channels)
        attributes.add("URI", quoted: uri)
        return attributes
    }
}
