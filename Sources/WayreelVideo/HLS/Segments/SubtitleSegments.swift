internal import WayreelAV
internal import WayreelCore

/// Writes subtitle tracks as WebVTT segments with the lengths of the video's segments.
struct SubtitleSegments {
    let segmentSeconds: Double
    /// The end of the video in seconds.
    let end: Double
    let key: SegmentKey?
    let output: any PackageOutput

    /// Writes a track. `number`: its number, from 1.
    func write(_ track: SubtitleTrack, number: Int) throws(MediaError) -> PackagedSubtitles {
        let language = track.code
        var written = PackagedSubtitles(
            folder: HLSNames.subtitles(number, language), language: language, title: track.title, segments: [])
        let milliseconds = { (seconds: Double) in Int((seconds * 1000).rounded()) }
        var start = 0.0
        // A remainder shorter than a frame does not become a segment.
        while start < end - 0.001 {
            let next = min(end, start + segmentSeconds)
            let isLast = next >= end - 0.001
            let text = WebVTT.segment(track.cues, from: milliseconds(start), to: isLast ? .max : milliseconds(next))
            let (bytes, iv) = try key.encrypt(Array(text.utf8))
            let segment = PackagedSubtitles.Segment(
                name: HLSNames.subtitleSegment(written.segments.count + 1), seconds: (isLast ? end : next) - start,
                iv: iv)
            try output.write(bytes, to: "\(written.folder)/\(segment.name)")
            written.segments.append(segment)
            start = next
        }
        return written
    }
}

/// A written subtitle track of a package.
struct PackagedSubtitles: Hashable {
    struct Segment: Hashable {
        var name: String
        var seconds: Double
        /// The IV of the encryption; nil: not encrypted.
        var iv: [UInt8]?
    }

    var folder: String
    var language: LanguageCode?
    var title: String?
    var segments: [Segment]
}

/// Writes chapters for Apple's players, in the format of `com.apple.hls.chapters`.
enum HLSChapters {
    static func json(_ chapters: [MediaChapter]) -> [UInt8] {
        let entries = chapters.enumerated().map { (index, chapter) in
            let title = chapter.title ?? "Chapter \(index + 1)"
            return """
                  {"chapter": \(index + 1), "start-time": \(chapter.start.formatted(3)), \
                "duration": \((chapter.end - chapter.start).formatted(3)), \
                "titles": [{"language": "und", "title": \(title.jsonQuoted)}]}
                """
        }
        return Array("[\n\(entries.joined(separator: ",\n"))\n]\n".utf8)
    }
}
