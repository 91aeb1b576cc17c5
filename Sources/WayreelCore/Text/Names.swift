/// Returns the most similar of `names`, or nil if none is within one edit per three letters.
///
/// Uses the Damerau–Levenshtein distance (optimal string alignment), ignoring case.
package func nearestName(to text: String, in names: some Sequence<String>) -> String? {
    let wanted = Array(text.lowercased().utf8.prefix(64))
    let limit = max(1, wanted.count / 3)
    return
        names
        .map { (name: $0, distance: editDistance(wanted, Array($0.lowercased().utf8))) }
        .filter { $0.distance <= limit }
        .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?
        .name
}

private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var distance = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                distance = min(distance, beforeLast[j - 1] + 1)
            }
            row.append(distance)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}

extension [String] {
    /// `a, b or c`.
    package var alternatives: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }
}

extension Int {
    /// The number with its noun: `1 point`, `2 points`.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}

/// The unit of a large number: bytes or pixels.
package enum Quantity {
    case bits, bytes, pixels

    /// Powers of 1000 (IEC 80000-13) and, for bytes, powers of 1024 with an i.
    private var units: [(suffix: String, factor: Double)] {
        let thousands = [("k", 1e3), ("m", 1e6), ("g", 1e9), ("", 1)]
        return switch self {
        case .bytes:
            [("kib", 1024), ("mib", 1_048_576), ("gib", 1_073_741_824)] + thousands.map { ($0 + "b", $1) } + thousands
        case .pixels: thousands.map { ($0 + "p", $1) } + thousands
        case .bits: thousands
        }
    }

    /// Parses `200000`, `200kB`, `200 KB`, `1.5MB`, `512KiB` or `150MP`, ignoring case and rounding down; 1 to 10¹².
    package func parse(_ text: String) -> Int? {
        let lowercase = text.lowercased()
        guard let unit = units.first(where: { lowercase.hasSuffix($0.suffix) }) else { return nil }
        let digits = lowercase.dropLast(unit.suffix.count)
        guard digits.utf8.allSatisfy({ "0123456789. ".utf8.contains($0) }),
            let number = Double(digits.hasSuffix(" ") ? digits.dropLast() : digits),
            (1...1e12).contains(number * unit.factor)
        else { return nil }
        return Int(number * unit.factor)
    }
}

extension String {
    /// The text as a name on one line, of at most `most` characters; a longer one ends with “…”. Characters that control a
    /// terminal, or the direction of all that follows, are left out.
    package func asName(ofAtMost most: Int) -> String {
        var scalars = String.UnicodeScalarView()
        // A character may be of any number of scalars.
        let room = 8 * (most + 1)
        for scalar in unicodeScalars {
            guard scalars.count < room else { break }
            switch scalar.value {
            case 0...0x20, 0x7F...0xA0, 0x2028, 0x2029:
                if let last = scalars.last, last != " " { scalars.append(" ") }
            // Embeddings, overrides and isolates (UAX 9, section 2).
            case 0x202A...0x202E, 0x2066...0x2069: continue
            default: scalars.append(scalar)
            }
        }
        let isCut = scalars.count >= room
        let name = String(scalars).trimmed { $0 == " " }
        guard isCut || name.count > most else { return name }
        return name.prefix(max(0, most - 1)).trimmed { $0 == " " } + "…"
    }
}
