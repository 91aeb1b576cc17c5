/// The code of a language: MP4 uses three letters (ISO 639-2/T), HLS the shortest code (BCP 47).
package struct LanguageCode: Hashable, Sendable {
    /// The tag: `en`, `pt-BR`, `gsw`.
    package let tag: String

    /// The three-letter code: `eng`; `und` if the language has none.
    package var threeLetters: String {
        let primary = String(tag.prefix { $0 != "-" })
        return Self.table.first { $0.two == primary }?.three ?? (primary.utf8.count == 3 ? primary : "und")
    }

    /// The English name: `English`; the code itself if the name is unknown.
    package var name: String {
        let primary = tag.prefix { $0 != "-" }
        guard let known = Self.table.first(where: { $0.two == primary }) else { return tag }
        return tag == primary ? known.name : "\(known.name) (\(tag.dropFirst(primary.count + 1)))"
    }

    /// Parses a code of two or three letters, with or without a region. Returns nil for invalid codes and `und`.
    package init?(_ text: String) {
        let parts = text.split(whereSeparator: { $0 == "-" || $0 == "_" })
        guard let first = parts.first?.lowercased(), (2...3).contains(first.utf8.count),
            text.utf8.count <= 35,
            parts.allSatisfy({ part in part.utf8.allSatisfy { Self.isLetterOrDigit($0) } }),
            first.utf8.allSatisfy({ (97...122).contains($0) }), first != "und"
        else { return nil }
        let primary = Self.table.first { $0.three == first || $0.other == first }?.two ?? first
        tag = ([primary] + parts.dropFirst().map(String.init)).joined(separator: "-")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }

    private struct Entry {
        var two, three: String
        /// The ISO 639-2/B code, if it differs.
        var other: String?
        var name: String
    }

    private static let table: [Entry] = """
        ar ara - Arabic|bg bul - Bulgarian|bn ben - Bengali|bs bos - Bosnian|ca cat - Catalan|cs ces cze Czech|\
        cy cym wel Welsh|da dan - Danish|de deu ger German|el ell gre Greek|en eng - English|es spa - Spanish|\
        et est - Estonian|eu eus baq Basque|fa fas per Persian|fi fin - Finnish|fr fra fre French|ga gle - Irish|\
        gl glg - Galician|gu guj - Gujarati|he heb - Hebrew|hi hin - Hindi|hr hrv - Croatian|hu hun - Hungarian|\
        hy hye arm Armenian|id ind - Indonesian|is isl ice Icelandic|it ita - Italian|ja jpn - Japanese|\
        ka kat geo Georgian|kk kaz - Kazakh|ko kor - Korean|lt lit - Lithuanian|lv lav - Latvian|\
        mk mkd mac Macedonian|ml mal - Malayalam|mr mar - Marathi|ms msa may Malay|nb nob - Norwegian Bokmål|\
        nl nld dut Dutch|nn nno - Norwegian Nynorsk|no nor - Norwegian|pa pan - Punjabi|pl pol - Polish|\
        pt por - Portuguese|ro ron rum Romanian|ru rus - Russian|sk slk slo Slovak|sl slv - Slovenian|\
        sq sqi alb Albanian|sr srp - Serbian|sv swe - Swedish|sw swa - Swahili|ta tam - Tamil|te tel - Telugu|\
        th tha - Thai|tl tgl - Tagalog|tr tur - Turkish|uk ukr - Ukrainian|ur urd - Urdu|vi vie - Vietnamese|\
        zh zho chi Chinese
        """.split(separator: "|").map { line in
            let fields = line.split(separator: " ", maxSplits: 3).map(String.init)
            return Entry(two: fields[0], three: fields[1], other: fields[2] == "-" ? nil : fields[2], name: fields[3])
        }
}
