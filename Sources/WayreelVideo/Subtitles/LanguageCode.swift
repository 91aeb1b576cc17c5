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

    /// Parses a code of two or three letters, with or without a region. Returns nil for invalid codes, `und`, and codes of
    /// two letters that are not in ISO 639-1.
    package init?(_ text: String) {
        let parts = text.split(whereSeparator: { $0 == "-" || $0 == "_" })
        guard let first = parts.first?.lowercased(), (2...3).contains(first.utf8.count),
            text.utf8.count <= 35,
            parts.allSatisfy({ part in part.utf8.allSatisfy { Self.isLetterOrDigit($0) } }),
            first.utf8.allSatisfy({ (97...122).contains($0) }), first != "und"
        else { return nil }
        let primary = Self.table.first { $0.two == first || $0.three == first || $0.other == first }?.two ?? first
        guard primary.utf8.count == 3 || Self.table.contains(where: { $0.two == primary }) else { return nil }
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

    /// All languages of ISO 639-1.
    private static let table: [Entry] = """
        aa aar - Afar|ab abk - Abkhazian|ae ave - Avestan|af afr - Afrikaans|ak aka - Akan|am amh - Amharic|\
        an arg - Aragonese|ar ara - Arabic|as asm - Assamese|av ava - Avaric|ay aym - Aymara|az aze - Azerbaijani|\
        ba bak - Bashkir|be bel - Belarusian|bg bul - Bulgarian|bi bis - Bislama|bm bam - Bambara|bn ben - Bengali|\
        bo bod tib Tibetan|br bre - Breton|bs bos - Bosnian|ca cat - Catalan|ce che - Chechen|ch cha - Chamorro|\
        co cos - Corsican|cr cre - Cree|cs ces cze Czech|cu chu - Church Slavic|cv chv - Chuvash|cy cym wel Welsh|\
        da dan - Danish|de deu ger German|dv div - Divehi|dz dzo - Dzongkha|ee ewe - Ewe|el ell gre Greek|\
        en eng - English|eo epo - Esperanto|es spa - Spanish|et est - Estonian|eu eus baq Basque|fa fas per Persian|\
        ff ful - Fulah|fi fin - Finnish|fj fij - Fijian|fo fao - Faroese|fr fra fre French|fy fry - Western Frisian|\
        ga gle - Irish|gd gla - Scottish Gaelic|gl glg - Galician|gn grn - Guarani|gu guj - Gujarati|gv glv - Manx|\
        ha hau - Hausa|he heb - Hebrew|hi hin - Hindi|ho hmo - Hiri Motu|hr hrv - Croatian|ht hat - Haitian Creole|\
        hu hun - Hungarian|hy hye arm Armenian|hz her - Herero|ia ina - Interlingua|id ind - Indonesian|\
        ie ile - Interlingue|ig ibo - Igbo|ii iii - Sichuan Yi|ik ipk - Inupiaq|io ido - Ido|is isl ice Icelandic|\
        it ita - Italian|iu iku - Inuktitut|ja jpn - Japanese|jv jav - Javanese|ka kat geo Georgian|kg kon - Kongo|\
        ki kik - Kikuyu|kj kua - Kuanyama|kk kaz - Kazakh|kl kal - Kalaallisut|km khm - Khmer|kn kan - Kannada|\
        ko kor - Korean|kr kau - Kanuri|ks kas - Kashmiri|ku kur - Kurdish|kv kom - Komi|kw cor - Cornish|\
        ky kir - Kyrgyz|la lat - Latin|lb ltz - Luxembourgish|lg lug - Ganda|li lim - Limburgish|ln lin - Lingala|\
        lo lao - Lao|lt lit - Lithuanian|lu lub - Luba-Katanga|lv lav - Latvian|mg mlg - Malagasy|\
        mh mah - Marshallese|mi mri mao Māori|mk mkd mac Macedonian|ml mal - Malayalam|mn mon - Mongolian|\
        mr mar - Marathi|ms msa may Malay|mt mlt - Maltese|my mya bur Burmese|na nau - Nauru|\
        nb nob - Norwegian Bokmål|nd nde - North Ndebele|ne nep - Nepali|ng ndo - Ndonga|nl nld dut Dutch|\
        nn nno - Norwegian Nynorsk|no nor - Norwegian|nr nbl - South Ndebele|nv nav - Navajo|ny nya - Nyanja|\
        oc oci - Occitan|oj oji - Ojibwa|om orm - Oromo|or ori - Odia|os oss - Ossetic|pa pan - Punjabi|\
        pi pli - Pali|pl pol - Polish|ps pus - Pashto|pt por - Portuguese|qu que - Quechua|rm roh - Romansh|\
        rn run - Rundi|ro ron rum Romanian|ru rus - Russian|rw kin - Kinyarwanda|sa san - Sanskrit|\
        sc srd - Sardinian|sd snd - Sindhi|se sme - Northern Sami|sg sag - Sango|si sin - Sinhala|sk slk slo Slovak|\
        sl slv - Slovenian|sm smo - Samoan|sn sna - Shona|so som - Somali|sq sqi alb Albanian|sr srp - Serbian|\
        ss ssw - Swati|st sot - Southern Sotho|su sun - Sundanese|sv swe - Swedish|sw swa - Swahili|ta tam - Tamil|\
        te tel - Telugu|tg tgk - Tajik|th tha - Thai|ti tir - Tigrinya|tk tuk - Turkmen|tl tgl - Tagalog|\
        tn tsn - Tswana|to ton - Tongan|tr tur - Turkish|ts tso - Tsonga|tt tat - Tatar|tw twi - Twi|\
        ty tah - Tahitian|ug uig - Uyghur|uk ukr - Ukrainian|ur urd - Urdu|uz uzb - Uzbek|ve ven - Venda|\
        vi vie - Vietnamese|vo vol - Volapük|wa wln - Walloon|wo wol - Wolof|xh xho - Xhosa|yi yid - Yiddish|\
        yo yor - Yoruba|za zha - Zhuang|zh zho chi Chinese|zu zul - Zulu
        """.split(separator: "|").map { line in
            let fields = line.split(separator: " ", maxSplits: 3).map(String.init)
            return Entry(two: fields[0], three: fields[1], other: fields[2] == "-" ? nil : fields[2], name: fields[3])
        }
}
