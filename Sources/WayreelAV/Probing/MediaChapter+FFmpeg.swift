internal import CFFmpeg
internal import WayreelCore

extension MediaChapter {
    private static let maxCount = 1000
    /// Max number of characters in a title.
    private static let maxTitleLength = 500

    /// Returns the chapters of an open file with plausible times, by their start.
    static func list(_ context: UnsafeMutablePointer<AVFormatContext>, origin: Double) -> [MediaChapter] {
        let count = min(Int(context.pointee.nb_chapters), maxCount)
        let chapters = (0..<count).compactMap { index -> MediaChapter? in
            guard let chapter = context.pointee.chapters[index]?.pointee, let unit = Rational(chapter.time_base)
            else { return nil }
            let start = Double(chapter.start) * unit.value - origin
            let end = Double(chapter.end) * unit.value - origin
            guard start.magnitude < 1e9, end.magnitude < 1e9, end > start, end > 0 else { return nil }
            let title = av_dict_get(chapter.metadata, "title", nil, 0).map { String(cString: $0.pointee.value) }
            return MediaChapter(start: max(0, start), end: end, title: title.map { String($0.prefix(maxTitleLength)) })
        }
        return chapters.sorted { $0.start < $1.start }
    }
}
