/// The names in EXIF's field Artist ("Guidelines for Handling Image Metadata", version 2.0, Metadata Working Group,
/// section 5.4): separated by a semicolon and a space; names that contain these are quoted, with doubled inner quotes.
package enum ArtistList {
    private static let separator = "; "

    package static func names(in text: String) -> [String] {
        var names: [String] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            var name = ""
            if rest.first == "\"" { name = quoted(&rest) }
            let end = rest.firstRange(of: separator)
            name += rest[..<(end?.lowerBound ?? rest.endIndex)]
            rest = end.map { rest[$0.upperBound...] } ?? ""
            names.append(name)
        }
        return names
    }

    package static func text(_ names: [String]) -> String {
        names.map { name in
            guard name.hasPrefix("\"") || name.contains(separator) else { return name }
            return "\"" + name.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: separator)
    }

    /// Removes a quoted name from the start of `text`; only the quote if it is unterminated.
    private static func quoted(_ text: inout Substring) -> String {
        var name = ""
        var rest = text.dropFirst()
        while let end = rest.firstIndex(of: "\"") {
            name += rest[..<end]
            rest = rest[end...].dropFirst()
            guard rest.first == "\"" else {
                text = rest
                return name
            }
            name += "\""
            rest = rest.dropFirst()
        }
        text = text.dropFirst()
        return "\""
    }
}
