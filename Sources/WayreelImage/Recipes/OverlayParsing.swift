public import WayreelCore
package import WayreelDocument

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
        let location = DocumentLocation(.overlay, file: text)
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

    /// Keys of an image overlay in recipes and options, except its path.
    package static let settings: [Setting<ImageOverlay>] = [
        .choice("gravity", Gravity.self) { $0.gravity = $1 },
        .length("x", isSigned: true) { $0.x = $1 },
        .length("y", isSigned: true) { $0.y = $1 },
        .value(
            "scale", "a factor such as 0.5, or a percentage of the image's width such as 20%",
            read: { OverlayScale(parsing: $0) }, store: { $0.scale = $1 }),
        .number("rotation", -360...360, unit: " degrees") { $0.rotation = $1 },
        .number("opacity", 0...1) { $0.opacity = $1 },
        .choice("blend", BlendMode.self) { $0.blend = $1 },
        .flag("tile") { $0.tile = $1 },
    ]
}

extension TextOverlay {
    /// Creates a text with a style from a command line: `size=6%,color=#fff,font=DejaVu Serif Bold,outline=#000/2`.
    ///
    /// The keys are those of a text overlay in a recipe. The parts of an outline (color/width), a shadow
    /// (color/x/y/blur) and a box (color/padding/radius) are separated by slashes, trailing ones are optional; a comma
    /// in a font name is escaped with a backslash. Throws a `parameter` error for an unknown or invalid option.
    public init(_ text: String, style: String) throws(MediaError) {
        let location = DocumentLocation(.text)
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw location.fault(text.isEmpty ? "the text is empty" : "a text may not hold a NUL character")
        }
        self.init(text)
        guard !style.isEmpty else { return }
        let fields = try KeyValueList.parse(style, allowsBareKeys: false, at: location)
        try Self.settings.apply(fields, to: &self, called: "a text's style")
    }

    /// Keys of a text overlay in recipes and options, except its text.
    package static let settings: [Setting<TextOverlay>] = [
        .text("font", "a font by name, such as DejaVu Serif Bold") { $0.font = $1 },
        .length("size") { $0.size = $1 },
        .color("color") { $0.color = $1 },
        .choice("gravity", Gravity.self) { $0.gravity = $1 },
        .length("margin", isSigned: true) { ($0.marginX, $0.marginY) = ($1, $1) },
        .length("margin-x", isSigned: true) { $0.marginX = $1 },
        .length("margin-y", isSigned: true) { $0.marginY = $1 },
        .length("width") { $0.width = $1 },
        .choice("alignment", Alignment.self) { $0.alignment = $1 },
        .group("outline", Outline(color: .black, width: .percent(0.4)), Outline.settings) { $0.outline = $1 },
        .group(
            "shadow", Shadow(color: .halfBlack, x: .pixels(0), y: .percent(0.4), blur: .percent(0.8)), Shadow.settings
        ) { $0.shadow = $1 },
        .group("box", Box(color: .halfBlack, padding: .percent(2)), Box.settings) { $0.box = $1 },
        .number("rotation", -360...360, unit: " degrees") { $0.rotation = $1 },
        .number("opacity", 0...1) { $0.opacity = $1 },
        .choice("blend", BlendMode.self) { $0.blend = $1 },
    ]
}

extension TextOverlay.Outline {
    fileprivate static let settings: [Setting<Self>] = [
        .color("color") { $0.color = $1 }, .length("width") { $0.width = $1 },
    ]
}

extension TextOverlay.Shadow {
    fileprivate static let settings: [Setting<Self>] = [
        .color("color") { $0.color = $1 }, .length("x", isSigned: true) { $0.x = $1 },
        .length("y", isSigned: true) { $0.y = $1 }, .length("blur") { $0.blur = $1 },
    ]
}

extension TextOverlay.Box {
    fileprivate static let settings: [Setting<Self>] = [
        .color("color") { $0.color = $1 }, .length("padding") { $0.padding = $1 },
        .length("radius") { $0.radius = $1 },
    ]
}

extension RGBColor {
    fileprivate static let halfBlack = RGBColor(red: 0, green: 0, blue: 0, alpha: 0.5)
}

extension OverlayScale {
    /// `0.5` is a factor, `20%` is relative to the image's width; both must be positive.
    init?(parsing text: String) {
        let isShare = text.hasSuffix("%")
        guard let number = Double(isShare ? text.dropLast() : text[...]), number > 0, number <= (isShare ? 100 : 1000)
        else { return nil }
        self = isShare ? .widthShare(number / 100) : .factor(number)
    }
}

extension Filter {
    /// Parses a filter from a command line: `noir`, `sepia-tone:intensity=0.8`, or `bloom:radius=4%,intensity=0.6`.
    ///
    /// List values are separated by slashes (`color=0.6/0.45/0.3`, `point0=0/0.1`, `center=50%/25%`); a comma or
    /// backslash inside a value, such as a path, is escaped with a backslash. Throws a `parameter` error for invalid
    /// syntax; the catalogue checks names and values.
    public init(parsing text: String) throws(MediaError) {
        try self.init(parsing: text, at: DocumentLocation(.filter))
    }

    init(parsing text: String, at location: DocumentLocation) throws(MediaError) {
        let colon = text.firstIndex(of: ":")
        self.init(text[..<(colon ?? text.endIndex)].trimmed { $0 == " " })
        guard !name.isEmpty else { throw location.fault("'\(text)' has no filter name", "write name:key=value,…") }
        guard let colon, text.index(after: colon) < text.endIndex else { return }
        do throws(MediaError) {
            let list = text[text.index(after: colon)...]
            for field in try KeyValueList.parse(list, allowsBareKeys: false, at: location) {
                arguments[field.key] = FilterArgument(parsing: field.value.text ?? "")
            }
        } catch {
            throw location.fault("\(name): \(error.reason)", error.advice ?? "write \(name):key=value,…")
        }
    }
}

extension Filter: CustomStringConvertible {
    /// The format of ``init(parsing:)``, with arguments in alphabetical order.
    public var description: String {
        let list = arguments.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        return list.isEmpty ? name : "\(name):\(list)"
    }
}

extension FilterArgument: CustomStringConvertible {
    /// `0.8`, `4%`, `0.6/0.45/0.3`.
    public var description: String {
        switch self {
        case .number(let number): number.shortDescription
        case .text(let text): KeyValueList.escape(text)
        case .list(let numbers): numbers.map(\.shortDescription).joined(separator: "/")
        }
    }

    /// Creates a number if it parses as one, otherwise text.
    init(plain text: String) {
        self = Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .text(text)
    }

    /// Creates a list if every part is a number, otherwise comma-separated text, which a filter may read as a point.
    init(parts: [some StringProtocol]) {
        let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
        self = numbers.count == parts.count ? .list(numbers) : .text(parts.joined(separator: ","))
    }

    /// Parses a value: lengths separated by slashes are a list, other text with a slash, such as a path, is not.
    fileprivate init(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        self = parts.count > 1 && parts.allSatisfy { Length($0) != nil } ? Self(parts: parts) : Self(plain: text)
    }
}
