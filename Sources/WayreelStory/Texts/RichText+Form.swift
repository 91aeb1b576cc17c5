/// The one form of each text, in which readers return it and from which writers write it.
extension RichText {
    /// The maximum number of characters of a text, without its markup.
    static let maxLength = 100_000
    /// How deep lists, quotes, emphasis and links are in each other at most.
    static let maxDepth = 32
    /// The numbers with which a list may begin.
    static let starts = 0...1_000_000

    /// The same text in its one form:
    ///
    /// - White space is single inner spaces, outside of emphasis and links.
    /// - Nothing is empty but items of numbered lists. A link without words has its address as words.
    /// - Emphasis within emphasis is one, as are emphasis beside emphasis and a list beside one that it continues.
    /// - There is no link in a link.
    package var normalized: RichText { RichText(blocks: Self.normalized(blocks)) }

    private static func normalized(_ blocks: [Block]) -> [Block] {
        var result: [Block] = []
        /// The items of the list that the next one may continue; it is not yet in the result.
        var (start, items): (Int?, [[Block]]) = (nil, [])
        func endList() {
            if !items.isEmpty { result.append(.list(start: start, items: items)) }
            items = []
        }
        for block in blocks {
            switch block {
            case .paragraph(let parts):
                let parts = Phrase.normalized(parts)
                guard !parts.isEmpty else { continue }
                endList()
                result.append(.paragraph(parts))
            case .quote(let blocks):
                let blocks = normalized(blocks)
                guard !blocks.isEmpty else { continue }
                endList()
                result.append(.quote(blocks))
            case .list(let first, let list):
                let list = list.map { normalized($0) }.filter { first != nil || !$0.isEmpty }
                guard list.contains(where: { !$0.isEmpty }) else { continue }
                if first != start.map({ $0 &+ items.count }) { endList() }
                if items.isEmpty { start = first }
                items += list
            }
        }
        endList()
        return result
    }

    /// The words, each paragraph in a line, without addresses and the marks of lists.
    package var words: String {
        func words(_ blocks: [Block]) -> [String] {
            blocks.flatMap { block in
                switch block {
                case .paragraph(let parts): [Phrase.words(parts)]
                case .quote(let blocks): words(blocks)
                case .list(_, let items): items.flatMap { words($0) }
                }
            }
        }
        return words(blocks).joined(separator: "\n")
    }
}

/// The content of a paragraph.
enum Phrase {
    typealias Inline = RichText.Inline

    static func words(_ parts: [Inline]) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .emphasis(let parts), .strong(let parts), .link(_, let parts): words(parts)
            }
        }.joined()
    }

    /// Returns the content in its one form; see ``RichText/normalized``.
    static func normalized(_ parts: [Inline]) -> [Inline] {
        var parts = joined(flattened(parts, in: []))
        _ = removeSpace(from: &parts, atStart: true)
        _ = removeSpace(from: &parts, atStart: false)
        return parts
    }

    private enum Kind { case emphasis, strong, link }

    /// Returns the content without what is empty or stands in another of its kind.
    private static func flattened(_ parts: [Inline], in outer: Set<Kind>) -> [Inline] {
        var result: [Inline] = []
        func add(_ parts: [Inline], _ kind: Kind, _ make: ([Inline]) -> Inline) {
            let parts = flattened(parts, in: outer.union([kind]))
            let isWords = parts.contains { if case .text(let text) = $0 { !text.trimmedSpace.isEmpty } else { true } }
            if outer.contains(kind) || !isWords { result += parts } else { result.append(make(parts)) }
        }
        for part in parts {
            switch part {
            case .text(let text): if !text.isEmpty { result.append(part) }
            case .emphasis(let parts): add(parts, .emphasis) { .emphasis($0) }
            case .strong(let parts): add(parts, .strong) { .strong($0) }
            case .link(let address, let parts):
                let isEmpty = words(parts).trimmedSpace.isEmpty
                add(isEmpty ? [.text(address)] : parts, .link) { .link(address: address, $0) }
            }
        }
        return result
    }

    /// Returns the content with neighbours of one kind joined, and with single spaces outside of what they are at the
    /// edge of.
    private static func joined(_ parts: [Inline]) -> [Inline] {
        var result: [Inline] = []
        func add(_ text: String) {
            guard case .text(let before)? = result.last else { return result.append(.text(text)) }
            let isDouble = before.utf8.last == space && text.utf8.first == space
            result[result.count - 1] = .text(before + Substring(isDouble ? text.utf8.dropFirst() : text.utf8[...]))
        }
        func add(_ parts: [Inline], _ make: ([Inline]) -> Inline) {
            var parts = joined(parts)
            if removeSpace(from: &parts, atStart: true) { add(" ") }
            let endsInSpace = removeSpace(from: &parts, atStart: false)
            result.append(make(parts))
            if endsInSpace { add(" ") }
        }
        var index = 0
        while index < parts.count {
            let start = index
            func run(_ content: (Inline) -> [Inline]?) -> [Inline] {
                var all: [Inline] = []
                while index < parts.count, let more = content(parts[index]) {
                    all += more
                    index += 1
                }
                return all
            }
            switch parts[start] {
            case .text:
                add(singlySpaced(words(run { if case .text = $0 { [$0] } else { nil } })))
            case .emphasis: add(run { if case .emphasis(let parts) = $0 { parts } else { nil } }) { .emphasis($0) }
            case .strong: add(run { if case .strong(let parts) = $0 { parts } else { nil } }) { .strong($0) }
            case .link(let address, let parts):
                index += 1
                add(parts) { .link(address: address, $0) }
            }
        }
        return result
    }

    private static let space = UInt8(ascii: " ")

    /// Returns a text whose white space is single spaces, also at its edges.
    private static func singlySpaced(_ text: String) -> String {
        let inner = text.trimmedSpace
        func isSpace(_ byte: UInt8?) -> Bool { byte.map { [space, 0x09, 0x0A, 0x0D].contains($0) } ?? false }
        guard !inner.isEmpty else { return " " }
        return (isSpace(text.utf8.first) ? " " : "") + inner + (isSpace(text.utf8.last) ? " " : "")
    }

    /// Removes a space from the first or the last text, and that text if it was the space; returns whether there was one.
    private static func removeSpace(from parts: inout [Inline], atStart: Bool) -> Bool {
        guard case .text(let text)? = atStart ? parts.first : parts.last,
            (atStart ? text.utf8.first : text.utf8.last) == space
        else { return false }
        let index = atStart ? 0 : parts.count - 1
        if text.utf8.count == 1 {
            parts.remove(at: index)
        } else {
            // Not by characters: a mark that combines with a space is one with it.
            parts[index] = .text(String(Substring(atStart ? text.utf8.dropFirst() : text.utf8.dropLast())))
        }
        return true
    }
}
