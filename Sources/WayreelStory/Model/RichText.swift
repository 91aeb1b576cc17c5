internal import WayreelCore

/// A text with paragraphs, lists, quotes, emphasis and links.
///
/// Its JSON is a string if it has nothing but paragraphs of plain text, one in each line; otherwise a list of blocks:
///
///     [{"type": "paragraph", "of": ["Ring ", {"type": "strong", "of": ["once"]}, "."]}]
public struct RichText: Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    public enum Block: Hashable, Sendable, Codable {
        case paragraph([Inline])
        /// A list whose items are numbered from `start` on, or bulleted if that is nil.
        case list(start: Int?, items: [[Block]])
        case quote([Block])
    }

    public indirect enum Inline: Hashable, Sendable, Codable {
        case text(String)
        case emphasis([Inline])
        case strong([Inline])
        /// Words that lead to an address; see ``RichText/schemes``.
        case link(address: String, [Inline])
    }

    /// The schemes of the addresses that a link may have.
    public static let schemes = ["https", "http", "mailto", "tel", "geo"]

    public var blocks: [Block]

    public init(blocks: [Block]) { self.blocks = blocks }

    /// Makes a paragraph of each line that has any text.
    public init(plain text: String) {
        blocks = text.utf8.split(separator: UInt8(ascii: "\n")).map { .paragraph([.text(String(Substring($0)))]) }
    }

    public init(stringLiteral text: String) { self.init(plain: text) }

    /// The text without its markup: a line for each paragraph. Items of lists begin with their number or with a bullet;
    /// the address of a link follows its words in parentheses, unless they are the address.
    public var plain: String { blocks.map(\.plain).joined(separator: "\n") }

    /// The text as lines if it is nothing but paragraphs of text; nil if it has any markup.
    package var lines: String? {
        var lines: [String] = []
        for block in blocks {
            guard case .paragraph(let parts) = block, parts.count == 1, case .text(let text) = parts[0],
                !text.utf8.contains(UInt8(ascii: "\n"))
            else { return nil }
            lines.append(text)
        }
        return lines.joined(separator: "\n")
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.init(plain: text)
        } else {
            self.init(blocks: try container.decode([Block].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let lines { try container.encode(lines) } else { try container.encode(blocks) }
    }
}

extension RichText.Block {
    public init(from decoder: any Decoder) throws {
        let block = try CaseDecoder(decoder)
        self =
            switch block.name {
            case "paragraph": .paragraph(try block.member("of"))
            case "list": .list(start: try block.member(ifPresent: "start"), items: try block.member("items"))
            case "quote": .quote(try block.member("of"))
            default: throw block.unknownName
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .paragraph(let parts): try encoder.encode(case: "paragraph", "of", parts)
        case .quote(let blocks): try encoder.encode(case: "quote", "of", blocks)
        case .list(let start, let items):
            var container = try encoder.container(ofCase: "list")
            try container.encodeIfPresent(start, forKey: "start")
            try container.encode(items, forKey: "items")
        }
    }

    fileprivate var plain: String {
        switch self {
        case .paragraph(let parts): parts.map(\.plain).joined()
        case .quote(let blocks): blocks.map(\.plain).joined(separator: "\n")
        case .list(let start, let items):
            items.enumerated().map { index, blocks in
                (start.map { "\($0 &+ index). " } ?? "• ") + blocks.map(\.plain).joined(separator: "\n")
            }.joined(separator: "\n")
        }
    }
}

extension RichText.Inline {
    public init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .text(text)
            return
        }
        let part = try CaseDecoder(decoder)
        self =
            switch part.name {
            case "emphasis": .emphasis(try part.member("of"))
            case "strong": .strong(try part.member("of"))
            case "link": .link(address: try part.member("href"), try part.member("of"))
            default: throw part.unknownName
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .emphasis(let parts): try encoder.encode(case: "emphasis", "of", parts)
        case .strong(let parts): try encoder.encode(case: "strong", "of", parts)
        case .link(let address, let parts):
            var container = try encoder.container(ofCase: "link")
            try container.encode(address, forKey: "href")
            try container.encode(parts, forKey: "of")
        }
    }

    fileprivate var plain: String {
        switch self {
        case .text(let text): text
        case .emphasis(let parts), .strong(let parts): parts.map(\.plain).joined()
        case .link(let address, let parts):
            {
                let words = parts.map(\.plain).joined()
                return address == words || address == "mailto:\(words)" || address == "tel:\(words)"
                    ? words : "\(words) (\(address))"
            }()
        }
    }
}
