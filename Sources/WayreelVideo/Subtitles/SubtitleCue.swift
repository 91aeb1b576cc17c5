internal import WayreelCore

/// A text with the time range in which it is shown.
package struct SubtitleCue: Hashable, Sendable {
    /// The start in milliseconds on the timeline.
    package var start: Int
    /// The end in milliseconds, after ``start``.
    package var end: Int
    package var text: SubtitleText

    package init(start: Int, end: Int, text: SubtitleText) {
        self.start = start
        self.end = end
        self.text = text
    }
}

/// The text of a cue in WebVTT syntax: lines with `<b>`, `<i>` and `<u>`, in which `&`, `<` and `>` are escaped.
package struct SubtitleText: Hashable, Sendable {
    package let markup: String
    /// The text without tags and escapes.
    package let plain: String

    var isEmpty: Bool { plain.allSatisfy(\.isWhitespace) }

    private static let keptTags: Set<String> = ["b", "i", "u"]
    private static let entities = [
        ("lt", "<"), ("gt", ">"), ("nbsp", "\u{A0}"), ("lrm", "\u{200E}"), ("rlm", "\u{200F}"), ("amp", "&"),
    ]
    /// The maximum length of a tag; the `<` of a longer one is treated as text.
    private static let maxTag = 200

    /// Parses text with the tags of SubRip and WebVTT, of which bold, italic and underline are kept.
    ///
    /// `hasTags`: whether `<b>` is a tag. `hasEntities`: whether `&amp;` is an entity, as in WebVTT.
    package init(tagged text: String, hasTags: Bool = true, hasEntities: Bool) {
        var (markup, plain) = ("", "")
        var open: [String] = []
        var rest = Substring(text)
        while let character = rest.first {
            if hasTags, character == "<", let tag = Self.tag(rest) {
                rest = rest[tag.end...]
                guard Self.keptTags.contains(tag.name) else { continue }
                if !tag.isEnd {
                    open.append(tag.name)
                    markup += "<\(tag.name)>"
                } else if open.last == tag.name {
                    open.removeLast()
                    markup += "</\(tag.name)>"
                }
                continue
            }
            if character == "{", rest.dropFirst().first == "\\",
                let close = rest.prefix(Self.maxTag).firstIndex(of: "}")
            {
                // Skip a SubStation Alpha override, which some SubRip files contain.
                rest = rest[rest.index(after: close)...]
                continue
            }
            // Swift treats a carriage return and a line feed as one character.
            var shown = character == "\r\n" ? "\n" : character
            rest.removeFirst()
            if character == "&", hasEntities,
                let (name, value) = Self.entities.first(where: { rest.hasPrefix($0.0 + ";") })
            {
                rest.removeFirst(name.count + 1)
                shown = Character(value)
            }
            // Drop control characters.
            guard shown == "\n" || !shown.unicodeScalars.allSatisfy({ $0.properties.generalCategory == .control })
            else {
                continue
            }
            plain.append(shown)
            markup += String(shown).xmlText
        }
        for name in open.reversed() { markup += "</\(name)>" }
        (self.markup, self.plain) = (Self.withoutEmptyLines(markup), Self.withoutEmptyLines(plain))
    }

    /// Removes empty lines, which would end the cue.
    private static func withoutEmptyLines(_ text: String) -> String {
        text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
    }

    private static func tag(_ text: Substring) -> (name: String, isEnd: Bool, end: Substring.Index)? {
        guard let close = text.prefix(maxTag).firstIndex(of: ">") else { return nil }
        var content = text[text.index(after: text.startIndex)..<close]
        let isEnd = content.first == "/"
        if isEnd { content.removeFirst() }
        guard let first = content.first, first.isASCII, first.isLetter || first.isNumber, !content.contains("<") else {
            return nil
        }
        let name = content.prefix { $0.isLetter || $0.isNumber }.lowercased()
        return (name, isEnd, text.index(after: close))
    }
}

package struct SubtitleTrack: Sendable {
    /// The cues, ordered by start; several may be shown at the same time.
    package var cues: [SubtitleCue]
    /// The language as ISO 639 or BCP 47.
    package var language: String?
    package var title: String?

    package var code: LanguageCode? { language.flatMap { LanguageCode($0) } }

    /// Max of ``repeatedBytes``. The cues of a film have less than a megabyte.
    static let maxRepeatedBytes = 64.0 * 1024 * 1024

    /// An upper bound of the bytes of text in all samples of MP4 and segments of HLS: texts are repeated whenever another
    /// cue begins or ends beside them, and in each segment, which lasts a second or more.
    var repeatedBytes: Double {
        let times = cues.flatMap { [$0.start, $0.end] }.sorted()
        return cues.reduce(0) { sum, cue in
            let changes = times.count(before: cue.end) - times.count(before: cue.start)
            let segments = (Double(cue.end) - Double(cue.start)) / 1000
            return sum + Double(cue.text.markup.utf8.count + 1) * (Double(changes) + segments)
        }
    }

    /// Returns the cues in a range, whose start becomes 0. `seconds`: the length of the whole video.
    func cut(to range: TimeRange?, seconds: Double?) -> SubtitleTrack {
        let start = Int(((range?.start ?? 0) * 1000).rounded())
        let end = [range?.end, seconds].compactMap(\.self).min().map { Int(min($0 * 1000, 1e15).rounded()) } ?? .max
        var cut = self
        cut.cues = cues.compactMap { cue in
            let (from, to) = (max(cue.start, start), min(cue.end, end))
            return from < to ? SubtitleCue(start: from - start, end: to - start, text: cue.text) : nil
        }
        return cut
    }
}

extension Array where Element: Comparable {
    /// Returns the number of elements of a sorted array below `value`.
    func count(before value: Element) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
