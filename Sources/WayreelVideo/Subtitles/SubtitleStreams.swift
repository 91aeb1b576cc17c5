internal import WayreelAV
internal import WayreelCore

/// Reads text subtitles from streams of a video file.
struct SubtitleStreams {
    /// FFmpeg's names of the codecs whose packets contain text.
    static let textCodecs: Set<String> = ["subrip", "text", "mov_text", "ass", "ssa", "webvtt"]
    static let imageCodecs: Set<String> = ["hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle", "xsub"]

    /// The duration in milliseconds of a cue without one, unless the next cue begins earlier.
    private static let defaultDuration = 5000
    /// The maximum timestamp in seconds; larger ones are damaged.
    private static let maxSeconds = 1e9
    /// The maximum length of a SubStation Alpha override in characters.
    private static let maxOverride = 1000

    private let file: Demuxer
    private let task: TaskContext
    private var bytes: [Int: Int] = [:]
    private var cues: [Int: [SubtitleCue]] = [:]
    private var malformed = 0
    private var cutShort: Set<Int> = []
    private var mediaEnd: Double?

    /// The cues of each stream by its index in the file, and the end of the last packet of the video in seconds.
    struct Contents {
        var cues: [Int: [SubtitleCue]] = [:]
        var mediaEnd: Double?
    }

    /// Returns the cues of `streams`, and where the stream `media` ends: some files declare the end of their last cue
    /// as their duration. Reads the file to its end.
    static func read(
        _ streams: [Int], media: Int? = nil, of source: MediaInput, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) -> Contents {
        guard !streams.isEmpty else { return Contents() }
        var reading = SubtitleStreams(file: try Demuxer(source, limits: limits, task: task), task: task)
        reading.file.select(Set(streams).union(media.map { [$0] } ?? []))
        while let packet = try reading.file.next() {
            try task.check()
            if packet.stream == media { reading.note(packet) } else { reading.take(packet) }
        }
        reading.warn()
        return Contents(cues: reading.cues.mapValues(completed), mediaEnd: reading.mediaEnd)
    }

    private mutating func note(_ packet: Packet) {
        guard let time = packet.presentationTime ?? packet.decodingTime else { return }
        let base = file.timeBase(of: packet.stream).value
        let end = Double(time) * base + Double(max(0, packet.duration)) * base - file.origin
        mediaEnd = max(mediaEnd ?? end, end)
    }

    private mutating func take(_ packet: Packet) {
        let stream = packet.stream
        bytes[stream, default: 0] += packet.bytes.count
        guard bytes[stream] ?? 0 <= SubtitleFile.maxBytes, cues[stream]?.count ?? 0 < SubtitleFile.maxCues else {
            cutShort.insert(stream)
            return
        }
        let base = file.timeBase(of: stream).value
        guard let time = packet.presentationTime ?? packet.decodingTime,
            packet.bytes.count <= SubtitleFile.maxTextBytes * 4,
            let text = Self.text(Array(packet.bytes), codec: file.info.streams[stream].codec)
        else {
            malformed += 1
            return
        }
        guard !text.isEmpty, text.plain.utf8.count <= SubtitleFile.maxTextBytes else { return }
        let start = (Double(time) * base - file.origin) * 1000
        let length = Double(packet.duration) * base * 1000
        guard start.magnitude < Self.maxSeconds * 1000, length < Self.maxSeconds * 1000 else {
            malformed += 1
            return
        }
        // A duration of 0 means unknown until the next cue.
        let milliseconds = Int(max(0, length).rounded())
        let from = Int(start.rounded())
        cues[stream, default: []].append(SubtitleCue(start: from, end: from + milliseconds, text: text))
    }

    private func warn() {
        if malformed > 0 { task.warn(.subtitles, "cues that cannot be read: \(malformed); they are left out") }
        for stream in cutShort.sorted() {
            task.warn(.subtitles, "stream \(stream) has too many cues; the rest is left out")
        }
    }

    /// Sorts the cues, and sets missing ends.
    private static func completed(_ cues: [SubtitleCue]) -> [SubtitleCue] {
        var completed = cues.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        for index in completed.indices where completed[index].end <= completed[index].start {
            let next = index + 1 < completed.count ? completed[index + 1].start : .max
            completed[index].end = min(next, completed[index].start + defaultDuration)
        }
        return completed.filter { $0.end > $0.start }
    }

    /// Returns the text of a packet, or nil if it is damaged.
    static func text(_ bytes: [UInt8], codec: String) -> SubtitleText? {
        switch codec {
        case "mov_text":
            guard bytes.count >= 2 else { return nil }
            let count = Int(bytes[0]) << 8 | Int(bytes[1])
            guard bytes.count >= 2 + count, let text = decoded(bytes[2..<2 + count]) else { return nil }
            return SubtitleText(tagged: text, hasTags: false, hasEntities: false)
        case "ass", "ssa":
            guard let line = decoded(bytes[...]) else { return nil }
            return dialogue(line)
        default:
            return decoded(bytes[...]).map { SubtitleText(tagged: $0, hasEntities: codec == "webvtt") }
        }
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Parses `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text` of SubStation Alpha.
    private static func dialogue(_ line: String) -> SubtitleText? {
        let fields = line.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { return nil }
        var text = ""
        var rest = fields[8]
        var isDrawing = false
        while let character = rest.first {
            if character == "{", let close = rest.prefix(Self.maxOverride).firstIndex(of: "}") {
                isDrawing = drawing(in: rest[..<close]) ?? isDrawing
                rest = rest[rest.index(after: close)...]
            } else if character == "\\", let kind = rest.dropFirst().first, "Nnh".contains(kind) {
                text += kind == "h" ? "\u{A0}" : "\n"
                rest = rest.dropFirst(2)
            } else {
                if !isDrawing { text.append(character) }
                rest.removeFirst()
            }
        }
        return SubtitleText(tagged: text, hasTags: false, hasEntities: false)
    }

    /// Whether the following text is a drawing, according to `\p1` or `\p0`; nil if there is neither.
    private static func drawing(in overrides: Substring) -> Bool? {
        overrides.split(separator: "\\").compactMap { part in
            part.hasPrefix("p") ? part.dropFirst().first?.wholeNumberValue.map { $0 > 0 } : nil
        }.last
    }
}
