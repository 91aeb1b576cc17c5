internal import CPango
internal import WayreelCore

/// Font problems of a layout.
extension TextLayout {
    /// Characters missing from all installed fonts, each once, in text order.
    package var missingCharacters: [Unicode.Scalar] {
        var seen: Set<Unicode.Scalar> = []
        return runs.lazy.flatMap(\.glyphs).sorted { $0.textOffset < $1.textOffset }
            .compactMap(\.missing).filter { seen.insert($0).inserted }
    }

    /// The text with `\u{FFFD}` in place of characters without outlines in any installed font, also of colour glyphs.
    package var outlinedText: String {
        let images = Set(glyphs.filter(\.isColor).map(\.textOffset))
        let missing = Set(missingCharacters)
        guard !images.isEmpty || !missing.isEmpty else { return text }
        var offset = 0
        return text.reduce(into: "") { result, character in
            let bytes = character.utf8.count
            let isDrawn =
                !(offset..<offset + bytes).contains(where: images.contains)
                && !character.unicodeScalars.contains(where: missing.contains)
            result.append(isDrawn ? character : "\u{FFFD}")
            offset += bytes
        }
    }

    /// The requested font families and the one used instead; nil if one of them is installed.
    ///
    /// Generic families of fontconfig (`Sans`, `Serif`, `Monospace`, …) are never missing.
    package var substitutedFamily: (asked: String, used: String)? {
        guard let list = pango_font_description_get_family(description) else { return nil }
        let asked = String(cString: list)
        let names = asked.split(separator: ",").map { $0.trimmingSpaces.lowercased() }
        guard !names.contains(where: Self.aliases.contains) else { return nil }
        guard let font = pango_context_load_font(context, description) else { return (asked, "none") }
        defer { g_object_unref(font) }
        let loaded = pango_font_describe(font)
        defer { pango_font_description_free(loaded) }
        let used = pango_font_description_get_family(loaded).map { String(cString: $0) } ?? "none"
        return names.contains(used.lowercased()) ? nil : (asked, used)
    }

    /// A warning about ``substitutedFamily`` with the most similar installed family.
    package var substitutionWarning: String? {
        guard let (asked, used) = substitutedFamily else { return nil }
        let near = nearestName(to: asked, in: installedFamilies).map { "; did you mean '\($0)'?" }
        return "no font '\(asked)' is installed; '\(used)' is used instead\(near ?? "")"
    }

    /// Names of the installed families.
    package var installedFamilies: [String] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<PangoFontFamily>?>?
        var count: Int32 = 0
        pango_font_map_list_families(pango_context_get_font_map(context), &list, &count)
        defer { g_free(list) }
        return (0..<Int(count)).compactMap { list?[$0] }.map { String(cString: pango_font_family_get_name($0)) }
    }

    private static let aliases: Set<String> = [
        "", "sans", "sans-serif", "serif", "monospace", "mono", "system-ui", "ui-sans-serif", "ui-serif",
        "ui-monospace", "cursive", "fantasy", "emoji", "math",
    ]
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var rest = drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return rest
    }
}
