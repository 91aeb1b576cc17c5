/// Counts the attributes of each tag of an XML document, before the parser gets it: libxml2 compares each attribute with all
/// others of its tag, so that 200,000 of them in 2 MB would take minutes, and it cannot be stopped meanwhile.
///
/// The document is in an encoding in which ASCII characters are bytes of their own, or in UTF-16. A document that is not
/// well-formed may have more, up to where that ends the parsing.
struct AttributeCount {
    /// The most attributes of a tag, with its namespaces.
    static let limit = 256

    private enum State {
        case text, open
        case tag
        /// In a value, up to this quotation mark.
        case value(UInt8)
        /// After `<!` and after `<!-`.
        case declaration, dash
        /// In what ends with these three bytes, or with the last two of them.
        case comment, data, instruction
    }

    private var state = State.text
    private var count = 0
    /// The last three bytes.
    private var recent: UInt32 = 0
    /// The line of the next byte, counted from 1.
    private(set) var line = 1

    /// Reads the next bytes of the document. Returns false after a tag with more attributes than the limit.
    mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for byte in bytes where byte != 0 {
            if byte == UInt8(ascii: "\n") { line += 1 }
            switch state {
            case .text: if byte == UInt8(ascii: "<") { state = .open }
            case .tag:
                switch byte {
                case UInt8(ascii: ">"): state = .text
                case UInt8(ascii: "\""), UInt8(ascii: "'"): state = .value(byte)
                case UInt8(ascii: "="):
                    count += 1
                    if count > Self.limit { return false }
                default: break
                }
            case .value(let quote): if byte == quote { state = .tag }
            case .open:
                (count, recent) = (0, 0)
                switch byte {
                case UInt8(ascii: "!"): state = .declaration
                case UInt8(ascii: "?"): state = .instruction
                case UInt8(ascii: ">"): state = .text
                default: state = .tag
                }
            case .declaration:
                state = byte == UInt8(ascii: "-") ? .dash : byte == UInt8(ascii: "[") ? .data : .tag
            case .dash: state = byte == UInt8(ascii: "-") ? .comment : .tag
            case .comment: if ends(with: byte, "-->") { state = .text }
            case .data: if ends(with: byte, "]]>") { state = .text }
            case .instruction: if ends(with: byte, "?>") { state = .text }
            }
        }
        return true
    }

    /// Whether the bytes of a section, with this one, end with a text of ASCII characters.
    private mutating func ends(with byte: UInt8, _ text: StaticString) -> Bool {
        recent = (recent << 8 | UInt32(byte)) & 0xFF_FFFF
        var wanted: UInt32 = 0
        for index in 0..<text.utf8CodeUnitCount { wanted = wanted << 8 | UInt32(text.utf8Start[index]) }
        return recent & (text.utf8CodeUnitCount == 2 ? 0xFFFF : 0xFF_FFFF) == wanted
    }
}
