public import WayreelCore

extension ImageOverlay {
    /// Parses an image overlay from a command line: `path[@gravity[±x±y]][:key=value,…]`.
    ///
    ///     badge.png
    ///     badge.png@north-east+16+16
    ///     badge.png@south-2%+4%:scale=20%,opacity=0.8,blend=multiply
    ///     grain.png:tile,blend=overlay
    ///
    /// The keys are those of an image overlay in a recipe. An `@`, `+` or `:` that does not match this syntax belongs
    /// to the path (`logo@2x.png`); a path that ends in matching syntax needs an explicit `@center`. Throws a
    /// `parameter` error for an unknown or invalid gravity, offset or option.
    public init(parsing text: String) throws(MediaError) {
        let location = DocumentLocation(step: "overlay", file: text)
        guard !text.utf8.contains(0) else { throw location.fault("a path may not hold a NUL character") }
        self.init(path: "")
        var options: Substring?
        if let at = text.lastIndex(of: "@"), let rest = try anchor(text[text.index(after: at)...], location) {
            path = String(text[..<at])
            options = rest
        } else if let colon = text.lastIndex(of: ":"), Self.areOptions(text[text.index(after: colon)...]) {
            path = String(text[..<colon])
            options = text[colon...]
        } else {
            path = text
        }
        guard !path.isEmpty else { throw location.fault("the path is missing", "write path@gravity+x+y:key=value,…") }
        guard let options, options.count > 1 else { return }
        let fields = try KeyValueList.parse(options.dropFirst(), allowsBareKeys: true, at: location)
        try Self.settings.apply(fields, to: &self, called: "an image overlay")
    }

    /// Parses `gravity[±x±y]` and returns the rest, which is empty or starts with a colon; nil if `text` is part of a
    /// path.
    private mutating func anchor(_ text: Substring, _ location: DocumentLocation) throws(MediaError) -> Substring? {
        func isEnd(_ rest: Substring) -> Bool { rest.first.map { "+-:".contains($0) } ?? true }
        let names = Gravity.allCases.map(\.rawValue)
        // Longest name first: south-east is not south with an offset.
        let name = names.sorted { $0.count > $1.count }.first { text.hasPrefix($0) && isEnd(text.dropFirst($0.count)) }
        guard let name, let known = Gravity(rawValue: name) else {
            let word = text.prefix { $0.isLetter || $0 == "-" }
            guard isEnd(text.dropFirst(word.count)), let near = nearestName(to: String(word), in: names) else {
                return nil
            }
            throw location.fault("unknown gravity '\(word)'", "did you mean '\(near)'?")
        }
        gravity = known
        let rest = text.dropFirst(name.count)
        let colon = rest.firstIndex(of: ":") ?? rest.endIndex
        guard let lengths = Self.offsets(rest[..<colon]) else {
            throw location.fault(
                "'\(rest[..<colon])' is not an offset", "write two lengths, each with its sign, as in +16+16 or +2%-8")
        }
        if !lengths.isEmpty { (x, y) = (lengths[0], lengths[1]) }
        return rest[colon...]
    }

    /// Parses the two lengths of `+16-4%`; empty for an empty text, nil for anything else.
    private static func offsets(_ text: Substring) -> [Length]? {
        let signs = text.indices.filter { text[$0] == "+" || text[$0] == "-" }
        guard !text.isEmpty else { return [] }
        guard signs.count == 2, signs[0] == text.startIndex else { return nil }
        let lengths = [text[..<signs[1]], text[signs[1]...]].compactMap { Length($0) }
        return lengths.count == 2 ? lengths : nil
    }

    /// Returns whether the text after a colon is a list of options rather than part of a path, which is the case if its
    /// first key is, or resembles, an option.
    private static func areOptions(_ text: Substring) -> Bool {
        let item = text.prefix { $0 != "," }
        let key = String(item.prefix { $0 != "=" }), keys = settings.map(\.key)
        return keys.contains(key) || (item.contains("=") && nearestName(to: key, in: keys) != nil)
    }
}

extension TextOverlay {
    /// Creates a text with a style from a command line: `size=6%,color=#fff,font=DejaVu Serif Bold,outline=#000/2`.
    ///
    /// The keys are those of a text overlay in a recipe. The parts of an outline (color/width), a shadow
    /// (color/x/y/blur) and a box (color/padding/radius) are separated by slashes, trailing ones are optional; a comma
    /// in a font name is escaped with a backslash. Throws a `parameter` error for an unknown or invalid option.
    public init(_ text: String, style: String) throws(MediaError) {
        let location = DocumentLocation(step: "text")
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw location.fault(text.isEmpty ? "the text is empty" : "a text may not hold a NUL character")
        }
        self.init(text)
        guard !style.isEmpty else { return }
        let fields = try KeyValueList.parse(style, allowsBareKeys: false, at: location)
        try Self.settings.apply(fields, to: &self, called: "a text's style")
    }
}
