internal import WayreelCore

/// What tells whether the source of a translation has changed: the first 12 hexadecimal digits of a SHA-256.
///
/// It is that of the UTF-8 of a plain text or path, of the canonical JSON of a rich text (RFC 8785), which is the text
/// itself if it has no markup, and of the items of a list, joined by line feeds.
enum SourceHash {
    static let digits = 12

    /// The hash of no source: that of a translation that somebody has doubts about, though its source is today's.
    static let none = String(repeating: "0", count: digits)

    static func of(_ value: Translation.Value) -> String {
        let text =
            switch value {
            case .plain(let text): text
            case .rich(let text): text.lines ?? CanonicalJSON.text(text.blocks)
            case .list(let texts): texts.joined(separator: "\n")
            }
        return SHA256.digest(Array(text.utf8)).prefix(digits / 2).map { String($0, paddedTo: 2, radix: 16) }.joined()
    }
}

/// The JSON of rich texts in the form of RFC 8785: keys in their order, no white space, no needless escapes.
private enum CanonicalJSON {
    static func text(_ blocks: [RichText.Block]) -> String { list(blocks.map(text)) }

    private static func text(_ block: RichText.Block) -> String {
        switch block {
        case .paragraph(let parts): #"{"of":\#(list(parts.map(text))),"type":"paragraph"}"#
        case .quote(let blocks): #"{"of":\#(text(blocks)),"type":"quote"}"#
        case .list(let start, let items):
            #"{"items":\#(list(items.map { text($0) }))\#(start.map { #","start":\#($0)"# } ?? ""),"type":"list"}"#
        }
    }

    private static func text(_ part: RichText.Inline) -> String {
        switch part {
        case .text(let text): quoted(text)
        case .emphasis(let parts): #"{"of":\#(list(parts.map(text))),"type":"emphasis"}"#
        case .strong(let parts): #"{"of":\#(list(parts.map(text))),"type":"strong"}"#
        case .link(let address, let parts):
            #"{"href":\#(quoted(address)),"of":\#(list(parts.map(text))),"type":"link"}"#
        }
    }

    private static func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{8}": quoted += "\\b"
            case "\t": quoted += "\\t"
            case "\n": quoted += "\\n"
            case "\u{C}": quoted += "\\f"
            case "\r": quoted += "\\r"
            case "\0"..<" ": quoted += "\\u" + String(scalar.value, paddedTo: 4, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// SHA-256 (FIPS 180-4). The program `wayreel` reads stories and is linked with no library of cryptography, which would
/// take longer to load than a story's texts to hash.
enum SHA256 {
    static func digest(_ message: [UInt8]) -> [UInt8] {
        var bytes = message + [0x80]
        bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
        let bits = UInt64(message.count) * 8
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        var state = start
        var words = [UInt32](repeating: 0, count: 64)
        for block in stride(from: 0, to: bytes.count, by: 64) {
            for index in 0..<16 {
                let at = block + 4 * index
                words[index] =
                    UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8
                    | UInt32(bytes[at + 3])
            }
            for index in 16..<64 {
                let (early, late) = (words[index - 15], words[index - 2])
                let first = early.turned(7) ^ early.turned(18) ^ early >> 3
                let second = late.turned(17) ^ late.turned(19) ^ late >> 10
                words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
            }
            compress(words, into: &state)
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private static func compress(_ words: [UInt32], into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let chosen = (e & f) ^ (~e & g)
            let first = h &+ (e.turned(6) ^ e.turned(11) ^ e.turned(25)) &+ chosen &+ constants[index] &+ words[index]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = (a.turned(2) ^ a.turned(13) ^ a.turned(22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    /// The fractions of the square roots of the first 8 primes.
    private static let start: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension UInt32 {
    fileprivate func turned(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
