internal import WayreelCore

/// The form in which an author writes elements into a document: each on lines of its own, with its text between its tags
/// if that fits into a line, or else in lines below the start tag that are broken at spaces.
struct XMLLayout {
    /// What each level of elements is indented by.
    let unit: String
    /// The columns of a line; parts without spaces may be longer. `.max`: no text is broken.
    let width: Int

    /// Returns the lines of an element.
    func lines(of element: Element, indent: String) -> [String] {
        let (tag, end) = (XMLWriter.tag(of: element), "</\(element.name)>")
        guard element.children.isEmpty || element.rich != nil else {
            return ["\(indent)\(tag)>"] + element.children.flatMap { lines(of: $0, indent: indent + unit) }
                + [indent + end]
        }
        let content = element.rich?.xml(depth: 0) ?? element.text.xmlText
        if content.isEmpty { return ["\(indent)\(tag)/>"] }
        if content.hasPrefix("\n") {
            // Blocks, each on lines that are indented by two spaces for each level.
            let blocks = content.split(separator: "\n").flatMap { line in
                let words = line.drop { $0 == " " }
                let level = String(repeating: unit, count: (line.count - words.count) / 2)
                return lines(ofBlock: words, indent: indent + level)
            }
            return ["\(indent)\(tag)>"] + blocks + [indent + end]
        }
        return lines(of: content.split(separator: "\n"), between: "\(tag)>", and: end, indent: indent)
    }

    /// Returns the lines of a tag, or of an element of rich text with nothing but words.
    private func lines(ofBlock block: Substring, indent: String) -> [String] {
        // By scalars, since a tag may be one character with a mark behind it.
        let scalars = block.unicodeScalars
        guard indent.unicodeScalars.count + scalars.count > width, let start = scalars.firstIndex(of: ">"),
            let end = scalars.lastIndex(of: "<"), start < end
        else { return [indent + block] }
        let words = Substring(scalars[scalars.index(after: start)..<end])
        return lines(of: [words], between: String(scalars[...start]), and: String(scalars[end...]), indent: indent)
    }

    /// Returns paragraphs between two tags: in one line if they fit into that.
    private func lines(of paragraphs: [Substring], between start: String, and end: String, indent: String) -> [String] {
        if width == .max { return ["\(indent)\(start)\(paragraphs.joined(separator: "\n\n"))\(end)"] }
        if paragraphs.count == 1 {
            let line = "\(indent)\(start)\(paragraphs[0])\(end)"
            if line.unicodeScalars.count <= width { return [line] }
        }
        let inner = paragraphs.map { broken($0, indent: indent + unit) }.joined(separator: [""])
        return [indent + start] + inner + [indent + end]
    }

    /// Breaks words into lines, at spaces outside of tags.
    private func broken(_ words: Substring, indent: String) -> [String] {
        var (lines, line, word): ([String], String, String) = ([], indent, "")
        var (columns, isInTag) = (indent.unicodeScalars.count, false)
        func endWord() {
            let count = word.unicodeScalars.count
            if line.utf8.count > indent.utf8.count {
                if columns + 1 + count > width {
                    lines.append(line)
                    (line, columns) = (indent, indent.unicodeScalars.count)
                } else {
                    line += " "
                    columns += 1
                }
            }
            line += word
            columns += count
            word = ""
        }
        for scalar in words.unicodeScalars {
            if scalar == " ", !isInTag {
                endWord()
                continue
            }
            if scalar == "<" || scalar == ">" { isInTag = scalar == "<" }
            word.unicodeScalars.append(scalar)
        }
        endWord()
        return lines + [line]
    }
}
