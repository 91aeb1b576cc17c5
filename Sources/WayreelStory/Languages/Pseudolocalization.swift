extension Story {
    /// The tag of the pseudo-language, of the tags for private use (RFC 5646, section 2.2.1).
    public static let pseudoLanguage = "qps"

    /// Returns the story in a pseudo-language, which shows what a translation will do to a page: letters have accents,
    /// texts are 40 % longer and in brackets, `[Ŧħḗ ļȧŧḗ þǿşŧ one two]`, so that untranslated and cut texts catch the
    /// eye. Markup, links and files are kept, and so are accepted answers, because players could not type others.
    ///
    /// The tag is ``pseudoLanguage``; ``languages`` does not list it.
    public func pseudolocalized() -> Story {
        var story = self
        story.translations = []
        story.updateFields { field in
            switch field.value {
            case .plain(let text) where !field.isFile: field.value = .plain(PseudoText.lines(text))
            case .rich(let text): field.value = .rich(PseudoText.text(text))
            case .plain, .list: break
            }
        }
        story.language = Self.pseudoLanguage
        story.nameLanguageOfCaptions(language)
        return story
    }
}

/// Texts of the pseudo-language.
private enum PseudoText {
    /// How much longer texts are.
    private static let growth = 0.4
    private static let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

    private static let letters: [Character: Character] = Dictionary(
        uniqueKeysWithValues: zip(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            "ȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑ"))

    static func accented(_ text: String) -> String { String(text.map { letters[$0] ?? $0 }) }

    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "[\(accented(String($0)))\(padding(for: $0.count))]" }.joined(separator: "\n")
    }

    static func text(_ text: RichText) -> RichText { RichText(blocks: text.blocks.map(block)) }

    private static func block(_ block: RichText.Block) -> RichText.Block {
        switch block {
        case .quote(let blocks): return .quote(blocks.map(self.block))
        case .list(let start, let items): return .list(start: start, items: items.map { $0.map(self.block) })
        case .paragraph(let parts):
            let length = RichText(blocks: [block]).plain.count
            return .paragraph([.text("[")] + parts.map(part) + [.text("\(padding(for: length))]")]).joiningTexts
        }
    }

    private static func part(_ part: RichText.Inline) -> RichText.Inline {
        switch part {
        case .text(let text): .text(accented(text))
        case .emphasis(let parts): .emphasis(parts.map(self.part))
        case .strong(let parts): .strong(parts.map(self.part))
        case .link(let address, let parts): .link(address: address, parts.map(self.part))
        }
    }

    /// Words that make a text of a length longer; the brackets count.
    private static func padding(for length: Int) -> String {
        let wanted = Int((Double(length) * growth).rounded(.up)) - 2
        var padding = ""
        var index = 0
        while padding.count < wanted {
            padding += " " + words[index % words.count]
            index += 1
        }
        return padding
    }
}

extension RichText.Block {
    /// A paragraph in which no two texts follow each other.
    fileprivate var joiningTexts: RichText.Block {
        guard case .paragraph(let parts) = self else { return self }
        var joined: [RichText.Inline] = []
        for part in parts {
            if case .text(let text) = part, case .text(let before)? = joined.last {
                joined[joined.count - 1] = .text(before + text)
            } else {
                joined.append(part)
            }
        }
        return .paragraph(joined)
    }
}
