internal import WayreelCore

/// Checks of the subtitle renditions and their WebVTT segments (RFC 8216, section 3.5).
extension HLSValidator {
    /// `start`: the first timestamp of the video in seconds; nil if it is unknown or timestamps jump, so that cues cannot
    /// be compared with it.
    func checkSubtitles(
        _ master: MasterPlaylist, _ name: String, start: Double?, _ inspection: inout Inspection,
        _ result: inout HLSValidation
    ) throws(MediaError) {
        let groups = Set(master.renditions.lazy.filter { $0.type == Self.subtitles }.map(\.group))
        for variant in master.variants {
            guard let group = variant.subtitles, !groups.contains(group) else { continue }
            inspection.findings.add(
                .subtitleGroup, "\(name):\(variant.line)", "SUBTITLES is '\(group)'; there is no such group")
        }
        var seen: Set<String> = []
        for rendition in master.renditions where rendition.type == Self.subtitles {
            let location = "\(name):\(rendition.line)"
            guard let uri = rendition.uri else {
                inspection.findings.add(.playlistSyntax, location, "the subtitles have no URI")
                continue
            }
            let path: String
            do throws(HLSFolder.Refusal) { path = try inspection.reader.folder.resolve(uri, from: name) } catch {
                inspection.findings.add(error, location)
                continue
            }
            guard seen.insert(path).inserted, let lines = read(path, inspection.reader.folder, &inspection.findings),
                let playlist = mediaPlaylist(path, lines, &inspection, &result)
            else { continue }
            try checkSubtitleSegments(playlist, path, start: start, &inspection, &result)
        }
    }

    private static let subtitles = "SUBTITLES"

    private func checkSubtitleSegments(
        _ playlist: MediaPlaylist, _ path: String, start: Double?, _ inspection: inout Inspection,
        _ result: inout HLSValidation
    ) throws(MediaError) {
        var time = playlist.segments.contains(where: \.isDiscontinuous) ? nil : start
        for (index, segment) in playlist.segments.enumerated() {
            try inspection.reader.task.check()
            let location = "\(path):\(segment.line)"
            do throws(HLSFolder.Refusal) {
                let number = playlist.mediaSequence + index
                let bytes = try inspection.reader.bytes(of: segment, number: number, in: path)
                result.segments += 1
                // Timed text in fragmented MP4 is not examined.
                if SegmentFormat(bytes) != .mp4 {
                    let content = try WebVTTSegment(bytes, segment.uri)
                    check(content, segment, from: time, location, &inspection.findings)
                }
            } catch { inspection.findings.add(error, location) }
            time = time.map { $0 + segment.seconds }
        }
    }

    /// Reports the first cue that is shown more than the length of a segment before or after its segment.
    private func check(
        _ content: WebVTTSegment, _ segment: MediaPlaylist.Segment, from start: Double?, _ location: String,
        _ findings: inout HLSFindings
    ) {
        guard let start else { return }
        let tolerance = max(1, segment.seconds)
        let distant = content.cues.first { cue in
            let shift = Self.unwrapped(cue.start - start, .transportStream)
            return shift > segment.seconds + tolerance || shift + cue.end - cue.start < -tolerance
        }
        guard let distant else { return }
        findings.add(
            .subtitleTime, location,
            "\(segment.uri) has a cue from \(distant.start.formatted(3)) to \(distant.end.formatted(3)) s",
            expected: "cues that are shown from \(start.formatted(3)) to \((start + segment.seconds).formatted(3)) s")
    }
}

/// A segment of WebVTT as read (RFC 8216, section 3.5).
struct WebVTTSegment {
    /// The cues with their times in seconds on the clock of the media.
    private(set) var cues: [(start: Double, end: Double)] = []

    /// Throws the reason why the bytes, of the file at `uri`, are not a segment of WebVTT.
    init(_ bytes: [UInt8], _ uri: String) throws(HLSFolder.Refusal) {
        let fault = { (reason: String) in HLSFolder.Refusal(rule: .subtitleSegment, reason: "\(uri) \(reason)") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw fault("is not UTF-8 text") }
        let lines = WebVTT.lines(of: text)
        guard var first = lines.first else { throw fault("is empty") }
        if first.first == "\u{FEFF}" { first = first.dropFirst() }
        guard first == "WEBVTT" || first.hasPrefix("WEBVTT ") || first.hasPrefix("WEBVTT\t") else {
            throw fault("is not WebVTT: it does not begin with WEBVTT")
        }
        var offset = 0.0
        for line in lines.dropFirst().prefix(while: { !$0.isEmpty }) where line.hasPrefix(Self.mapTag) {
            guard let value = Self.offset(line.dropFirst(Self.mapTag.count)) else {
                throw fault("has the invalid header '\(line.prefix(80))'")
            }
            offset = value
        }
        for cue in WebVTT.cues(in: lines[...]) {
            guard let times = cue.times else {
                throw fault("has the invalid time '\(lines[cue.line].prefix(60))' in line \(cue.line + 1)")
            }
            cues.append((Double(times.start) / 1000 + offset, Double(times.end) / 1000 + offset))
        }
    }

    private static let mapTag = "X-TIMESTAMP-MAP="

    /// Parses `MPEGTS:900000,LOCAL:00:00:00.000`, in any order, into the seconds between cue times and media times.
    private static func offset(_ value: Substring) -> Double? {
        var (media, local): (Int?, Int?)
        for part in value.split(separator: ",") {
            let pair = part.split(separator: ":", maxSplits: 1)
            switch pair.first?.trimmed() {
            case "MPEGTS" where pair.count == 2: media = ByteRange.number(pair[1].trimmed())
            case "LOCAL" where pair.count == 2: local = WebVTT.milliseconds(pair[1].trimmed())
            default: return nil
            }
        }
        guard let media, let local else { return nil }
        return Double(media) / 90_000 - Double(local) / 1000
    }
}
