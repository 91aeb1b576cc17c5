extension String {
    /// Copies the NUL-terminated message in `buffer`.
    package init(cMessage buffer: [CChar]) {
        self.init(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The text as a quoted string of JSON (RFC 8259, section 7).
    package var jsonQuoted: String {
        unicodeScalars.reduce(into: "\"") { text, scalar in
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\0"..<" ":
                text += "\\u" + String(scalar.value, paddedTo: 4, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        } + "\""
    }

    /// A number, not negative, in at least `count` digits: `007` for 7 and 3.
    package init(_ number: some BinaryInteger, paddedTo count: Int, radix: Int = 10, uppercase: Bool = false) {
        let digits = String(number, radix: radix, uppercase: uppercase)
        self.init(repeating: "0", count: Swift.max(0, count - digits.utf8.count))
        self += digits
    }

    /// The characters of code page 1252 at 0x80 to 0x9F, where Latin-1 has control characters; 0 if undefined.
    private static let windows1252: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// Decodes Latin-1 with Windows characters in place of control characters.
    package init(windows1252 bytes: some Sequence<UInt8>) {
        self.init(
            String.UnicodeScalarView(
                bytes.lazy.compactMap { byte in
                    let isReplaced = (0x80...0x9F).contains(byte)
                    let code = isReplaced ? Self.windows1252[Int(byte) - 0x80] : UInt16(byte)
                    return code == 0 && isReplaced ? nil : Unicode.Scalar(code)
                }))
    }

    /// Decodes UTF-8, or code page 1252 if the bytes are not UTF-8.
    package init(utf8OrWindows1252 bytes: some Collection<UInt8>) {
        self = String(validating: bytes, as: UTF8.self) ?? String(windows1252: bytes)
    }

    /// The text between two tags of XML or HTML. Code points that XML does not allow, also not as references, become
    /// U+FFFD: control characters other than tabs and line ends, U+FFFE and U+FFFF (XML 1.0, section 2.2).
    package var xmlText: String { XMLEscapes.text.escaped(self) }

    /// The text in a quoted attribute of XML or HTML, without such code points. Line breaks and tabs, which parsers
    /// would normalise, are kept.
    package var xmlAttribute: String { XMLEscapes.attribute.escaped(self) }
}

/// The parts of a path, as POSIX `dirname` and `basename` see it: slashes at its end do not count.
extension String {
    /// The folder of a path with a slash at its end: `a/b/` of `a/b/c.jpg`; `.` if the path names none.
    package var folder: String {
        guard let last = lastIndex(where: { $0 != "/" }) else { return isEmpty ? "." : "/" }
        return self[...last].lastIndex(of: "/").map { String(self[...$0]) } ?? "."
    }

    /// The last part of a path: `c.jpg` of `a/b/c.jpg`; nil if there is none.
    package var fileName: String? { split(separator: "/").last.map(String.init) }

    /// The file name without its extension: `c` of `a/b/c.jpg`.
    package var stem: String? { fileName.map { String($0[..<($0.lastDot ?? $0.endIndex)]) } }

    /// The extension of the file name, without the dot: `jpg` of `a/b/c.jpg`; nil for a name without a dot, or with
    /// one only at its start, as hidden files have.
    package var fileExtension: String? {
        fileName.flatMap { name in name.lastDot.map { String(name[name.index(after: $0)...]) } }
    }

    /// Returns the path with the extension of its file name replaced, or added if there is none.
    package func replacingExtension(with new: String) -> String {
        "\(fileExtension.map { dropLast($0.count + 1) } ?? self[...]).\(new)"
    }

    private var lastDot: Index? {
        lastIndex(of: ".").flatMap { $0 == startIndex || self == ".." ? nil : $0 }
    }
}

extension Unicode.Scalar {
    /// The code point as Unicode writes it: `U+4E2D`.
    package var codePoint: String { "U+" + String(value, paddedTo: 4, radix: 16, uppercase: true) }
}

extension StringProtocol {
    /// Returns the text without the characters at both ends that `isSpace` accepts.
    package func trimmed(_ isSpace: (Character) -> Bool = \.isWhitespace) -> String {
        let start = drop(while: isSpace)
        return String(start.reversed().drop(while: isSpace).reversed())
    }
}

private struct XMLEscapes {
    private let escapes: [Unicode.Scalar: String]
    /// Whether an escaped code point begins with the byte in UTF-8: most texts have none of these.
    private let isFirstByte: [Bool]

    private init(_ escapes: [Unicode.Scalar: String]) {
        self.escapes = escapes
        let firstBytes = Set(escapes.keys.compactMap { String($0).utf8.first })
        isFirstByte = (0...UInt8.max).map { firstBytes.contains($0) }
    }

    func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { isFirstByte[Int($0)] }) else { return text }
        return text.unicodeScalars.reduce(into: "") { text, scalar in
            if let escape = escapes[scalar] { text += escape } else { text.unicodeScalars.append(scalar) }
        }
    }

    static let text = XMLEscapes(textEscapes)
    static let attribute = XMLEscapes(textEscapes.merging(["\"": "&quot;", "\n": "&#10;", "\t": "&#9;"]) { $1 })

    private static let textEscapes: [Unicode.Scalar: String] = {
        let controls = (0..<0x20).map { Unicode.Scalar(UInt8($0)) }.filter { $0 != "\t" && $0 != "\n" }
        let forbidden: [Unicode.Scalar] = controls + ["\u{FFFE}", "\u{FFFF}"]
        let replacements = Dictionary(uniqueKeysWithValues: forbidden.map { ($0, "\u{FFFD}") })
        return replacements.merging(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"]) { $1 }
    }()
}

/// Percent-encoding as in RFC 3986.
package enum PercentEncoding {
    /// Returns nil for a malformed escape, text that is not UTF-8, or a NUL.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Encodes everything but the unreserved characters and those of `also`.
    package static func encode(_ text: String, keeping also: String = "") -> String {
        let kept = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~\(also)".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if kept.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += "%\(String(byte, paddedTo: 2, radix: 16, uppercase: true))".utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
