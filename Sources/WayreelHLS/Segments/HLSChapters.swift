internal import WayreelCore

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
